import assert from "node:assert/strict";
import { test } from "node:test";
import { PublicError } from "../../src/contract/errors.ts";
import { assertProblem } from "../support/assert-problem.ts";
import { aRouter } from "../support/fake-router.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { type ApiAnswer, aService, type ServiceOptions, type TestService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

/** The clock of the tests stands at 2026-12-01T09:00Z: 10:00 in Zurich. */
const EARLIEST = "2026-12-01T13:00:00.000Z";
const LATEST = "2027-12-01T09:00:00.000Z";

test("accepts a pickup exactly at the lead time and at the horizon", async (t) => {
  const { quote, service } = await aQuoter(t);
  for (const pickup of [EARLIEST, LATEST, "2026-12-01T14:00:00+01:00"]) {
    assert.equal((await quote({ pickup_datetime: pickup })).status, 201, pickup);
  }
  assert.equal(storedEntries(service.dataDir).length, 3);
});

test("rejects a pickup out of range and names the range, whose ends are accepted", async (t) => {
  const { quote, service } = await aQuoter(t);
  const lead = { status: 422, code: "LEAD_TIME_NOT_SUPPORTED", fields: ["pickup_datetime"] } as const;
  const out = [
    "2026-12-01T09:00:00.000Z",
    "2026-12-01T12:59:59.999Z",
    "2027-12-01T09:00:00.001Z",
    "2126-01-01T00:00:00Z",
  ];
  for (const pickup of out) {
    const refused = await quote({ pickup_datetime: pickup });
    assertProblem(refused, lead);
    const ends = refused.body.detail.match(/\d{4}-\S+T\S+[+-]\d\d:\d\d/g);
    assert.deepEqual(ends, ["2026-12-01T14:00:00+01:00", "2027-12-01T10:00:00+01:00"]);
    for (const end of ends) assert.ok(refused.body.next_action.includes(end));
    const isTooSoon = pickup < EARLIEST;
    assert.equal(/can call Example Transfers, \+41 00 000 00 00\.$/.test(refused.body.next_action), isTooSoon, pickup);
  }
  assert.deepEqual(storedEntries(service.dataDir), []);
});

test("rejects a pickup in the past as PAST_DATETIME", async (t) => {
  const { quote, service } = await aQuoter(t);
  const past = { status: 422, code: "PAST_DATETIME", fields: ["pickup_datetime"] } as const;
  const today = ["2026-12-01T08:59:59.999Z", "2026-12-01T09:30:00+01:00"];
  for (const pickup of [...today, "1970-01-01T00:00:00Z", "0001-01-01T00:00:00Z"])
    assertProblem(await quote({ pickup_datetime: pickup }), past);
  assert.deepEqual(storedEntries(service.dataDir), []);
});

test("rejects a date-time that does not exist or has no offset as INVALID_DATETIME", async (t) => {
  const { quote, service } = await aQuoter(t);
  for (const pickup of ["2027-02-30T12:00:00+01:00", "2027-01-15T25:61:00+01:00", "2027-01-15T14:30:00"]) {
    const refused = await quote({ pickup_datetime: pickup });
    assertProblem(refused, { status: 422, code: "INVALID_DATETIME", fields: ["pickup_datetime"] });
    assert.match(refused.body.next_action, /2027-01-15T14:30:00\+01:00/);
  }
  const back = await quote({ return_datetime: "2027-02-30T12:00:00+01:00" });
  assertProblem(back, { status: 422, code: "INVALID_DATETIME", fields: ["return_datetime"] });
  const noDate = { status: 422, code: "INVALID_REQUEST", fields: ["pickup_datetime"] } as const;
  assertProblem(await quote({ pickup_datetime: "tomorrow" }), noDate);
  assert.deepEqual(storedEntries(service.dataDir), []);
});

test("rejects a return before the outbound arrival and names the earliest, which is accepted", async (t) => {
  const { quote, service } = await aQuoter(t);
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
  assert.equal(storedEntries(service.dataDir).length, 2);
});

test("resolves every candidate of an ambiguous place when it is sent unchanged", async (t) => {
  const { quote, service } = await aQuoter(t);
  let resolved = 0;
  for (const origin of ["Milan Airport", "Zermat", "Lucern", "St. Moriz"]) {
    const refused = await quote({ origin, destination: "Bern" });
    assertProblem(refused, { status: 422, code: "INVALID_LOCATION", fields: ["origin"] });
    const candidates = candidatesOf(refused);
    assert.ok(candidates.length >= 1 && candidates.length <= 5, refused.text);
    for (const candidate of candidates) {
      const accepted = await quote({ origin: candidate, destination: "Bern" });
      assert.equal(accepted.status, 201, `${candidate}: ${accepted.text}`);
      resolved += 1;
    }
  }
  assert.equal(storedEntries(service.dataDir).length, resolved);
});

