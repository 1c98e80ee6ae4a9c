import { pino } from "pino";

/** Messages for the operator. Objects come first, as in pino. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export const silentLog: Log = { info() {}, warn() {}, error() {} };

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

/**
 * Structured log on stderr: over stdio, stdout belongs to the protocol alone. Tokens, signatures and secrets are
 * redacted in every field of that name, to a depth of three.
 */
export function createLog(level: string): Log {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino({ level, redact: { paths, censor: "[redacted]" } }, pino.destination({ dest: 2, sync: true }));
}

/** A URL path as it may be logged: without its query, which may carry a signature. */
export function loggablePath(url: string): string {
  return url.split("?", 1)[0] ?? "";
}
