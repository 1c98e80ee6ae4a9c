import module from "node:module";
import { type DestinationStream, pino } from "pino";
import { errorFacts } from "./error-facts.ts";
import { inBlocks } from "./line-blocks.ts";

type Write = (facts: object, message: string) => void;

/** Messages for the operator. Objects come first, as in pino. */
export interface Log {
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

/** The log of a whole service. */
export interface ServiceLog extends Log {
  /** For facts whose fields are fixed and hold no secret: without redaction, which takes 35 of 40 µs a line. */
  readonly calls: { readonly info: Write; readonly warn: Write };
}

const ignore = () => {};
export const silentLog: ServiceLog = {
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
/** What is kept for a reader of stderr who has stopped reading; lines beyond it are dropped. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
/** A write for each line would cost more than the line. Just below what the destination writes at once. */
const BLOCK = { characters: 16_000, milliseconds: 100 };

/**
 * Structured log on stderr: over stdio, stdout belongs to the protocol alone. Tokens, signatures and secrets are
 * redacted in every field of that name, to a depth of three. Lines are written in the background, so that a slow reader
 * holds up no call; what is waiting when the process exits is written then.
 */
export function createLog(level: string): ServiceLog {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  const options = { level, serializers: { err: errorFacts } };
  const waiting = { sync: false, maxLength: MOST_WAITING_BYTES, minLength: BLOCK.characters };
  const stderr = terminal() ?? inBlocks(pino.destination({ dest: 2, ...waiting }), BLOCK);
  const log = pino({ ...options, redact: { paths, censor: "[redacted]" } }, stderr);
  return {
    info: log.info.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
    calls: pino(options, stderr),
  };
}

/** Lines for a person: where stderr is a terminal, and the package for it, a development dependency, is installed. */
function terminal(): DestinationStream | undefined {
  if (!process.stderr.isTTY) return undefined;
  try {
    const pretty = module.createRequire(import.meta.url)("pino-pretty");
    return pretty({ destination: 2, sync: true, ignore: "pid,hostname" });
  } catch {
    return undefined;
  }
}

/** A URL path as it may be logged: without its query, which may carry a signature. */
export function loggablePath(url: string): string {
  return url.split("?", 1)[0] ?? "";
}
