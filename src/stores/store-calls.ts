import { PublicError, upstreamUnavailable } from "../contract/errors.ts";
import { createLatch, type Log } from "../ops/log.ts";

export interface StoreCalls {
  /** Throws UPSTREAM_UNAVAILABLE with the cause where the storage fails; rethrows a PublicError of the call. */
  run<R>(what: "read" | "saved", call: () => Promise<R>): Promise<R>;
  /** Waits for calls in flight and releases the storage. Later calls reject. */
  close(): Promise<void>;
}

/** The call pipeline logs each failed call; this logs once that the storage fails, and once that it works again. */
export function createStoreCalls(log: Log, release: () => Promise<void>): StoreCalls {
  const inFlight = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  /** Two latches, since reads may work while writes fail. */
  const latches = {
    read: createLatch(log, "error", "quotes cannot be read", "quotes can be read again"),
    saved: createLatch(log, "error", "quotes cannot be saved", "quotes can be saved again"),
  };

  return {
    async run(what, call) {
      if (closing) throw upstreamUnavailable("The service is stopping.");
      const running = call();
      inFlight.add(running);
      try {
        const result = await running;
        latches[what].worked();
        return result;
      } catch (error) {
        if (error instanceof PublicError) throw error;
        latches[what].failed({ err: error });
        throw upstreamUnavailable(`Quotes cannot be ${what} at the moment.`, error);
      } finally {
        inFlight.delete(running);
      }
    },
    close() {
      closing ??= Promise.allSettled(inFlight).then(release);
      return closing;
    },
  };
}

/** Runs one task at a time, in order; a task that fails does not stop the next. */
export function createMutex(): <R>(task: () => Promise<R>) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();

  return (task) => {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  };
}
