import assert from "node:assert/strict";
import { test } from "node:test";
import { QuoteRequest } from "../../src/contract/quote-request.ts";
import { DateTime, instantOf, isDateTime, parseArguments } from "../../src/contract/request-fields.ts";
import { refusalOf } from "../../src/service/calls/field-errors.ts";

// biome-ignore format: several fit on a line
const ACCEPTED: readonly (readonly [text: string, instant: string])[] = [
  ["2027-01-15T14:30:00+01:00", "2027-01-15T13:30:00.000Z"],
  ["2027-07-15T14:30:00+02:00", "2027-07-15T12:30:00.000Z"], ["2027-01-15T14:30:00Z", "2027-01-15T14:30:00.000Z"],
  ["2027-01-15t14:30:00z", "2027-01-15T14:30:00.000Z"], ["2027-01-15 14:30:00Z", "2027-01-15T14:30:00.000Z"],
  ["2027-01-15T14:30:00.5Z", "2027-01-15T14:30:00.500Z"],
  ["2027-01-15T14:30:00.123456789Z", "2027-01-15T14:30:00.123Z"],
  ["2027-01-15T00:00:00-00:00", "2027-01-15T00:00:00.000Z"],
  ["2027-01-15T23:59:59+14:00", "2027-01-15T09:59:59.000Z"], ["2028-02-29T12:00:00Z", "2028-02-29T12:00:00.000Z"],
  ["2000-02-29T12:00:00Z", "2000-02-29T12:00:00.000Z"], ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
  ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
];

// biome-ignore format: a list of texts
const NO_INSTANT = [
  "2027-02-30T12:00:00+01:00", "2027-02-29T12:00:00Z", "2100-02-29T12:00:00Z", "2027-04-31T12:00:00Z",
  "2027-13-01T12:00:00Z", "2027-00-01T12:00:00Z", "2027-01-00T12:00:00Z", "2027-01-15T25:61:00Z",
  "2027-01-15T24:00:00Z", "2027-01-15T12:60:00Z", "2027-01-15T12:00:61Z", "2027-01-15T12:00:00+24:00",
  "2027-01-15T12:00:00+01:60", "9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01",
];
const NO_OFFSET = ["2027-01-15T14:30:00", "2027-01-15T14:30:00.250", "2027-01-15 14:30:00"];
// biome-ignore format: a list of texts
const NO_DATE_TIME = [
  "", "tomorrow", "2027-01-15", "14:30", "1800000000", "2027-1-5T14:30:00Z", "27-01-15T14:30:00Z",
  "2027-01-15T14:30:00+0100", "2027-01-15T14:30:00+01", "2027-01-15T14:30:00 +01:00", "2027-01-15T14:30:00Z ",
  "\n2027-01-15T14:30:00Z", "2027-01-15T14:30:00.Z", "Fri, 15 Jan 2027 14:30:00 GMT", "２０２７-01-15T14:30:00Z",
];

for (const [text, instant] of ACCEPTED) {
  test(`accepts ${text}`, () => {
    assert.ok(isDateTime(text));
    assert.equal(instantOf(DateTime.parse(text)).toISOString(), instant);
  });
}
// biome-ignore format: a table reads by its columns
for (const [texts, code, expected] of [
  [NO_INSTANT, "INVALID_DATETIME", /^pickup_datetime: Not (?:an existing date|in the years 0000 to 9999|a time of day|a UTC offset).*Europe\/Zurich.*\+01:00/],
  [NO_OFFSET, "INVALID_DATETIME", /offset is missing.*Europe\/Zurich/],
  [NO_DATE_TIME, "INVALID_REQUEST", /^pickup_datetime: /],
] as const)
  for (const text of texts) {
    test(`${JSON.stringify(text)} is ${code} and says how to write it`, () => {
      const refusal = refusalOfPickup(text);
      assert.equal(refusal.code, code);
      assert.match(refusal.message, expected);
    });
  }

for (const [what, others, code, fields] of [
  ["a wrong date-time beside another fault", { passengers: 0 }, "INVALID_REQUEST", "passengers,pickup_datetime"],
  [
    "two wrong date-times",
    { return_datetime: "2027-03-01T12:00:00" },
    "INVALID_DATETIME",
    "pickup_datetime,return_datetime",
  ],
] as const)
  test(`${what}: ${code} names both`, () => {
    const refusal = refusalOfPickup("2027-02-30T12:00:00Z", others);
    assert.equal(refusal.code, code);
    assert.equal(
      refusal.options.fieldErrors
        ?.map(({ field }) => field)
        .sort()
        .join(),
      fields,
    );
  });

function refusalOfPickup(text: string, others: object = {}) {
  const input = { origin: "Bern", destination: "Basel", pickup_datetime: text, ...others };
  const { issues } = parseArguments(QuoteRequest, input);
  assert.ok(issues.length > 0, `${text} was accepted`);
  const time = { now: new Date("2026-12-01T09:00:00.000Z"), timeZone: "Europe/Zurich" };
  return refusalOf({ issues, input, schema: QuoteRequest }, time);
}
