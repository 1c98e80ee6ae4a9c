import assert from "node:assert/strict";
import { test } from "node:test";
import { entryJson } from "../../src/quotes/lowdb/entry-json.ts";
import { sealLine, sealLines, unsealLine } from "../../src/quotes/lowdb/json-line.ts";
import type { QuoteEntry } from "../../src/quotes/quote-store.ts";
import { anEntry, aQuote, aRecord } from "../support/quote-fixture.ts";
import { aSale } from "../support/sale-fixture.ts";

const [van, ...others] = aQuote().options;
assert.ok(van);

const entries: Readonly<Record<string, QuoteEntry>> = {
  "all of it": { ...anEntry("a"), sale: aSale() },
  "a quote": { quote: aQuote(), record: undefined },
  "a record": { quote: undefined, record: aRecord({ answer: '{"name":"\u{1f6ec} \ud800"}' }) },
  "a sale": { quote: undefined, record: undefined, sale: aSale() },
  "a quote without options, lines and notices": {
    quote: aQuote({ options: [{ ...van, priceLines: [] }], notices: [], limitations: [] }),
    record: undefined,
  },
};

for (const [name, entry] of Object.entries(entries)) {
  test(`writes ${name} as JSON of the same content`, () => {
    const { bytes, lengths } = sealLines([entryJson(entry), entryJson(entry)]);
    const [first = 0, second = 0] = lengths;
    assert.equal(first + second, bytes.length);
    for (const line of [bytes.subarray(0, first - 1), bytes.subarray(first, -1)]) {
      assert.deepEqual(unsealLine(line), JSON.parse(JSON.stringify(entry)));
    }
    assert.deepEqual(unsealLine(sealLine(entry).subarray(0, -1)), JSON.parse(JSON.stringify(entry)));
  });
}

test("follows every field of a vehicle class that changes", () => {
  for (const name of Object.keys(van)) {
    const changed = typeof van[name as keyof typeof van] === "number" ? 49 : name === "onRequest" ? true : "Škoda";
    if (name === "priceLines" || name === "vehicleClass") continue;
    const options = [van, { ...van, [name]: changed }, van];
    for (const option of options) {
      const entry: QuoteEntry = { quote: aQuote({ options: [option, ...others] }), record: undefined };
      const line = sealLines([entryJson(entry)]).bytes.subarray(0, -1);
      assert.deepEqual(unsealLine(line), JSON.parse(JSON.stringify(entry)), name);
    }
  }
});
