import type { Clock } from "../../src/ops/clock.ts";

/** A clock that stands still until it is set or advanced. */
export interface FakeClock extends Clock {
  advance(milliseconds: number): void;
  set(at: Date | string): void;
}

export function aClock(at: Date | string = "2026-12-01T09:00:00.000Z"): FakeClock {
  let now = new Date(at);
  return {
    now: () => new Date(now),
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    set(to) {
      now = new Date(to);
    },
  };
}
