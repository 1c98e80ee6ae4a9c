export interface OverloadLimits {
  /**
   * Milliseconds that a call may wait for its turn once the server is overloaded. Default 2: a quote has several turns,
   * as it waits for the disk, and the whole has to stay below ten times the unloaded time.
   */
  readonly targetMs?: number;
  /** Milliseconds that a call may wait for its turn before that: bursts are served. Default 1,000. */
  readonly burstMs?: number;
  /** Milliseconds, in both halves of which most calls wait longer than the target, that make an overload. Default 500. */
  readonly overloadAfterMs?: number;
  /** Milliseconds in which nothing had to be shed that end one. Default 2,000: less, and it comes and goes. */
  readonly calmAfterMs?: number;
  /** So few calls at the same time, waiting and under way, never make an overload. Default 16. */
  readonly fewCalls?: number;
  /** Calls under way at the same time, against memory alone: calls that wait for an engine are many and cheap. Default 1,000. */
  readonly callsUnderWay?: number;
}

export type ShedReason = "delay" | "calls";

/** Decides which calls a server starts and which it sheds. Instants are milliseconds of the same steady clock. */
export interface OverloadGuard {
  /** A call was read; gives the instant. It is present until it is shed, has ended or has left. */
  arrived(): number;
  /**
   * Asked at a call's turn; `arrivedAt` is when it was read. Gives why the call is to be shed; without a reason it is
   * under way, until `ended`.
   */
  shedReason(arrivedAt: number): ShedReason | undefined;
  ended(): void;
  /** A call's caller went away before its turn. */
  left(): void;
  readonly underWay: number;
}

/**
 * After CoDel: bursts are served, a delay that stays is not. What is measured is how long this process made a call wait
 * between reading it and its turn, so that calls that are slow elsewhere count for nothing and there is no capacity to
 * configure. Calls read in one turn of the event loop are a batch; the first of a batch has nobody before it and is
 * never shed for its delay: the server always works, however slow its machine is. `onChange` is told when an overload
 * begins, and at the first call after it has ended.
 */
export function createOverloadGuard(
  now: () => number,
  limits: OverloadLimits = {},
  onChange: (overloaded: boolean) => void = () => {},
): OverloadGuard {
  const { targetMs = 2, burstMs = 1_000, overloadAfterMs = 500, calmAfterMs = 2_000 } = limits;
  const { fewCalls = 16, callsUnderWay = 1_000 } = limits;
  let present = 0;
  let underWay = 0;
  let overloaded = false;
  /** The calls of the running half of the interval, and how many halves before it were late. */
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
      // All of a batch were read before the first of them had its turn.
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
      if (isLate || underWay >= callsUnderWay) {
        present -= 1;
        if (isLate) lastShedAt = at;
        return isLate ? "delay" : "calls";
      }
      underWay += 1;
      return undefined;
    },
    ended() {
      underWay -= 1;
      present -= 1;
    },
    left() {
      present -= 1;
    },
    get underWay() {
      return underWay;
    },
  };

  /** Looks back on the batches before. */
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
