import assert from "node:assert/strict";
import { test } from "node:test";
import { instantArgument } from "../../src/commands/period.ts";

const NOW = new Date("2026-11-20T10:00:00Z");

test("a day begins after midnight where summer time skips midnight", () => {
  const begins = (day: string, timeZone: string) => instantArgument("since", day, NOW, timeZone).toISOString();
  assert.equal(begins("2026-04-24", "Africa/Cairo"), "2026-04-23T22:00:00.000Z");
  assert.equal(begins("2026-09-06", "America/Santiago"), "2026-09-06T04:00:00.000Z");
  assert.equal(begins("2026-10-25", "Europe/Zurich"), "2026-10-24T22:00:00.000Z");
  assert.equal(begins("2026-10-30", "Africa/Cairo"), "2026-10-29T22:00:00.000Z");
});

test("a day or a time that the clock never shows is refused", () => {
  for (const text of ["2026-02-30", "0001-01-01", "2026-03-29 02:30"]) {
    assert.throws(() => instantArgument("since", text, NOW, "Europe/Zurich"), /^ConfigError: --since is /);
  }
});
