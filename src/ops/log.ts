import module from "node:module";
import { type DestinationStream, pino } from "pino";

type Write = (facts: object, message: string) => void;

/** Messages for the operator. Objects come first, as in pino. */
export interface Log {
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

/** The log of a whole service. */
export interface ServiceLog extends Log {
  readonly debug: Write;
  /** For facts with fixed fields and without secrets. Lines are not redacted, which would take most of their time. */
  readonly calls: { readonly info: Write; readonly warn: Write };
}

const ignore = () => {};
export const silentLog: ServiceLog = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  calls: { info: ignore, warn: ignore },
};

const SECRET_FIELDS = [
  "authorization",
  "access_token",
  "client_secret",
  "code_verifier",
  "sig",
  "secret",
  "secrets",
  "token",
  "bearer",
  "checkout_url",
];
/** Log lines that are kept in memory while nobody reads stderr; more are dropped. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;

/**
 * Structured log on stderr: over stdio, stdout belongs to the protocol alone. Tokens, signatures and secrets are
 * redacted in every field of that name, to a depth of three. A slow reader of a pipe delays no call, because Node buffers
 * the lines. The process could not exit with pino's own destination on a broken pipe.
 */
export function createLog(level: string): ServiceLog {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const options = { level, serializers: { err: errorFacts } };
  const stderr = terminal() ?? { write: writeLine };
  const redacting = pino({ ...options, redact: { paths, censor: "[redacted]" } }, stderr);
  return Object.assign(redacting, { calls: pino(options, stderr) });
}

function writeLine(line: string): void {
  if (process.stderr.writableLength < MOST_WAITING_BYTES) process.stderr.write(line);
}

/** Readable lines on a terminal, if the development dependency `pino-pretty` is installed. */
function terminal(): DestinationStream | undefined {
  if (!process.stderr.isTTY) return undefined;
  try {
    const pretty = module.createRequire(import.meta.url)("pino-pretty");
    return pretty({ destination: 2, sync: true, ignore: "pid,hostname" });
  } catch {
    return undefined;
  }
}

/** Logs a failure once, and once more when it is over, instead of a line for each call. */
export function createLatch(log: Log, level: "warn" | "error", fails: string, works: string) {
  let isFailing = false;
  return {
    failed(facts: object) {
      if (!isFailing) log[level](facts, fails);
      isFailing = true;
    },
    worked(facts: object = {}) {
      if (isFailing) log.info(facts, works);
      isFailing = false;
    },
  };
}

/** A URL for the log: without its query, which may contain a signature. */
export function loggablePath(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

/**
 * An error for the log: type, code, message, stack and causes. Other fields are left out, because clients of databases
 * and services store keys and texts of calls in them. Messages of `JSON.parse` are replaced, because they quote the text.
 */
export function errorFacts(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = "", cause, code } = error as Error & { code?: unknown };
  return {
    type: name,
    ...(typeof code === "string" && { code }),
    message: error instanceof SyntaxError ? "not valid JSON" : message,
    stack: stack
      .split("\n")
      .filter((line) => line.startsWith("    at "))
      .join("\n"),
    ...(cause !== undefined && { cause: errorFacts(cause) }),
  };
}
