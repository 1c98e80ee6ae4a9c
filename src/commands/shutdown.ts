import type { Log } from "../ops/log.ts";

/** How long calls in flight may take to finish once the process is told to end. */
export const GRACE_MILLISECONDS = 10_000;

const LOOK_AT_PARENT_MILLISECONDS = 250;

/** npm passes SIGTERM to its shell alone, which ends and leaves this process without a parent. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, LOOK_AT_PARENT_MILLISECONDS);
  timer.unref();
}

/** Ends the process: with exit code 0, or with 1 and a logged cause if there is one. */
export type End = (reason: string, cause?: Error) => void;

/** Ends it where there is no log yet: Node prints the error nobody catches and exits with 1. */
export const crash: End = (_reason, cause) => {
  throw cause;
};

/**
 * Ends the process at SIGTERM or SIGINT, when its terminal closes (SIGHUP), or when the returned function is called;
 * `close` finishes the calls in flight within `milliseconds`. A second signal, or a `close` that takes longer, ends it
 * at once. Without a terminal SIGHUP calls `reload`.
 */
export function endCleanly(
  close: () => Promise<void>,
  { log, reload }: { readonly log: Log; reload(): Promise<unknown> },
  milliseconds: number,
): End {
  let ending = false;

  function end(reason: string, cause?: Error): void {
    if (ending) return;
    ending = true;
    if (cause) log.error({ reason, err: cause }, "shutting down");
    else log.info({ reason }, "shutting down");
    setTimeout(() => process.exit(1), milliseconds + 2_000).unref();
    close().then(
      () => process.exit(cause ? 1 : 0),
      (error) => {
        log.error({ err: error }, "shutdown failed");
        process.exit(1);
      },
    );
  }

  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => {
      // A failure is logged where it happens.
      if (signal === "SIGHUP" && !hasTerminal) return void reload().catch(() => {});
      if (ending) process.exit(1);
      end(signal);
    });
  }
  if (process.env.npm_lifecycle_event !== undefined) watchParent(() => end("npm has ended"));
  return end;
}
