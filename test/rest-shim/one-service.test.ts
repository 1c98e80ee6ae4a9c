import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertProblem } from "../support/assert-problem.ts";
import { aMeasuredRoute, aRouter } from "../support/fake-router.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

/** Lucerne to Zurich and home again: 70 km and 70 min each way, dinner in between. */
const router = aRouter(async (stops) => {
  const legs = stops.length - 1;
  return aMeasuredRoute({ distanceKm: 70 * legs, durationMinutes: 70 * legs });
});
const service = await aService(wholeFile, { router });
const EVENING = { origin: "Lucerne", pickup_datetime: "2026-12-08T16:00:00+01:00", passengers: 2 };
const RETURN = { destination: "Zurich", return_datetime: "2026-12-09T01:30:00+01:00" };
const STOP = { destination: "Lucerne", waypoints: [{ name: "Zurich", stop_duration_min: 505 }] };
const HOURLY = { booking_type: "hourly", duration_hours: 10.75 };

async function estimated(fields: object) {
  const { status, body, text } = await service.api("/quote-intents", { body: { ...EVENING, ...fields } });
  assert.equal(status, 200, text);
  const option = body.options.find(({ vehicle_class }: { vehicle_class: string }) => vehicle_class === "first_class");
  return { body, total: option.total_price, lines: option.price_lines, said: body.limitations.join("\n") };
}

suite("an evening from 16:00 to 02:40 in first class", () => {
  test("costs the same by the hour and as a stop: the driver waits in both", async () => {
    const byTheHour = await estimated({ ...HOURLY, waypoints: STOP.waypoints });
    const asAStop = await estimated(STOP);
    // 11 h of 140; a fifth of three of its eleven hours.
    assert.deepEqual(byTheHour.lines, [
      { label: "Hire 11 h", amount: 1_540 },
      { label: "Night surcharge", amount: 84 },
    ]);
    assert.equal(byTheHour.total, 1_624);
    assert.deepEqual(asAStop.lines, [
      { label: "Transfer 140 km", amount: 800 },
      { label: "Waiting at stops 8 h 15 min", amount: 824 },
    ]);
    assert.equal(asAStop.total, 1_624);
    assert.match(
      asAStop.said,
      /the driver waits at [^,]+, 8 h 25 min in all: the first 15 min at each place are free, and the price includes the rest\. A round trip costs no more than a hire/,
    );
  });

  test("costs less as a return, between which the car does not wait", async () => {
    const { total, said } = await estimated(RETURN);
    // 30 + 70 × 5.50 = 415, and a fifth more at night.
    assert.equal(total, 415 + 498);
    assert.match(said, /the car does not wait for it\./);
    assert.match(said, /^Return: Night surcharge of 20 %/m);
    assert.match(said, /Waiting is free for 15 min at each pickup; .*each started 15 min after that is charged\./);
  });

  test("is told what 10.75 h are charged as, and what overtime costs", async () => {
    const { said, body } = await estimated(HOURLY);
    assert.match(said, /Hire of 11 h with 275 km included; car and driver stay with the traveler\./);
    assert.match(said, /Started hours are charged: 10\.75 h cost as much as 11 h\./);
    assert.match(said, /Night surcharge of 20 % on 3 of 11 h, from 00:00 to 06:00\./);
    assert.match(
      said,
      /further started hour is charged at .*CHF 140 \(First-class sedan\).*further km at .*CHF 5\.50 \(First-class sedan/,
    );
    assert.deepEqual([body.origin, body.destination], ["Lucerne", "Lucerne"]);
    assert.deepEqual((await estimated({ ...HOURLY, destination: "Lucerne" })).body.options, body.options);
    assert.doesNotMatch((await estimated({ ...HOURLY, duration_hours: 11 })).said, /Started hours/);
  });

  test("a one-way journey with a stop stays a transfer with waiting", async () => {
    const { total } = await estimated({ ...STOP, destination: "Bern" });
    assert.equal(total, 800 + 33 * 25);
  });
});

suite("a request without a destination", () => {
  test("names an unclear origin once", async () => {
    const unclear = await service.api("/quote-intents", { body: { ...EVENING, ...HOURLY, origin: "Freiburg" } });
    assertProblem(unclear, { status: 422, code: "INVALID_LOCATION" });
    assert.equal(unclear.body.field_errors.map(({ field }: Fields) => field).join(), "origin");
  });

  test("is rejected for a transfer", async () => {
    const problem = await service.api("/quote-intents", { body: EVENING });
    assertProblem(problem, { status: 422, code: "INVALID_REQUEST", fields: ["destination"] });
    const { field_errors, next_action } = problem.body;
    assert.match(field_errors[0].message, /^Required: drop-off, .*omit it for an hourly hire that ends at origin, /);
    assert.match(next_action, /^Ask the traveler for what is missing or cannot be served, never invent it, /);
  });

  test("is told of all that is missing at once, destination or hours included", async () => {
    const token = await service.token();
    const hire = { booking_type: "hourly" };
    for (const [body, fields] of [
      [{}, ["origin", "pickup_datetime", "arrive_by", "destination"]],
      [{ luggage: 99 }, ["origin", "pickup_datetime", "arrive_by", "luggage", "destination"]],
      [hire, ["origin", "pickup_datetime", "duration_hours"]],
      [{ ...hire, duration_hours: 3 }, ["origin", "pickup_datetime"]],
      [{ destination: null }, ["origin", "destination", "pickup_datetime", "arrive_by"]],
      [{ destinaton: "Bern" }, ["origin", "pickup_datetime", "arrive_by", "destinaton"]],
      [{ ...EVENING, pickup_datetime: "2027-02-30T10:00:00+01:00" }, ["pickup_datetime", "destination"]],
    ] as const)
      for (const path of ["/quote-intents", "/quotes"]) {
        const problem = await service.api(path, { token, body });
        assertProblem(problem, { status: 422, code: "INVALID_REQUEST", fields });
        assert.match(problem.body.next_action, /^Ask the traveler/);
      }
  });
});

test("an estimate with a return costs what the quote does, and takes the caller's metrics for each direction", async () => {
  const quote = await service.api("/quotes", { token: await service.token(), body: { ...EVENING, ...RETURN } });
  assert.deepEqual((await estimated(RETURN)).body.options, quote.body.options);
  const { lines } = await estimated({ ...RETURN, distance_km: 50, duration_min: 40 });
  const labels = lines.map(({ label }: Fields) => label);
  assert.deepEqual(labels, ["Outbound: Transfer 50 km", "Return: Transfer 50 km", "Return: Night surcharge"]);
  const early = { ...RETURN, return_datetime: "2026-12-08T16:30:00+01:00" };
  const problem = await service.api("/quote-intents", { body: { ...EVENING, ...early } });
  assertProblem(problem, { status: 422, code: "RETURN_TIME_INVALID" });
});
