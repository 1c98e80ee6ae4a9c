import type { Log } from "../ops/log.ts";

/** How long calls under way may take to finish once the process is told to end. */
export const GRACE_MILLISECONDS = 10_000;

const LOOK_AT_PARENT_MILLISECONDS = 250;

/** npm passes SIGTERM to its shell alone, which dies of it and leaves this process to nobody. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, LOOK_AT_PARENT_MILLISECONDS);
  timer.unref();
}

/**
 * Ends the process cleanly at SIGTERM or SIGINT, or when the function given back is called: `close` finishes what is
 * under way. A second signal, or a close that takes too long, ends it at once.
 */
export function endCleanly(close: () => Promise<void>, log: Log): () => void {
  let ending = false;

  function end(reason: string): void {
    if (ending) return;
    ending = true;
    log.info({ reason }, "ending");
    setTimeout(() => process.exit(1), GRACE_MILLISECONDS + 2_000).unref();
    close().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, "the end was not clean");
        process.exit(1);
      },
    );
  }

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (ending) process.exit(1);
      end(signal);
    });
  }
  if (process.env.npm_lifecycle_event !== undefined) watchParent(() => end("npm has gone"));
  return () => end("the other side has gone");
}
