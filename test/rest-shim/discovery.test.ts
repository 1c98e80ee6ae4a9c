import assert from "node:assert/strict";
import { test } from "node:test";
import { aClock } from "../support/fake-clock.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService } from "../support/service.ts";
import { wholeFile } from "../support/whole-file.ts";

test("returns the current road conditions of a corridor", async (t) => {
  const clock = aClock("2027-01-15T10:00:00Z");
  const { api } = await aService(t, { clock });
  const { body: winter } = await api("/routes/zurich-airport-to-zermatt");
  assert.equal(winter.live_context.as_of, "2027-01-15T11:00:00+01:00");
  assert.deepEqual(winter.live_context.car_trains, ["Lötschberg car train"]);
  assert.ok(winter.live_context.closed_passes.some(({ name }: { name: string }) => /Grimsel|Furka/.test(name)));
  const [dropOff] = winter.live_context.drop_offs;
  assert.deepEqual([dropOff.place, dropOff.car_stops_at], ["Zermatt", "Täsch"]);
  assert.match(dropOff.note, /Shuttle train/);

  clock.set("2027-07-15T10:00:00Z");
  const { body: summer } = await api("/routes/zurich-airport-to-zermatt");
  assert.deepEqual([summer.live_context.car_trains, summer.live_context.closed_passes], [[], []]);
  assert.equal(summer.live_context.drop_offs.length, 1);
});

test("returns no live context without road conditions to report", async (t) => {
  const { api } = await aService(t);
  const { body } = await api("/routes/zurich-airport-to-lucerne");
  assert.equal(body.live_context, null);
  assert.equal(body.normalized_origin, "Zurich Airport");
});

test("prices the certainly open route within three weeks of a pass's change of season", async (t) => {
  const { api, token } = await aService(t, { clock: aClock("2027-06-01T08:00:00Z") });
  const journey = { origin: "Andermatt", destination: "Oberwald", pickup_datetime: "2027-06-10T10:00:00+02:00" };
  const bearer = await token();
  const { status, body } = await api("/quotes", { token: bearer, body: aQuoteRequest(journey) });
  assert.equal(status, 201);
  assert.equal(body.requires_manual_confirmation, false);
  assert.equal(body.route_basis.automatically_payable, true);
  assert.ok(body.limitations.some((text: string) => /Furka.*Within three weeks.*may be shorter/.test(text)));
  const handoff = { quote_id: body.quote_id, fleet_id: 1, traveler_approval: true };
  assert.equal((await api("/checkout-sessions", { token: bearer, body: handoff })).status, 200);
});

test("rejects a stop whose name is a known place far from its coordinates", async (t) => {
  const { api, token } = await aService(t);
  const quote = async (waypoint: object) =>
    api("/quotes", { token: await token(), body: aQuoteRequest({ destination: "Bern", waypoints: [waypoint] }) });
  const refused = await quote({ name: "Zermatt", lat: 47.38, lng: 8.54 });
  assert.equal(refused.body.code, "INVALID_LOCATION");
  assert.equal(refused.body.field_errors[0].field, "waypoints.0.name");
  assert.match(refused.body.field_errors[0].message, /Zermatt lies \d+ km from the coordinates/);
  assert.equal((await quote({ name: "Olten", lat: 47.35, lng: 7.91 })).status, 201);
  assert.equal((await quote({ name: "Grandmother's house", lat: 47.35, lng: 7.91 })).status, 201);
});

interface Corridor {
  readonly origin: string;
  readonly destination: string;
}

const { api } = await aService(wholeFile);

async function corridors(query: string): Promise<readonly Corridor[]> {
  const { status, body, text } = await api(`/services/transfers${query}`);
  assert.equal(status, 200, text);
  return body.services;
}

test("corridors are listed by origin, by destination or by both, named as people write them", async () => {
  const all = await corridors("");
  const from = await corridors("?origin=ZRH");
  assert.deepEqual(
    from,
    all.filter(({ origin }) => origin === "Zurich Airport"),
  );
  assert.ok(from.length > 1 && from.length < all.length);
  const to = await corridors("?destination=zermatt");
  assert.deepEqual(
    to,
    all.filter(({ destination }) => destination === "Zermatt"),
  );
  assert.equal((await corridors("?origin=Flughafen%20Z%C3%BCrich&destination=Zermatt")).length, 1);
});

test("a place without corridors has an empty list", async () => {
  assert.deepEqual(await corridors("?origin=Zermatt&destination=Lugano"), []);
});
