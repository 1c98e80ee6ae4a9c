interface SharedCall {
  readonly answer: Promise<unknown>;
  readonly abandon: AbortController;
  callers: number;
}

/**
 * Calls of the same key that are under way at the same time become one. A caller whose signal aborts stops waiting and
 * rejects with its reason; `abandoned` aborts when nobody waits any more.
 */
export type ShareCall = <A>(
  key: string,
  signal: AbortSignal,
  start: (abandoned: AbortSignal) => Promise<A>,
) => Promise<A>;

export function createSharedCalls(): ShareCall {
  const underWay = new Map<string, SharedCall>();

  return async function shareCall<A>(
    key: string,
    signal: AbortSignal,
    start: (abandoned: AbortSignal) => Promise<A>,
  ): Promise<A> {
    signal.throwIfAborted();
    const shared = underWay.get(key) ?? begin(key, start);
    shared.callers += 1;
    try {
      return (await untilAborted(shared.answer, signal)) as A;
    } finally {
      shared.callers -= 1;
      if (shared.callers === 0) {
        shared.abandon.abort();
        forget(key, shared);
      }
    }
  };

  function begin(key: string, start: (abandoned: AbortSignal) => Promise<unknown>): SharedCall {
    const abandon = new AbortController();
    const shared = { answer: start(abandon.signal), abandon, callers: 0 };
    underWay.set(key, shared);
    const ended = () => forget(key, shared);
    shared.answer.then(ended, ended);
    return shared;
  }

  function forget(key: string, shared: SharedCall): void {
    if (underWay.get(key) === shared) underWay.delete(key);
  }
}

function untilAborted<A>(answer: Promise<A>, signal: AbortSignal): Promise<A> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
