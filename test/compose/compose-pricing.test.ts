import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { openPricing } from "../../src/compose/compose-pricing.ts";
import { readConfig } from "../../src/config/config.ts";
import { silentLog } from "../../src/ops/log.ts";
import { type GeocoderName, geocoders } from "../../src/places/geocoders/geocoders.ts";
import { type RoutingEngineName, routingEngines } from "../../src/routing/engines/routing-engines.ts";
import { BAHNHOFSTRASSE_1 } from "../ports/geocoder.contract.ts";
import { EAST, never, SUMMER, WEST } from "../support/engine-router.ts";
import { aFakeEngine } from "../support/fake-engine.ts";
import { geocoderWires } from "../support/fake-geocoders.ts";
import { roadEngineWires } from "../support/road-engine-wires.ts";

suite("the configured engines", () => {
  test("are the embedded ones by default", async (t) => {
    const { router, dependencies } = await composed(t, {});
    assert.equal(router.basis, "EMBEDDED_ROAD_NETWORK");
    assert.deepEqual(
      dependencies.map(({ name }) => name),
      ["router"],
    );
  });

  for (const name of Object.keys(routingEngines) as RoutingEngineName[]) {
    test(`TRANSFER_ROUTER ${name} opens ${name}`, async (t) => {
      const { url, calls } = await aFakeEngine(t, roadEngineWires[name].speaks([{ km: 40, minutes: 35 }]));
      const { router } = await composed(t, { TRANSFER_ROUTER: name, TRANSFER_ROUTER_URL: url });
      assert.equal(router.basis, name.toUpperCase());
      const opened = calls.length;
      const { distanceKm, dataVersion } = await router.measure([WEST, EAST], SUMMER, never);
      assert.equal(distanceKm, 40);
      assert.ok(dataVersion.startsWith(`${name}-`), dataVersion);
      assert.equal(calls.length, opened + 1);
    });
  }

  for (const name of Object.keys(geocoders) as GeocoderName[]) {
    test(`TRANSFER_GEOCODER ${name} opens ${name}`, async (t) => {
      const { url, calls } = await aFakeEngine(t, geocoderWires[name]([BAHNHOFSTRASSE_1]));
      const { places, dependencies } = await composed(t, { TRANSFER_GEOCODER: name, TRANSFER_GEOCODER_URL: url });
      const found = await places.find("Bahnhofstrasse 1, 8001 Zürich", never);
      assert.ok(found.kind === "found" && found.place.name.startsWith("Bahnhofstrasse 1,"), found.kind);
      assert.equal(calls.length > 0, true);
      assert.ok(dependencies.some((dependency) => dependency.name === "geocoder"));
    });
  }
});

async function composed(t: TestContext, env: Readonly<Record<string, string>>) {
  const source = await openPricing(readConfig(env), silentLog);
  t.after(() => source.close());
  return source.load();
}
