import closeWithGrace from "close-with-grace";
import type { Log } from "../../ops/log.ts";

/** How long the process waits for a slow reader of the last log lines. */
const LAST_LINES_MILLISECONDS = 200;

const LOOK_AT_PARENT_MILLISECONDS = 250;

/** Ends the process: with exit code 0, or with 1 and a logged cause if there is one. */
export type End = (reason: string, cause?: Error) => void;

/** Ends the process where there is no log yet: Node prints the uncaught error and exits with 1. */
export const crash: End = (_reason, cause) => {
  throw cause;
};

/** After a fault of the machine, or of native code, JavaScript must not run; the others mean nothing to a server. */
const NOT_HANDLED = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV", "SIGUSR2", "beforeExit"] as const;

/**
 * Ends the process at SIGTERM, SIGINT or SIGQUIT, when its terminal closes (SIGHUP), when nobody reads stdout or stderr
 * any more, or when the returned function is called. A second signal, or a `close` that takes longer than
 * `milliseconds`, ends it at once, and so does an error that nothing caught. Without a terminal SIGHUP calls `reload`.
 */
export function endCleanly(
  close: () => Promise<void>,
  { log, reload }: { readonly log: Log; reload(): Promise<unknown> },
  milliseconds: number,
): End {
  let called: { readonly reason: string | undefined; readonly cause?: Error | undefined } | undefined;
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  // A failure is logged where it happens.
  if (!hasTerminal) process.on("SIGHUP", () => void reload().catch(() => {}));
  const graceful = closeWithGrace(
    {
      delay: milliseconds,
      skip: hasTerminal ? [...NOT_HANDLED] : [...NOT_HANDLED, "SIGHUP"],
      logger: { error: (err) => log.error(err instanceof Error ? { err } : { reason: err }, "shutdown failed") },
    },
    async ({ signal, err }) => {
      called ??= { reason: signal };
      const { reason, cause } = called;
      if (err) log.error({ err }, "an error that nothing caught: the process ends");
      else {
        if (cause) log.error({ reason, err: cause }, "shutting down");
        else log.info({ reason }, "shutting down");
        await close();
      }
      await lastLines();
      if (cause) process.exit(1);
    },
  );
  const end: End = (reason, cause) => {
    if (called) return;
    called = { reason, cause };
    graceful.close();
  };
  // Node would write warnings as plain text between the lines of the log.
  process.removeAllListeners("warning").on("warning", (warning) => log.warn({ err: warning }, "a warning of Node"));
  // The pipes break when the host is killed.
  process.stdout.removeAllListeners("error").on("error", () => end("stdout is closed"));
  process.stderr.removeAllListeners("error").on("error", () => end("stderr is closed"));
  // npm passes SIGTERM to its shell, but not to this process.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid !== parent && end("npm has ended"), LOOK_AT_PARENT_MILLISECONDS).unref();
  return end;
}

/** Resolves when the log has been read. */
function lastLines(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LAST_LINES_MILLISECONDS);
    process.stderr.write("", () => resolve());
  });
}
