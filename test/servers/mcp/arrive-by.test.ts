import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Fields } from "../../support/mcp-client.ts";
import { mcp, service, token } from "../../support/shared-service.ts";

const BASE = { origin: "Bern", destination: "Zurich Airport", passengers: 2 };
const quote = (fields: object) => service.api("/quotes", { token, body: { ...BASE, ...fields } });
const quoteOverMcp = (fields: object) => mcp.value("create_transfer_quote", { ...BASE, ...fields });

const fieldsOf = ({ field_errors }: Fields): string[] => field_errors.map(({ field }: Fields) => field);

suite("arrive_by", () => {
  test("gives the latest pickup of which the car is there in time, over REST and MCP, quote and estimate", async () => {
    const fields = { arrive_by: "2026-12-08T11:10:00+01:00" };
    const { status, body, text } = await quote(fields);
    assert.equal(status, 201, text);
    const estimate = await service.api("/quote-intents", { body: { ...BASE, ...fields } });
    for (const answer of [body, estimate.body, await quoteOverMcp(fields)]) {
      assert.match(answer.pickup_datetime, /^2026-12-08T09:[0-5][05]:00\+01:00$/);
      assert.ok(answer.arrival_datetime <= fields.arrive_by, answer.arrival_datetime);
      assert.ok(answer.arrival_datetime > "2026-12-08T11:05:00+01:00", "no later pickup arrives in time");
      const said = answer.limitations.join("\n");
      assert.match(
        said,
        /latest pickup, in steps of 5 min, with which the car reaches Zurich Airport by 11:10 on 8 December 2026/,
      );
      assert.match(said, /no margin for traffic\. Check-in for a flight is covered only if that/);
      assert.doesNotMatch(said, /has to land/);
    }
    const asPickup = await quote({ pickup_datetime: body.pickup_datetime });
    assert.deepEqual(asPickup.body.options, body.options, "the price of that pickup");
    assert.equal(asPickup.body.route_basis.route_fingerprint, body.route_basis.route_fingerprint);
  });

  test("includes waiting, stops and the car train, which the limitation names", async () => {
    const fields = { origin: "Bern", destination: "Zermatt", arrive_by: "2026-12-08T18:00:00+01:00" };
    const plain = await quote(fields);
    const stay = { waiting_minutes: 20, waypoints: [{ name: "Thun", stop_duration_min: 40 }] };
    const longer = await quote({ ...fields, ...stay });
    for (const { body } of [plain, longer]) {
      assert.ok(body.arrival_datetime <= fields.arrive_by);
      assert.match(body.limitations.join("\n"), /the car reaches Täsch[\s\S]* must not miss the Lötschberg car train/);
      assert.doesNotMatch(body.limitations.join("\n"), /check-in/i);
    }
    const earlier = Date.parse(plain.body.pickup_datetime) - Date.parse(longer.body.pickup_datetime);
    assert.ok(earlier >= 60 * 60_000 && earlier <= 90 * 60_000, `${earlier / 60_000} min`);
  });

  test("from an airport, says that the traveler must be at the car at the pickup time", async () => {
    const arrive_by = "2026-12-08T18:00:00+01:00";
    const { body } = await quote({ origin: "Zurich Airport", destination: "Davos", arrive_by });
    const said = body.limitations.join("\n");
    assert.match(
      said,
      /no margin for traffic\. To be in time the car must leave at the pickup time: the flight has to land/,
    );
    assert.doesNotMatch(said, /check-in/i);
  });

  test("from an airport with requested waiting, which the arrival time includes, says nothing of an earlier flight", async () => {
    const journey = { origin: "Zurich Airport", destination: "Davos", arrive_by: "2026-12-08T18:00:00+01:00" };
    const { body } = await quote({ ...journey, waiting_minutes: 60 });
    assert.match(body.limitations.join("\n"), /the driver waits at the pickup, 60 min/);
    assert.doesNotMatch(body.limitations.join("\n"), /has to land/);
  });

  test("from airport to airport, check-in refers to the time that was sent", async () => {
    const { body } = await quote({ origin: "Geneva Airport", arrive_by: "2026-12-08T18:00:00+01:00" });
    assert.match(
      body.limitations.join("\n"),
      /by 18:00[^\n]* Check-in for[^\n]* that time includes it\. To be in time the car must leave at/,
    );
  });

  test("has a return beside it", async () => {
    const times = { arrive_by: "2026-12-08T11:10:00+01:00", return_datetime: "2026-12-09T11:10:00+01:00" };
    assert.equal((await quote(times)).body.return_datetime, times.return_datetime);
  });

  const pickup_datetime = "2026-12-08T09:00:00+01:00";
  const arrive_by = "2026-12-08T11:00:00+01:00";
  for (const [name, times, fields] of [
    ["beside a pickup", { pickup_datetime, arrive_by }, ["pickup_datetime", "arrive_by"]],
    ["missing as the pickup is", {}, ["pickup_datetime", "arrive_by"]],
    ["null as the pickup is", { pickup_datetime: null, arrive_by: null }, ["pickup_datetime", "arrive_by"]],
    ["with hourly", { booking_type: "hourly", duration_hours: 3, arrive_by }, ["arrive_by"]],
  ] as const) {
    test(`${name}: INVALID_REQUEST with ${fields.join(" and ")}`, async () => {
      const { body } = await quote(times);
      assert.deepEqual([body.code, fieldsOf(body)], ["INVALID_REQUEST", fields]);
    });
  }

  test("where both times are missing, the error says to send exactly one of them", async () => {
    const { body } = await quote({});
    for (const { message } of body.field_errors)
      assert.match(message, /^Send exactly one of pickup_datetime and arrive_by: send RFC 3339 with the UTC offset /);
  });

  const REFUSED = [
    ["2020-01-01T10:00:00+01:00", "PAST_DATETIME"],
    ["0001-01-01T00:00:00Z", "PAST_DATETIME"],
    ["2026-12-01T10:30:00+01:00", "PAST_DATETIME"],
    ["2026-12-01T14:30:00+01:00", "LEAD_TIME_NOT_SUPPORTED"],
    ["2028-12-01T14:30:00+01:00", "LEAD_TIME_NOT_SUPPORTED"],
    ["9999-12-31T23:00:00Z", "LEAD_TIME_NOT_SUPPORTED"],
  ] as const;
  for (const [arrive_by, code] of REFUSED) {
    test(`${arrive_by}: ${code} names an arrival that is accepted, and none beyond is`, async () => {
      const { body, text } = await quote({ arrive_by });
      assert.equal(body.code, code, text);
      assert.deepEqual(fieldsOf(body), ["arrive_by"]);
      const [, limit, named = ""] =
        /The (earliest|latest) arrival that is accepted is (\S+)\.$/.exec(body.detail) ?? [];
      assert.ok(body.next_action.includes(named));
      const accepted = await quote({ arrive_by: named });
      assert.equal(accepted.status, 201, accepted.text);
      const beyond = new Date(Date.parse(named) + (limit === "latest" ? 5 : -1) * 60_000).toISOString();
      assert.equal((await quote({ arrive_by: beyond })).body.code, "LEAD_TIME_NOT_SUPPORTED", beyond);
      if (limit === "earliest") assert.match(body.next_action, /\+41 00 000 00 00/);
    });
  }

  test("an estimate with the caller's own metrics counts back from them, however long they are", async () => {
    for (const [duration_min, pickup] of [
      [90, "2027-01-08T09:40:00+01:00"],
      [10_000, "2027-01-01T12:30:00+01:00"],
    ] as const) {
      const body = { ...BASE, arrive_by: "2027-01-08T11:10:00+01:00", distance_km: 120, duration_min };
      const estimate = await service.api("/quote-intents", { body });
      assert.equal(estimate.body.pickup_datetime, pickup, estimate.text);
    }
  });

  test("on the nights of both clock changes the arrival is the instant that was asked for", async () => {
    for (const arrive_by of ["2027-03-28T04:00:00+02:00", "2027-10-31T03:00:00+01:00", "2027-10-31T02:30:00+02:00"]) {
      const { body, text } = await quote({ arrive_by });
      const left = Date.parse(arrive_by) - Date.parse(body.arrival_datetime);
      assert.ok(left >= 0 && left < 5 * 60_000, text);
    }
  });
});

test("a flight number is outside price and fingerprint; without it the traveler is asked at checkout", async () => {
  const flight = { origin: "Zurich Airport", destination: "Bern", pickup_datetime: "2026-12-08T09:00:00+01:00" };
  const [without, sent] = [(await quote(flight)).body, (await quote({ ...flight, flight_number: "LX 39" })).body];
  assert.deepEqual(sent.options, without.options);
  assert.equal(sent.route_basis.route_fingerprint, without.route_basis.route_fingerprint);
  const asks = ({ limitations }: Fields) => /State the flight number\./.test(limitations.join());
  assert.deepEqual([asks(without), asks(sent)], [true, false]);
});
