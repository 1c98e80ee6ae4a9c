interface SharedCall {
  readonly answer: Promise<unknown>;
  readonly abandon: AbortController;
  callers: number;
}

/**
 * Merges concurrent calls with the same key. A caller whose signal aborts stops waiting and rejects with its reason;
 * `abandoned` aborts when no caller waits any more.
 */
export type ShareCall = <A>(
  key: string,
  signal: AbortSignal,
  start: (abandoned: AbortSignal) => Promise<A>,
) => Promise<A>;

export function createSharedCalls(): ShareCall {
  const inFlight = new Map<string, SharedCall>();

  return async function shareCall<A>(
    key: string,
    signal: AbortSignal,
    start: (abandoned: AbortSignal) => Promise<A>,
  ): Promise<A> {
    signal.throwIfAborted();
    const shared = inFlight.get(key) ?? begin(key, start);
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
    inFlight.set(key, shared);
    const ended = () => forget(key, shared);
    shared.answer.then(ended, ended);
    return shared;
  }

  function forget(key: string, shared: SharedCall): void {
    if (inFlight.get(key) === shared) inFlight.delete(key);
  }
}

function untilAborted<A>(answer: Promise<A>, signal: AbortSignal): Promise<A> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
