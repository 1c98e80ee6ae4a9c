import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { compareRoads } from "../../../scripts/compare-roads.ts";
import { stopOf } from "../../../src/domain/quotes/locate-points.ts";
import { createRoadNetwork } from "../../../src/domain/routing/road-network.ts";
import type { RouteStop } from "../../../src/domain/routing/router.ts";
import { aFakeEngine, answersHtml } from "../../support/fake-engine.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import type { WireLeg } from "../../support/wires/road-engine-wire.ts";
import { roadEngineWires } from "../../support/wires/road-engine-wires.ts";

const { catalog, places } = defaultCatalog;
const network = createRoadNetwork(catalog.roads, catalog.tariff.timeZone);
const SUMMER = new Date("2027-07-15T10:00:00Z");

/** Places by the position that is sent to an engine. */
const byPosition = new Map(
  catalog.places.flatMap(({ id }) => {
    const found = places.byId(id);
    return found ? [[positionOf(found.carStop), stopOf(found)]] : [];
  }),
);

function positionOf({ lat, lng }: { readonly lat: number; readonly lng: number }): string {
  return `${lat.toFixed(5)},${lng.toFixed(5)}`;
}

/** By the places: every run of the command asks for the same routes. */
const measured = new Map<string, WireLeg>();

function measure(stops: readonly RouteStop[]): WireLeg {
  const key = stops.map(({ placeId }) => placeId).join(" ");
  const known = measured.get(key);
  if (known) return known;
  const { distanceKm, durationMinutes } = network.journey(stops, SUMMER);
  const leg = { km: distanceKm, minutes: durationMinutes };
  measured.set(key, leg);
  return leg;
}

/** An engine on the very roads of the catalog, which finds the route to one place longer or shorter. */
function engineOff(place: string, factor: number) {
  return (stops: readonly RouteStop[]): readonly WireLeg[] => {
    const known = stops.flatMap((stop) => byPosition.get(positionOf(stop)) ?? []);
    // A probe for the engine's version is between no places.
    if (known.length < stops.length) return [{ km: 2, minutes: 5 }];
    const { km, minutes } = measure(known);
    const isOff = known.some(({ placeId }) => placeId === place);
    return [{ km: km * (isOff ? factor : 1), minutes }];
  };
}

async function compared(...args: readonly string[]) {
  const written = { stdout: "", stderr: "" };
  const to = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) });
  const code = await compareRoads(args, { stdout: to("stdout"), stderr: to("stderr") });
  return { code, ...written };
}

suite("the catalog's roads beside a routing engine", () => {
  for (const [name, wire] of Object.entries(roadEngineWires)) {
    test(`${name} with the same roads finds no difference`, async (t: TestContext) => {
      const engine = await aFakeEngine(t, wire.speaks(engineOff("", 1)));
      const { code, stdout, stderr } = await compared(engine.url, "--engine", name);
      assert.equal(code, 0, stderr);
      assert.equal(stdout.trim().split("\n").length, 1, stdout);
      assert.match(stderr, /^0 of \d+ routes differ by more than 5 %; .* worst 0\.\d %/m);
      assert.ok(engine.calls.length >= catalog.corridors.length + 500, String(engine.calls.length));
    });
  }

  test("finds a planted error of 10 % in each direction, and exits with 1 above the threshold", async (t) => {
    const engine = await aFakeEngine(t, roadEngineWires.osrm.speaks(engineOff("davos", 1 / 1.1)));
    const longer = await compared(engine.url);
    assert.equal(longer.code, 1);
    assert.match(
      longer.stdout,
      /^route,catalog_km,engine_km,difference_percent\n(?:.*\n)*zurich-airport-to-davos,\d+\.\d,\d+\.\d,10\.0\n/,
    );
    assert.doesNotMatch(longer.stdout, /zurich-airport-to-klosters/);
    engine.behave(roadEngineWires.osrm.speaks(engineOff("davos", 1 / 0.9)));
    const shorter = await compared(engine.url, "--threshold", "12");
    assert.equal(shorter.code, 0);
    assert.match(shorter.stdout, /zurich-airport-to-davos,\d+\.\d,\d+\.\d,-10\.0\n/);
  });

  test("exits with 1 where the engine has no route for a corridor or does not answer", async (t) => {
    const engine = await aFakeEngine(t, roadEngineWires.osrm.speaks(engineOff("", 1)));
    const islands = engineOff("", 1);
    engine.behave((response, call) => {
      const isDavos = call.url.pathname.includes(lngLat("davos"));
      return (isDavos ? roadEngineWires.osrm.refusesWithNoRoute : roadEngineWires.osrm.speaks(islands))(response, call);
    });
    const missing = await compared(engine.url);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /[1-9]\d* without a route on the engine/);
    engine.behave(answersHtml(200));
    const silent = await compared(engine.url);
    assert.equal(silent.code, 1);
    assert.match(silent.stderr, /cannot be measured on/);
  });
});

function lngLat(id: string): string {
  const { lat, lng } = places.byId(id)?.carStop ?? assert.fail(id);
  return `${lng.toFixed(5)},${lat.toFixed(5)}`;
}
