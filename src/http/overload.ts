import type { ShedReason } from "../ops/metrics.ts";

export interface OverloadLimits {
  /**
   * Milliseconds that a call may wait for its turn while the server is overloaded. Default 2: a quote has several turns,
   * because it waits for the disk, and must take less than ten times its unloaded time in all.
   */
  readonly targetMs?: number;
  /** Milliseconds that a call may wait for its turn otherwise, so that bursts are served. Default 1,000. */
  readonly burstMs?: number;
  /** An overload begins when most calls wait longer than the target in both halves of this time. Default 500 ms. */
  readonly overloadAfterMs?: number;
  /** An overload ends after this time without a rejected call. Default 2,000 ms; less makes it flap. */
  readonly calmAfterMs?: number;
  /** Up to this many concurrent calls, waiting and in flight, are never an overload. Default 16. */
  readonly fewCalls?: number;
  /** Calls in flight at the same time, as a bound on memory. Default 1,000, because calls that wait for an engine are cheap. */
  readonly callsInFlight?: number;
}

/** Decides which calls are started and which are rejected. Instants are milliseconds of one monotonic clock. */
export interface OverloadGuard {
  /** Registers a call that has been read and returns the instant. It counts until it is rejected, has ended or left. */
  arrived(): number;
  /**
   * At a call's turn: why it is to be rejected, or `undefined`, after which it is in flight until `ended`. `arrivedAt` is
   * when it was read.
   */
  shedReason(arrivedAt: number): ShedReason | undefined;
  ended(): void;
  /** The caller disconnected before the call's turn. */
  left(): void;
  readonly inFlight: number;
}

/**
 * Load shedding by delay, after CoDel (RFC 8289): bursts are served, a persistent queue is not. The delay is the time from
 * reading a call to its turn in this process, so that calls that wait elsewhere do not count and no capacity has to be
 * configured. Calls read in one turn of the event loop are a batch; the first of a batch is never rejected for its delay,
 * so that the slowest machine makes progress. `onChange` is called when an overload begins, and at the first call after
 * it has ended.
 */
export function createOverloadGuard(
  now: () => number,
  limits: OverloadLimits = {},
  onChange: (overloaded: boolean) => void = () => {},
): OverloadGuard {
  const { targetMs = 2, burstMs = 1_000, overloadAfterMs = 500, calmAfterMs = 2_000 } = limits;
  const { fewCalls = 16, callsInFlight = 1_000 } = limits;
  let present = 0;
  let inFlight = 0;
  let overloaded = false;
  /** Calls in the current half of the interval, and how many halves before it were late. */
  let halfStartedAt = Number.NEGATIVE_INFINITY;
  let calls = 0;
  let lateCalls = 0;
  let lateHalves = 0;
  let lastShedAt = Number.NEGATIVE_INFINITY;
  let batchStartedAt = Number.NEGATIVE_INFINITY;
  let batchIsSmall = true;
  let lastTurnAt = Number.NEGATIVE_INFINITY;

  return {
    arrived() {
      present += 1;
      return now();
    },
    shedReason(arrivedAt) {
      const at = now();
      const waited = at - arrivedAt;
      // The whole batch was read before its first call had its turn.
      const isFirst = arrivedAt > batchStartedAt;
      if (isFirst) {
        judge(at);
        batchStartedAt = at;
        batchIsSmall = present <= fewCalls;
      }
      lastTurnAt = at;
      calls += 1;
      if (waited > targetMs && !batchIsSmall) lateCalls += 1;
      const isLate = !isFirst && (overloaded ? waited > targetMs : !batchIsSmall && waited > burstMs);
      if (isLate || inFlight >= callsInFlight) {
        present -= 1;
        if (isLate) lastShedAt = at;
        return isLate ? "delay" : "calls";
      }
      inFlight += 1;
      return undefined;
    },
    ended() {
      inFlight -= 1;
      present -= 1;
    },
    left() {
      present -= 1;
    },
    get inFlight() {
      return inFlight;
    },
  };

  /** Judges the batches before this one. */
  function judge(at: number): void {
    if (overloaded) {
      if (at - lastShedAt <= calmAfterMs) return;
      beginHalf(at, 0);
      overloaded = false;
      onChange(false);
    } else if (at - lastTurnAt > overloadAfterMs / 2) {
      beginHalf(at, 0);
    } else if (at - halfStartedAt >= overloadAfterMs / 2) {
      beginHalf(at, lateCalls > calls / 2 ? lateHalves + 1 : 0);
      if (lateHalves < 2) return;
      overloaded = true;
      lastShedAt = at;
      onChange(true);
    }
  }

  function beginHalf(at: number, lateBefore: number): void {
    halfStartedAt = at;
    calls = 0;
    lateCalls = 0;
    lateHalves = lateBefore;
  }
}
