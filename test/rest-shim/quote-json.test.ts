import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredQuote } from "../../src/quotes/quote.ts";
import { wireQuote } from "../../tools/wire/quote.ts";
import { quoteJson } from "../../tools/wire/quote-json.ts";
import { aClock } from "../support/fake-clock.ts";
import { aQuote } from "../support/quote-fixture.ts";

const context = { clock: aClock(), localTime: (instant: string) => instant.replace("Z", "+00:00") };
const wire = (overrides: Partial<StoredQuote> = {}) => wireQuote(aQuote(overrides), "open", context);
const [van, ...others] = aQuote().options;
assert.ok(van);

function assertWritten(quote: ReturnType<typeof wire>, about?: string): void {
  assert.equal(Buffer.from(quoteJson(quote), "latin1").toString(), JSON.stringify(quote), about);
}

test("writes quotes as JSON.stringify does", () => {
  assertWritten(wire());
  assertWritten(wire({ publishesPriceLines: false, tariffVersion: null }));
  assertWritten(wire({ options: [{ ...van, priceLines: [] }], notices: [], limitations: [], stops: [] }));
  assertWritten(wire({ options: [] }));
});

test("writes the JSON of a quote that lacks fields", () => {
  for (const name of ["limitations", "notices", "options", "waypoints", "tariff_version"]) {
    assertWritten({ ...wire(), [name]: undefined }, name);
  }
});

test("follows every field of a vehicle class that changes", () => {
  const [first, ...rest] = wire({ publishesPriceLines: false }).options ?? [];
  assert.ok(first);
  for (const [name, value] of Object.entries(first)) {
    if (name === "price_lines") continue;
    const changed = typeof value === "number" ? 49 : typeof value === "boolean" ? !value : "Škoda";
    for (const option of [first, { ...first, [name]: changed }, { ...first, [name]: null }, first]) {
      assertWritten({ ...wire(), options: [option, ...rest] }, name);
    }
  }
  assertWritten(wire({ options: [{ ...van, vehicleType: '"total_price":null' }, ...others] }));
});
