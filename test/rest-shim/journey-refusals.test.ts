import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorCode } from "../../src/contract/errors.ts";
import { assertProblem } from "../support/assert-problem.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { wholeFile } from "../support/lifetime.ts";
import { aService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const service = await aService(wholeFile);
const token = await service.token();

const quote = (fields: object) => service.api("/quotes", { token, body: { ...aQuoteRequest(), ...fields } });

const pickup = (pickup_datetime: string) => ({ pickup_datetime });
const UNKNOWN = { name: "Qwertzuiop" };
const STOPS = [{ name: "Bern" }, { name: "Spiez" }, UNKNOWN];
const RANGE = "2026-12-01T14:00:00\\+01:00.* 2027-12-01T10:00:00\\+01:00";
const TOO_SOON = new RegExp(
  `${RANGE}.* can call Example Transfers, \\+41 00 000 00 00 \\(Example: daily from 07:00 to 22:00\\)\\.$`,
);
const TOO_LATE = new RegExp(`^(?!.* can call ).*${RANGE}`);
const DAY_THAT_IS_NONE = "2027-02-30T12:00:00+01:00";

// biome-ignore format: a table reads by its columns
const REFUSED: readonly (readonly [status: number, code: ErrorCode, fields: object, named: readonly string[], nextAction?: RegExp])[] = [
  // The clock of the tests stands at 2026-12-01T09:00Z: 10:00 in Zurich.
  [422, "PAST_DATETIME", pickup("2026-12-01T08:59:59.999Z"), ["pickup_datetime"]],
  [422, "PAST_DATETIME", pickup("0001-01-01T00:00:00Z"), ["pickup_datetime"]],
  [422, "LEAD_TIME_NOT_SUPPORTED", pickup("2026-12-01T09:00:00.000Z"), ["pickup_datetime"], TOO_SOON],
  [422, "LEAD_TIME_NOT_SUPPORTED", pickup("2026-12-01T12:59:59.999Z"), ["pickup_datetime"], TOO_SOON],
  [422, "LEAD_TIME_NOT_SUPPORTED", pickup("2027-12-01T09:00:00.001Z"), ["pickup_datetime"], TOO_LATE],
  [422, "INVALID_DATETIME", pickup(DAY_THAT_IS_NONE), ["pickup_datetime"], /2027-01-15T14:30:00\+01:00/],
  [422, "INVALID_DATETIME", pickup("2027-01-15T14:30:00"), ["pickup_datetime"], /2027-01-15T14:30:00\+01:00/],
  [422, "INVALID_LOCATION", { origin: "Qwertzuiop" }, ["origin"]],
  [422, "INVALID_LOCATION", { origin: "95, 8.5" }, ["origin"]],
  [422, "INVALID_LOCATION", { origin: "Qwertz", destination: "Uiopas", waypoints: STOPS }, ["origin", "waypoints.2.name", "destination"]],
  [404, "UNSUPPORTED_ROUTE", { destination: "Paris" }, ["destination"]],
  [404, "UNSUPPORTED_ROUTE", { waypoints: [{ name: "x", lat: 0, lng: 0 }] }, ["waypoints.0.name"]],
  [422, "INVALID_REQUEST", { waypoints: [{ name: "Bern", lat: 46.9 }] }, ["waypoints.0.lng"]],
  [422, "INVALID_REQUEST", { waypoints: [{ name: "Thun", stop_duration_min: 840 }] }, ["waypoints.0.stop_duration_min"], /For a night at a stop, quote the way there and the way on as two journeys\.$/],
  [422, "NO_ELIGIBLE_VEHICLE", { adults: 50, children: 1 }, [], /Coach, takes 50 passengers/],
  [422, "NO_ELIGIBLE_VEHICLE", { passengers: 1, adults: 20, children: 20, infants: 20 }, [], /Coach, takes 50 passengers/],
];

for (const [status, code, fields, named, nextAction = /./] of REFUSED) {
  test(`rejects ${JSON.stringify(fields)} as ${code} and stores nothing`, async () => {
    const stored = storedEntries(service.dataDir);
    const refused = await quote(fields);
    assertProblem(refused, { status, code, fields: named });
    assert.match(refused.body.next_action, nextAction);
    const { detail, field_errors } = refused.body;
    if (code === "LEAD_TIME_NOT_SUPPORTED")
      for (const text of [detail, field_errors[0].message]) assert.match(text, new RegExp(RANGE));
    assert.deepEqual(storedEntries(service.dataDir), stored);
  });
}

test("accepts a pickup exactly at the lead time and at the horizon", async () => {
  for (const at of ["2026-12-01T13:00:00.000Z", "2026-12-01T14:00:00+01:00", "2027-12-01T09:00:00.000Z"])
    assert.equal((await quote(pickup(at))).status, 201, at);
});

test("rejects a return before the outbound arrival and names the earliest, which is accepted", async () => {
  const waypoints = [{ name: "Bern", stop_duration_min: 30 }];
  const { body } = await quote({ waypoints });
  const arrival = Date.parse(body.pickup_datetime) + (body.route_basis.duration_min + 30) * 60_000;
  const invalid = { status: 422, code: "RETURN_TIME_INVALID", fields: ["return_datetime"] } as const;
  for (const at of [arrival, arrival - 1, Date.parse(body.pickup_datetime), 0]) {
    const refused = await quote({ waypoints, return_datetime: new Date(at).toISOString() });
    assertProblem(refused, invalid);
    const [earliest] = refused.body.detail.match(/\d{4}-\S+T\S+[+-]\d\d:\d\d/) ?? [];
    assert.ok(refused.body.next_action.includes(earliest));
    assert.ok(Date.parse(earliest) > arrival && Date.parse(earliest) <= arrival + 60_000, earliest);
    if (at !== arrival) continue;
    const accepted = await quote({ waypoints, return_datetime: earliest });
    assert.equal(accepted.status, 201, accepted.text);
    assert.equal(accepted.body.return_datetime, earliest);
  }
});

test("names all that is missing at once, destination or hours included", async () => {
  const { origin, pickup_datetime } = aQuoteRequest();
  const EVENING = { origin, pickup_datetime };
  const hire = { booking_type: "hourly" };
  for (const [body, fields] of [
    [{}, ["origin", "pickup_datetime", "arrive_by", "destination"]],
    [{ luggage: 99 }, ["origin", "pickup_datetime", "arrive_by", "luggage", "destination"]],
    [hire, ["origin", "pickup_datetime", "duration_hours"]],
    [{ ...hire, duration_hours: 3 }, ["origin", "pickup_datetime"]],
    [{ destination: null }, ["origin", "destination", "pickup_datetime", "arrive_by"]],
    [{ destinaton: "Bern" }, ["origin", "pickup_datetime", "arrive_by", "destinaton"]],
    [EVENING, ["destination"]],
    [{ ...EVENING, pickup_datetime: "2027-02-30T10:00:00+01:00" }, ["pickup_datetime", "destination"]],
  ] as const)
    for (const path of ["/quote-intents", "/quotes"]) {
      const problem = await service.api(path, { token, body });
      assertProblem(problem, { status: 422, code: "INVALID_REQUEST", fields });
      assert.match(problem.body.next_action, /^Ask the traveler for what is missing or cannot be served/);
    }
  const unclear = await quote({ ...hire, duration_hours: 3, origin: "Freiburg", destination: undefined });
  assertProblem(unclear, { status: 422, code: "INVALID_LOCATION", fields: ["origin"] });
  assert.equal(unclear.body.field_errors.length, 1);
});
