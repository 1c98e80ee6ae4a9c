import type { ServiceLog } from "../../src/ops/log.ts";

interface LogRecord {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly facts: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A log that records its lines. */
export function aRecordingLog(): { readonly log: ServiceLog; readonly records: readonly LogRecord[] } {
  const records: LogRecord[] = [];
  const keep = (level: LogRecord["level"]) => (facts: object, message: string) =>
    void records.push({ level, facts: facts as LogRecord["facts"], message });
  const calls = { info: keep("info"), warn: keep("warn") };
  return {
    log: { debug: keep("debug"), info: keep("info"), warn: keep("warn"), error: keep("error"), calls },
    records,
  };
}
