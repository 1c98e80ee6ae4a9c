import assert from "node:assert/strict";
import { test } from "node:test";
import { PlaceText } from "../../src/contract/request-fields.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService } from "../support/service.ts";

for (const [text, code] of [
  ["Zermatt\u202eAirport", "U+202E"],
  ["Zermatt\n", "U+000A"],
  ["\u0000Zermatt", "U+0000"],
  ["Zer\u2066matt", "U+2066"],
  ["Zer\u0085matt", "U+0085"],
] as const) {
  test(`rejects a place text with ${code}`, () => {
    const { error } = PlaceText.safeParse(text);
    assert.match(error?.issues[0]?.message ?? "", new RegExp(`Contains U\\${code.slice(1)}`));
  });
}

for (const text of ["Genève, Cornavin", "St. Moritz – Bad", "زيورخ", "ירושלים", "東京", "Müller's “Haus” №1"])
  test(`accepts ${text}`, () => assert.equal(PlaceText.safeParse(text).success, true));

test("names the field of a place text with a bidirectional character", async (t) => {
  const { api, token } = await aService(t);
  const stop = { name: "Bern\u202e", stop_duration_min: 10 };
  for (const [body, field] of [
    [aQuoteRequest({ origin: "Zurich\u202eAirport" }), "origin"],
    [aQuoteRequest({ destination: "Zermatt\u0007" }), "destination"],
    [aQuoteRequest({ waypoints: [stop] }), "waypoints.0.name"],
  ] as const) {
    const { status, body: problem } = await api("/quotes", { token: await token(), body });
    assert.deepEqual([status, problem.code, problem.field_errors[0].field], [422, "INVALID_REQUEST", field]);
  }
});
