import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { crowFliesKm } from "../../src/places/geo.ts";
import { anEngineRouter } from "../support/engine-router.ts";
import { aFakeEngine } from "../support/fake-engine.ts";
import { aPoint, aStop, defaultCatalog, pricing, refusalOf, to } from "../support/quoting-fixture.ts";
import { roadEngineWires } from "../support/road-engine-wires.ts";

const STATION = { lat: 46.949, lng: 7.4391 };
const HOSPITAL = { lat: 46.9475, lng: 7.4255 };
/** Of Bern in the packaged catalog: a radius of 3 km, streets 1.4 times as long, 35 km/h. */
const ASSUMED_KM = 4.2;
const ASSUMED_MINUTES = 8;

suite("a journey inside one town", () => {
  const price = pricing();
  const drive = (from: string, destination: string) => price({ points: [aPoint(from), to(destination)] });

  test("to an address of which only the town is known goes by the extent of the town, and says so", async () => {
    for (const [from, destination] of [
      ["Bern Station", "Inselspital, Bern"],
      ["Inselspital, Bern", "Bern Station"],
      ["Hotel Schweizerhof, Bern", "Inselspital, Bern"],
      ["Bern", "Inselspital, Bern"],
      ["Bern Station", "Bern"],
    ] as const) {
      const { route, limitations } = await drive(from, destination);
      const { authority, automaticallyPayable, distanceKm, durationMinutes } = route;
      assert.deepEqual([distanceKm, durationMinutes], [ASSUMED_KM, ASSUMED_MINUTES], `${from} to ${destination}`);
      assert.deepEqual([authority, automaticallyPayable], ["SERVER_VERIFIED", true]);
      assert.match(limitations.join(" "), /inside the town from .* is estimated at 4\.2 km, by the size of the town\./);
    }
  });

  test("between known positions goes by these, and says so", async () => {
    const direct = Math.round(crowFliesKm(STATION, HOSPITAL) * 14) / 10;
    for (const [from, destination] of [
      ["Bern Station", "46.9475, 7.4255"],
      ["46.9475, 7.4255", "Bern Station"],
      ["46.949, 7.4391", "46.9475, 7.4255"],
    ] as const) {
      const { route, limitations } = await drive(from, destination);
      assert.equal(route.distanceKm, direct, `${from} to ${destination}`);
      assert.match(limitations.join(" "), /is estimated at 1\.5 km, by the straight line\./);
    }
  });

  test("between places that the network tells apart is measured on its roads", async () => {
    const { limitations } = await drive("Zürich HB", "Zürich Oerlikon Station");
    assert.doesNotMatch(limitations.join(" "), /assumed/);
  });

  test("from a place to itself is none", async () => {
    await refusalOf(drive("Bern", "Berne"), "INVALID_LOCATION");
    await refusalOf(drive("Inselspital, Bern", "INSELSPITAL, Bern"), "INVALID_LOCATION");
  });

  test("is part of a longer one, and of the road back", async () => {
    const points = [aPoint("Zurich Airport"), aStop("Bern Station"), to("Inselspital, Bern")];
    const [toStation, toHospital] = [await drive("Zurich Airport", "Bern Station"), await price({ points })];
    assert.equal(toHospital.route.distanceKm, Math.round((toStation.route.distanceKm + ASSUMED_KM) * 10) / 10);
    const stops = [aPoint("Zurich Airport"), aStop("Hotel Alpha, Bern"), to("Hotel Beta, Bern")];
    assert.equal((await price({ points: stops })).route.distanceKm, toHospital.route.distanceKm);
  });
});

for (const [name, wire] of Object.entries(roadEngineWires)) {
  test(`with ${name} a journey inside a town is as long as the town reaches where only the town is known`, async (t: TestContext) => {
    const engine = await aFakeEngine(t, wire.speaks([{ km: 1.9, minutes: 6 }]));
    const router = await anEngineRouter(t, name as keyof typeof roadEngineWires, { url: engine.url });
    const price = pricing({ ...defaultCatalog, router });
    const unknown = await price({ points: [aPoint("Bern Station"), to("Inselspital, Bern")] });
    assert.equal(unknown.route.distanceKm, ASSUMED_KM);
    assert.match(unknown.limitations.join(" "), /is estimated at 4\.2 km, by the size of the town\./);
    const known = await price({ points: [aPoint("Bern Station"), to("46.9475, 7.4255")] });
    assert.equal(known.route.distanceKm, 1.9);
    assert.doesNotMatch(known.limitations.join(" "), /assumed/);
  });
}
