import type { Log } from "../ops/log.ts";

/** How long the process waits for a slow reader of the last log lines. */
const LAST_LINES_MILLISECONDS = 200;

const LOOK_AT_PARENT_MILLISECONDS = 250;

/** Calls `onGone` when the parent process has ended: npm passes SIGTERM to its shell, but not to this process. */
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

/** Ends the process where there is no log yet: Node prints the uncaught error and exits with 1. */
export const crash: End = (_reason, cause) => {
  throw cause;
};

/**
 * Ends the process at SIGTERM or SIGINT, when its terminal closes (SIGHUP), when nobody reads stdout or stderr any more, or
 * when the returned function is called. A second signal, or a `close` that takes longer than `milliseconds`, ends it at
 * once. Without a terminal SIGHUP calls `reload`.
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
    setTimeout(() => process.exit(1), milliseconds).unref();
    close()
      .then(() => (cause ? 1 : 0))
      .catch((error) => {
        log.error({ err: error }, "shutdown failed");
        return 1;
      })
      .then((code) => {
        setTimeout(() => process.exit(code), LAST_LINES_MILLISECONDS);
        process.stderr.write("", () => process.exit(code));
      });
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
  // Node would write warnings as plain text between the lines of the log.
  process.removeAllListeners("warning").on("warning", (warning) => log.warn({ err: warning }, "a warning of Node"));
  process.on("uncaughtException", (error) => {
    log.error({ err: error }, "an error that nothing caught: the process ends");
    process.exit(1);
  });
  // The pipes break when the host is killed.
  process.stdout.on("error", () => end("stdout is closed"));
  process.stderr.on("error", () => end("stderr is closed"));
  if (process.env.npm_lifecycle_event !== undefined) watchParent(() => end("npm has ended"));
  return end;
}
