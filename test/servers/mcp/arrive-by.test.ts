import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Fields } from "../../support/mcp-client.ts";
import { mcp, service, token } from "../../support/shared-service.ts";

const BASE = { origin: "Bern", destination: "Zurich Airport", passengers: 2 };
const EVENING = { arrive_by: "2026-12-08T18:00:00+01:00" };
const quote = (fields: object) => service.api("/quotes", { token, body: { ...BASE, ...fields } });
const fieldsOf = ({ field_errors }: Fields): string[] => field_errors.map(({ field }: Fields) => field);

suite("arrive_by", () => {
  test("gives the latest pickup of which the car is there in time, at its price, over REST and MCP, quote and estimate", async () => {
    const fields = { arrive_by: "2026-12-08T11:10:00+01:00" };
    const { body, text } = await quote({ ...fields, return_datetime: "2026-12-09T11:10:00+01:00" });
    assert.equal(body.return_datetime, "2026-12-09T11:10:00+01:00", text);
    const single = (await quote(fields)).body;
    const estimate = await service.api("/quote-intents", { body: { ...BASE, ...fields } });
    const overMcp = await mcp.value("create_transfer_quote", { ...BASE, ...fields });
    for (const answer of [body, single, estimate.body, overMcp]) {
      assert.match(answer.pickup_datetime, /^2026-12-08T09:[0-5][05]:00\+01:00$/);
      assert.ok(answer.arrival_datetime <= fields.arrive_by, answer.arrival_datetime);
      assert.ok(answer.arrival_datetime > "2026-12-08T11:05:00+01:00", "no later pickup arrives in time");
    }
    const asPickup = await quote({ pickup_datetime: single.pickup_datetime });
    assert.deepEqual(asPickup.body.options, single.options, "the price of that pickup");
  });

  const both = ["pickup_datetime", "arrive_by"];
  for (const [name, times, fields, says] of [
    ["beside a pickup", { pickup_datetime: "2026-12-08T09:00:00+01:00", ...EVENING }, both, /not both/],
    ["missing as the pickup is", {}, both, /^Send exactly one of pickup_datetime and arrive_by: /],
    ["null as the pickup is", { pickup_datetime: null, arrive_by: null }, both, /RFC 3339/],
    ["with hourly", { booking_type: "hourly", duration_hours: 3, ...EVENING }, ["arrive_by"], /./],
  ] as const)
    test(`${name} is INVALID_REQUEST with ${fields.join(" and ")}`, async () => {
      const { body } = await quote(times);
      assert.deepEqual([body.code, fieldsOf(body)], ["INVALID_REQUEST", fields]);
      for (const { message } of body.field_errors) assert.match(message, says);
    });

  for (const [arrive_by, code] of [
    ["0001-01-01T00:00:00Z", "PAST_DATETIME"],
    ["2026-12-01T10:30:00+01:00", "PAST_DATETIME"],
    ["2026-12-01T14:30:00+01:00", "LEAD_TIME_NOT_SUPPORTED"],
    ["9999-12-31T23:00:00Z", "LEAD_TIME_NOT_SUPPORTED"],
  ] as const)
    test(`${arrive_by} is ${code} and names an arrival that is accepted, beyond which none is`, async () => {
      const { body, text } = await quote({ arrive_by });
      assert.deepEqual([body.code, fieldsOf(body)], [code, ["arrive_by"]], text);
      const [, limit, named = ""] =
        /The (earliest|latest) arrival that is accepted is (\S+)\.$/.exec(body.detail) ?? [];
      assert.ok(body.next_action.includes(named));
      const accepted = await quote({ arrive_by: named });
      assert.equal(accepted.status, 201, accepted.text);
      const beyond = new Date(Date.parse(named) + (limit === "latest" ? 5 : -1) * 60_000).toISOString();
      assert.equal((await quote({ arrive_by: beyond })).body.code, "LEAD_TIME_NOT_SUPPORTED", beyond);
    });

  test("of an estimate with the caller's own metrics counts back from them, however long they are", async () => {
    const times = { arrive_by: "2027-01-08T11:10:00+01:00", distance_km: 120, duration_min: 10_000 };
    const { body, text } = await service.api("/quote-intents", { body: { ...BASE, ...times } });
    assert.equal(body.pickup_datetime, "2027-01-01T12:30:00+01:00", text);
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
