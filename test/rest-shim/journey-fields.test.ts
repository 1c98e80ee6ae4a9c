import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PublicError } from "../../src/contract/errors.ts";
import { argumentsOf } from "../../src/service/calls/field-errors.ts";
import { createTransferQuote } from "../../tools/create-transfer-quote.ts";
import { estimateTransferQuote } from "../../tools/estimate-transfer-quote.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";
import { ACCEPTED, REFUSED, REFUSED_BY } from "./journey-bounds.ts";

const STOP = { name: "Bern" };
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
