import assert from "node:assert/strict";
import { test } from "node:test";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { aClock } from "../support/fake-clock.ts";
import { wholeFile } from "../support/lifetime.ts";
import { aService } from "../support/service.ts";

test("returns the current road conditions of a corridor, if it has any", async (t) => {
  const clock = aClock("2027-01-15T10:00:00Z");
  const { api } = await aService(t, { clock });
  const { body: winter } = await api("/routes/zurich-airport-to-zermatt");
  assert.equal(winter.live_context.as_of, "2027-01-15T11:00:00+01:00");
  assert.deepEqual(winter.live_context.car_trains, ["Lötschberg car train"]);
  // The published figures are those of the way over the pass.
  assert.deepEqual([winter.distance_km, winter.via], [246, undefined]);
  assert.match(winter.note, / Today the way is another: A1, A6, Lötschberg car train, A9, 258\.3 km, 222 min\. /);
  assert.ok(winter.live_context.closed_passes.some(({ name }: { name: string }) => /Grimsel|Furka/.test(name)));
  const [dropOff] = winter.live_context.drop_offs;
  assert.deepEqual([dropOff.place, dropOff.car_stops_at], ["Zermatt", "Täsch"]);
  assert.match(dropOff.note, /Shuttle train/);

  clock.set("2027-07-15T10:00:00Z");
  const { body: summer } = await api("/routes/zurich-airport-to-zermatt");
  assert.deepEqual([summer.live_context.car_trains, summer.live_context.closed_passes], [[], []]);
  assert.equal(summer.live_context.drop_offs.length, 1);
  assert.match(summer.via, /Furka Pass/);
  assert.doesNotMatch(summer.note, /another/);
  const { body: without } = await api("/routes/zurich-airport-to-lucerne");
  assert.deepEqual([without.live_context, without.normalized_origin], [null, "Zurich Airport"]);
});

test("a listed corridor to a car-free place says where its figures end", async (t) => {
  const { api } = await aService(t);
  const { body } = await api("/services/transfers?origin=ZRH");
  const dropOffs = new Map(body.services.map((each: Corridor) => [each.destination, each.drop_offs]));
  assert.deepEqual(dropOffs.get("Zermatt"), [{ place: "Zermatt", car_stops_at: "Täsch" }]);
  assert.equal(dropOffs.get("Davos"), undefined);
});

interface Corridor {
  readonly origin: string;
  readonly destination: string;
  readonly distance_km?: number;
  readonly duration_min?: number;
  readonly drop_offs?: readonly object[];
}

const { api } = await aService(wholeFile);

async function corridors(query: string): Promise<readonly Corridor[]> {
  const { status, body, text } = await api(`/services/transfers${query}`);
  assert.equal(status, 200, text);
  return body.services;
}

test("the road conditions of a day are those of noon, since at night no car train runs", async (t) => {
  const { api } = await aService(t, { clock: aClock("2027-01-15T00:30:00Z") });
  const { body } = await api("/routes/zurich-airport-to-zermatt");
  const { as_of, car_trains, closed_passes } = body.live_context;
  assert.deepEqual([as_of, car_trains], ["2027-01-15T01:30:00+01:00", ["Lötschberg car train"]]);
  const furka = closed_passes.find(({ name }: { name: string }) => name === "Furka Pass");
  assert.deepEqual(furka, { name: "Furka Pass", closed_from: "5 November", closed_to: "3 June" });
});

test("corridors are listed by origin, by destination or by both, named as people write them", async () => {
  const all = await corridors("");
  const briefly = (some: readonly Corridor[]) =>
    some.map(({ drop_offs: _, distance_km: __, duration_min: ___, ...each }) => each);
  const from = await corridors("?origin=ZRH");
  assert.deepEqual(
    briefly(from),
    all.filter(({ origin }) => origin === "Zurich Airport"),
  );
  assert.ok(from.length > 1 && from.length < all.length);
  const to = await corridors("?destination=zermatt");
  assert.deepEqual(
    briefly(to),
    all.filter(({ destination }) => destination === "Zermatt"),
  );
  assert.equal((await corridors("?origin=Flughafen%20Z%C3%BCrich&destination=Zermatt")).length, 1);
  assert.deepEqual(await corridors("?origin=Zermatt&destination=Lugano"), []);
});

test("names what lies in the zones of a surcharge where that is little", async (t) => {
  const folder = aCatalogFolder(t);
  const routes = async () => {
    const { api } = await aService(t, { env: { TRANSFER_CATALOG_DIR: folder } });
    const { body } = await api("/quote-requirements");
    return body.surcharges.flatMap(({ routes = [] }: { readonly routes?: readonly string[] }) => routes);
  };
  assert.deepEqual(await routes(), ["anywhere to davos-valley (7260, 7270), both ways"]);
  const many = Array.from({ length: 600 }, (_, n) => String(7_000 + n));
  changeCatalog(folder, "zones.json", ({ zones }) => (zones[0].postcodes = many));
  assert.deepEqual(await routes(), ["anywhere to davos-valley, both ways"]);
});
