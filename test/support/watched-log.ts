import assert from "node:assert/strict";
import type { ServiceLog } from "../../src/ops/log.ts";
import { errorFacts } from "../../src/ops/log.ts";

export interface WatchedLog {
  readonly log: ServiceLog;
  /** Remembers the texts of a request or an answer that no line may contain. */
  hide(value: unknown): void;
  /** Fails where a line contains one of them, a token or a signature. */
  assertClean(): void;
}

/** Names of places, persons and secrets in requests and answers. */
const PRIVATE = /^(origin|destination|name|address|phone|email|notes|sig|checkout_url|access_token|idempotency_key)$/;
const TOKEN = /eyJ[\w-]+\.[\w-]+|[?&]sig=/;
/** Shorter ones are part of identifiers and hashes by chance. */
const SHORTEST = 8;

/** The log of a service under test, as it would be written. */
export function aWatchedLog(): WatchedLog {
  const lines: string[] = [];
  const hidden = new Set<string>();
  const keep = (facts: object, message: string) =>
    void lines.push(
      JSON.stringify({ ...facts, ...("err" in facts && facts.err ? { err: errorFacts(facts.err) } : {}), message }),
    );

  return {
    log: { debug: keep, info: keep, warn: keep, error: keep, calls: { info: keep, warn: keep } },
    hide(value) {
      JSON.stringify(value, (field, each) => {
        if (PRIVATE.test(field) && typeof each === "string" && each.length >= SHORTEST) hidden.add(each);
        return each;
      });
    },
    assertClean() {
      for (const line of lines) {
        assert.doesNotMatch(line, TOKEN);
        for (const text of hidden)
          assert.ok(!line.includes(JSON.stringify(text).slice(1, -1)), `${text} is in the log: ${line}`);
      }
    },
  };
}
