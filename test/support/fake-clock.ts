export type FakeClock = ReturnType<typeof aClock>;

/** A clock that stands still until it is set or advanced. */
export function aClock(at: Date | string = "2026-12-01T09:00:00.000Z") {
  let now = new Date(at);
  return {
    now: () => new Date(now),
    advance(milliseconds: number) {
      now = new Date(now.getTime() + milliseconds);
    },
    set(to: Date | string) {
      now = new Date(to);
    },
  };
}
