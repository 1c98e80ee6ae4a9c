import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PublicError } from "../../src/contract/errors.ts";
import { argumentsOf } from "../../src/service/calls/field-errors.ts";
import { createTransferQuote } from "../../tools/create-transfer-quote.ts";
import { estimateTransferQuote } from "../../tools/estimate-transfer-quote.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";

/*
 * `test/contract/document-tables.test.ts` judges type and bounds of every field; here is what several fields decide
 * together, what looks like another type, and which field an answer names.
 */
const STOP = { name: "Bern" };
const AT = { name: "by the lake", lat: 46.9, lng: 7.5 };
const stops = (count: number, fields: object = {}) => ({
  waypoints: Array.from({ length: count }, () => ({ ...STOP, ...fields })),
});

/** Within the bounds, whatever is decided about it later. */
// biome-ignore format: several fit on a line
const ACCEPTED: readonly (readonly [what: string, fields: object])[] = [
  ["the smallest request", {}], ["origin of 1 character", { origin: "x" }],
  ["origin of 512 characters", { origin: "Zurich Airport".padEnd(512) }],
  ["booking_type hourly", { booking_type: "hourly", duration_hours: 0.5 }], ["passengers 2.0", { passengers: 2.0 }],
  ["everyone 50", { passengers: 50, adults: 50, children: 50, infants: 50 }],
  ["duration_hours 0 without a hire", { duration_hours: 0 }], ["waypoints null", { waypoints: null }], ["10 waypoints", stops(10)],
  ["waypoint name of 512 characters", stops(1, { name: "x".repeat(512), lat: 46.9, lng: 7.5 })],
  ["waypoint at the south pole", stops(1, { lat: -90, lng: -180 })],
  ["waypoint with nulls", stops(1, { lat: null, lng: null, place_id: null, stop_duration_min: null })],
  ["place_id empty", stops(1, { place_id: "" })], ["flight_number of 2 characters", { flight_number: "U2" }],
  ["flight_number of 10 characters", { flight_number: "EZY 1234 A" }],
];

/** Outside the bounds, of the wrong type, or unknown; with the field that the answer must name. */
// biome-ignore format: several fit on a line
const REFUSED: readonly (readonly [field: string, fields: object])[] = [
  ...wrong("origin", undefined, null, "", "x".repeat(513), 3, true, {}, ["Bern"]), ...wrong("destination", undefined, null, ""),
  ...wrong("pickup_datetime", "", "tomorrow", 1_800_000_000, true, {}, []), ...wrong("return_datetime", "", "tomorrow", 5, true),
  ...wrong("booking_type", "", "round_trip", "HOURLY"), ...wrong("passengers", 0, 51, 1.5, "2", true, [2]),
  ...wrong("flight_number", "L", "LX 39 / LX 40", "LX-39", "  ", "LX\n39", "LX 39 LX 40"),
  ...wrong("duration_hours", -0.01, 240.01, "4"), ["duration_hours", { booking_type: "hourly" }],
  ["duration_hours", { booking_type: "hourly", duration_hours: null }],
  ...wrong("waypoints", {}, "Bern", 1, false), ["waypoints", stops(11)], ["waypoints.0", { waypoints: ["Bern"] }],
  ["waypoints.1", { waypoints: [STOP, null] }], ...wrongStop("name", undefined, null, "", 3), ...wrongStop("lat", 90.01, "46.9"),
  ["waypoints.2.stop_duration_min", { waypoints: [STOP, AT, { ...STOP, stop_duration_min: 721 }] }],
  ...["total_price", "fleet_id", "quote_id", "Origin", ""].flatMap((field) => wrong(field, 1)),
  ...["constructor", "toString", "hasOwnProperty", "prototype"].flatMap((field) => wrong(field, {})),
  ...["dwell", "stop_duration", "constructor"].flatMap((field) => wrongStop(field, 1)),
];

/** The metrics of a caller are of estimates alone. */
const REFUSED_BY: Readonly<Record<string, typeof REFUSED>> = {
  create_transfer_quote: [...wrong("distance_km", 10, null), ...wrong("duration_min", 10, null)],
  estimate_transfer_quote: [...wrong("distance_km", 5000.01, "10"), ...wrong("duration_min", 1.5, "10")],
};

function wrong(field: string, ...values: readonly unknown[]): readonly (readonly [string, object])[] {
  return values.map((value) => [field, { [field]: value }] as const);
}

function wrongStop(field: string, ...values: readonly unknown[]): readonly (readonly [string, object])[] {
  return values.map((value) => [`waypoints.0.${field}`, { waypoints: [{ ...AT, [field]: value }] }] as const);
}