test("names the field of every unknown place, waypoints included", async (t) => {
  const { quote, service } = await aQuoter(t);
  const unclear = { status: 422, code: "INVALID_LOCATION" } as const;
  assertProblem(await quote({ origin: "Qwertzuiop" }), { ...unclear, fields: ["origin"] });
  assertProblem(await quote({ origin: " " }), { ...unclear, fields: ["origin"] });
  assertProblem(await quote({ origin: "95, 8.5" }), { ...unclear, fields: ["origin"] });
  const waypoints = [{ name: "Bern" }, { name: "Spiez" }, { name: "Qwertzuiop" }];
  assertProblem(await quote({ waypoints }), { ...unclear, fields: ["waypoints.2.name"] });
  const all = await quote({ origin: "Qwertz", destination: "Uiopas", waypoints });
  assertProblem(all, { ...unclear, fields: ["origin", "waypoints.2.name", "destination"] });
  assert.deepEqual(storedEntries(service.dataDir), []);
});

test("rejects places out of the service area or without a road as UNSUPPORTED_ROUTE", async (t) => {
  const { quote, service } = await aQuoter(t);
  for (const fields of [
    { destination: "Paris" },
    { origin: "52.52, 13.40" },
    { waypoints: [{ name: "x", lat: 0, lng: 0 }] },
  ]) {
    assertProblem(await quote(fields), { status: 404, code: "UNSUPPORTED_ROUTE" });
  }
  assert.deepEqual(storedEntries(service.dataDir), []);
});

test("rejects a party too large for every class and names the largest", async (t) => {
  const { quote, service } = await aQuoter(t);
  for (const party of [
    { adults: 50, children: 1 },
    { passengers: 1, adults: 20, children: 20, infants: 20 },
  ]) {
    const refused = await quote(party);
    assertProblem(refused, { status: 422, code: "NO_ELIGIBLE_VEHICLE" });
    assert.match(refused.body.next_action, /coach, takes 50 passengers/);
  }
  assert.deepEqual(storedEntries(service.dataDir), []);
});

test("seats a party by the larger of passengers and breakdown and says so", async (t) => {
  const { quote } = await aQuoter(t);
  const { body } = await quote({ passengers: 2, adults: 2, children: 2, infants: 1 });
  assert.ok(body.options.every((option: { passenger_capacity: number }) => option.passenger_capacity >= 5));
  assert.ok(body.limitations.some((text: string) => text.includes("are 5 in all")));
  const plain = await quote({ passengers: 4, adults: 2, children: 2 });
  assert.equal(
    plain.body.limitations.some((text: string) => text.includes("in all")),
    false,
  );
  assert.equal((await quote({ passengers: 3, adults: null })).body.adults, 3);
});

test("stores nothing when the router fails or returns no measurement", async (t) => {
  const faults = [
    [new PublicError("ROUTE_UNAVAILABLE", "No measurement now."), "ROUTE_UNAVAILABLE"],
    [new PublicError("UPSTREAM_UNAVAILABLE", "The router is too slow."), "UPSTREAM_UNAVAILABLE"],
    [new Error("ECONNREFUSED 10.0.0.7"), "UPSTREAM_UNAVAILABLE"],
  ] as const;
  for (const [fault, code] of faults) {
    const router = aRouter(async () => Promise.reject(fault));
    const { quote, service } = await aQuoter(t, { router });
    const refused = await quote({});
    assertProblem(refused, { status: 503, code });
    assert.equal(refused.body.retryable, true);
    assert.equal(refused.text.includes("10.0.0.7"), false);
    assert.deepEqual(storedEntries(service.dataDir), []);
  }
});

interface Quoter {
  readonly service: TestService;
  quote(fields: object): Promise<ApiAnswer>;
}

async function aQuoter(t: Parameters<typeof aService>[0], options: ServiceOptions = {}): Promise<Quoter> {
  const service = await aService(t, { limiter: aRateLimiter(), ...options });
  const token = await service.token();
  return { service, quote: (fields) => service.api("/quotes", { token, body: { ...aQuoteRequest(), ...fields } }) };
}

function candidatesOf({ body }: ApiAnswer): readonly string[] {
  return [...body.field_errors[0].message.matchAll(/"([^"]+)"/g)].map(([, candidate]) => candidate ?? "");
}
