import { PublicError, upstreamUnavailable } from "../../contract/errors.ts";
import { DAY } from "../../ops/durations.ts";
import { createLatch, type Log } from "../../ops/log.ts";

/** The call pipeline logs each failed call; this logs once that the storage fails, and once that it works again. */
export function createStoreCalls(log: Log, release: () => Promise<void>) {
  // A count, because a set that changes with every call keeps ended calls in memory until a full collection.
  let inFlight = 0;
  let onIdle = () => {};
  let closing: Promise<void> | undefined;
  /** Two latches, since reads may work while writes fail. */
  const latches = {
    read: createLatch(log, "error", "quotes cannot be read", "quotes can be read again"),
    saved: createLatch(log, "error", "quotes cannot be saved", "quotes can be saved again"),
  };

  return {
    /** Throws UPSTREAM_UNAVAILABLE with the cause where the storage fails; rethrows a PublicError of the call. */
    async run<R>(what: "read" | "saved", call: () => Promise<R>): Promise<R> {
      if (closing) throw upstreamUnavailable("The service is stopping.");
      inFlight += 1;
      try {
        const result = await call();
        latches[what].worked();
        return result;
      } catch (error) {
        if (error instanceof PublicError) throw error;
        latches[what].failed({ err: error });
        throw upstreamUnavailable(`Quotes cannot be ${what} at the moment.`, error);
      } finally {
        inFlight -= 1;
        if (inFlight === 0) onIdle();
      }
    },
    /** Waits for calls in flight and releases the storage. Later calls reject. */
    close(): Promise<void> {
      closing ??= new Promise<void>((resolve) => {
        onIdle = resolve;
        if (inFlight === 0) onIdle();
      }).then(release);
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

/** Runs `purge` at an interval, one run after the other; `facts` say in the log where. */
export function createPurge(purge: () => Promise<void>, milliseconds: number, log: Log, facts: object = {}) {
  let last = Promise.resolve();
  const timer = setInterval(run, milliseconds).unref();

  return {
    /** Runs it now as well; never rejects. */
    run,
    /** Resolves when the last run has ended. */
    async end() {
      clearInterval(timer);
      await last;
    },
  };

  function run(): Promise<void> {
    last = last.then(purge).catch((error) => log.warn({ ...facts, err: error }, "expired quotes could not be deleted"));
    return last;
  }
}

/**
 * Returns whether events whose retention ended at `end` may be deleted. Purges run every minute: where one comes more
 * than a day late, the server was off, or the clock has jumped and the whole ledger would be lost. It is refused until
 * the clock has said the same for a day of `uptime`; both are in milliseconds.
 */
export function createLedgerGuard(log: Log) {
  let refusedSince: number | undefined;
  return (end: number, now: Date, uptime = performance.now()): boolean => {
    if (now.getTime() - end <= DAY) {
      refusedSince = undefined;
      return true;
    }
    if (refusedSince === undefined) {
      refusedSince = uptime;
      const facts = { now: now.toISOString(), due: new Date(end).toISOString() };
      log.error(
        facts,
        "events are more than a day past their retention: if the clock is right, they are deleted in a day",
      );
    }
    return uptime - refusedSince >= DAY;
  };
}
