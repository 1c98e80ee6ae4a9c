import assert from "node:assert/strict";
import { test } from "node:test";
import { QUOTE } from "../contract/document-answers.ts";
import { QUOTE_REQUEST, type Row } from "../contract/document-requests.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService } from "../support/service.ts";

/** A value by the documented type, within the bounds of every field that has it. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  integer: 3,
  "flight number": "LX 39",
  "string or null": "A1",
  "array of Special item": [
    { kind: "skis", count: 3 },
    { kind: "child_seat", count: 1 },
  ],
};
/** Repeated in another form: as an instant in UTC, or as priced. */
const CONVERTED = ["pickup_datetime", "return_datetime", "waypoints"];

const quoted = new Set(QUOTE.map(([name]) => name));
const repeated = QUOTE_REQUEST.filter(([name]) => quoted.has(name) && !CONVERTED.includes(name));

test("a quote repeats every field of its request that the contract lists for both, also when read again", async (t) => {
  const { api, token } = await aService(t);
  const bearer = await token();
  const stated = Object.fromEntries(repeated.flatMap(sampleOf));
  assert.ok(Object.keys(stated).length >= 5, "of passengers, adults, children, infants, luggage and more");
  const issued = await api("/quotes", { token: bearer, body: aQuoteRequest(stated) });
  assert.equal(issued.status, 201, issued.text);
  const read = await api(`/quotes/${issued.body.quote_id}`, { token: bearer });
  for (const { body } of [issued, read]) {
    for (const [name, value] of Object.entries(stated)) assert.deepEqual(body[name], value, name);
  }
});

function sampleOf([name, type]: Row): readonly (readonly [string, unknown])[] {
  // Places are not samples: the request names two that exist.
  if (type === "string") return [];
  const value = SAMPLES[type.replace("integer or null", "integer")];
  assert.notEqual(value, undefined, `a sample for ${name}, ${type}`);
  return [[name, value]];
}