const TIME = { now: new Date("2026-12-01T09:00:00Z"), timeZone: "Europe/Zurich" };

function read(tool: Parameters<typeof argumentsOf>[0], request: unknown): unknown {
  return argumentsOf(tool, request, TIME, defaultCatalog.catalog);
}

/** The refusal of a request that is given as JSON, or of a valid one with these fields. */
function refusalOf(changes: object | string, tool: Parameters<typeof argumentsOf>[0] = estimateTransferQuote) {
  try {
    read(tool, typeof changes === "string" ? JSON.parse(changes) : aQuoteRequest({ ...changes }));
  } catch (error) {
    assert.ok(error instanceof PublicError, String(error));
    const { fieldErrors = [], nextAction = "" } = error.options;
    const [{ message = "" } = {}] = fieldErrors;
    return {
      fields: [...new Set(fieldErrors.map(({ field }) => field))],
      fieldErrors,
      message,
      nextAction,
      code: error.code,
    };
  }
  return assert.fail(`accepted: ${JSON.stringify(changes).slice(0, 99)}`);
}

for (const tool of [createTransferQuote, estimateTransferQuote]) {
  suite(`the arguments of ${tool.name}`, () => {
    test("are accepted at their bounds", () => {
      for (const [, fields] of ACCEPTED) read(tool, aQuoteRequest({ ...fields }));
    });

    for (const [field, fields] of [...REFUSED, ...(REFUSED_BY[tool.name] ?? [])])
      test(`${JSON.stringify(fields).slice(0, 60)} are refused by the name of ${field}`, () => {
        const { code, fields: named } = refusalOf(fields, tool);
        assert.deepEqual([code, named], ["INVALID_REQUEST", [field]]);
      });
  });
}

const REQUEST = JSON.stringify(aQuoteRequest());

test("fields that would reach an object's prototype are refused by their names", () => {
  assert.deepEqual(refusalOf(REQUEST.replace("{", '{"__proto__":{"passengers":9},')).fields, ["__proto__"]);
  const nested = JSON.stringify(aQuoteRequest({ waypoints: [STOP] })).replace('{"name"', '{"__proto__":{},"name"');
  assert.deepEqual(refusalOf(nested).fields, ["waypoints.0.__proto__"]);
});

test("numbers out of JSON's range are refused", () => {
  for (const number of ["1e400", "-1e400", "1e21", "9007199254740993"])
    assert.deepEqual(refusalOf(REQUEST.replace('"passengers":2', `"passengers":${number}`)).fields, ["passengers"]);
});

test("every field that is wrong is named, and at most 50", () => {
  const { fields } = refusalOf({ origin: "", passengers: 0, color: "red", waypoints: [{ name: "", lat: 91 }] });
  const wrong = ["origin", "passengers", "waypoints.0.name", "waypoints.0.lat", "color"];
  assert.deepEqual(fields.sort(), wrong.sort());
  const many = refusalOf(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 1])));
  assert.equal(many.fields.length, 50);
});

test("a list that is too long is refused by its length, whatever is in it", () => {
  for (const field of ["waypoints", "special_items"])
    for (const item of [{}, []]) {
      const { fields, message } = refusalOf({ [field]: Array.from({ length: 10_000 }, () => item) });
      assert.deepEqual(fields, [field]);
      assert.match(message, /^Must be at most \d0 items long, not 10000\.$/);
    }
});

test("an unknown booking type is answered with both known ones", () => {
  assert.match(refusalOf({ booking_type: "shared" }).message, /point_to_point.*hourly/);
});

test("no refusal repeats a long name or value", () => {
  const long = "x".repeat(50_000);
  for (const fields of [
    { booking_type: long },
    { [long]: 1 },
    { origin: long },
    { waypoints: [{ ...STOP, [long]: 1 }] },
  ])
    assert.ok(JSON.stringify(refusalOf(fields).fieldErrors).length < 1_000);
});

test("both readings of a local time that clocks show twice are named, and none of one that they skip", () => {
  for (const [pickup_datetime, says] of [
    ["2027-10-31T02:30:00", "send 2027-10-31T02:30:00+02:00 or 2027-10-31T02:30:00+01:00, with the UTC offset of"],
    ["2027-03-28T02:30:00", "clocks of Europe/Zurich skip this time; send RFC 3339"],
  ]) {
    const { code, message, nextAction } = refusalOf({ pickup_datetime });
    assert.equal(code, "INVALID_DATETIME");
    assert.ok(message.includes(`The UTC offset is missing; ${says}`), message);
    assert.match(nextAction, /^Ask the traveler for the date and time, and send them with the UTC offset/);
  }
});
