import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { compareRoads } from "../../../scripts/compare-roads.ts";
import type { RouteStop } from "../../../src/domain/routing/router.ts";
import { aFakeEngine, answersHtml } from "../../support/fake-engine.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { trueRoads } from "../../support/wires/road-engine-wire.ts";
import { roadEngineWires } from "../../support/wires/road-engine-wires.ts";

const { catalog, places } = defaultCatalog;
const { osrm } = roadEngineWires;
const positionOf = ({ lat, lng }: { readonly lat: number; readonly lng: number }) =>
  `${lat.toFixed(5)},${lng.toFixed(5)}`;
/** Places by the position that is sent to an engine. */
const byPosition = new Map(
  catalog.places.flatMap(({ id }) => {
    const carStop = places.byId(id)?.carStop;
    return carStop ? [[positionOf(carStop), { ...carStop, placeId: id }] as const] : [];
  }),
);

/** By the places: every run of the command asks for the same routes. */
const measured = new Map<string, ReturnType<typeof trueRoads>>();

/** An engine on the very roads of the catalog, which finds every route to Davos so many times as long. */
function withDavos(factor: number) {
  const isDavos = (stops: readonly RouteStop[]) => stops.some(({ placeId }) => placeId === "davos");
  return osrm.speaks((stops) => {
    const known = stops.flatMap((stop) => byPosition.get(positionOf(stop)) ?? []);
    // A probe for the engine's version is between no places.
    if (known.length < stops.length) return [{ km: 2, minutes: 5 }];
    const key = known.map(({ placeId }) => placeId).join(" ");
    const legs = measured.get(key) ?? trueRoads(known);
    measured.set(key, legs);
    return legs.map(({ km, minutes }) => ({ km: km * (isDavos(known) ? factor : 1), minutes }));
  });
}

async function compared(t: TestContext, behavior: ReturnType<typeof withDavos>, ...args: readonly string[]) {
  const engine = await aFakeEngine(t, behavior);
  const written = { stdout: "", stderr: "" };
  const to = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) });
  const code = await compareRoads([engine.url, ...args], { stdout: to("stdout"), stderr: to("stderr") });
  return { code, ...written, calls: engine.calls.length };
}

test("an engine whose way to Davos is 10 % longer differs there alone, and ends with 1", async (t) => {
  const { code, stdout, stderr, calls } = await compared(t, withDavos(1 / 0.9));
  assert.equal(code, 1);
  assert.match(stdout, /^route,catalog_km,engine_km,difference_percent\n/);
  assert.match(stdout, /^zurich-airport-to-davos,\d+\.\d,\d+\.\d,-10\.0$/m);
  for (const line of stdout.trim().split("\n").slice(1)) assert.match(line, /davos/);
  assert.match(stderr, /^[1-9]\d* of \d+ routes differ by more than 5 %; /m);
  assert.ok(calls >= catalog.corridors.length + 500, String(calls));
});

test("a threshold above the difference ends with 0", async (t) => {
  const { code, stdout } = await compared(t, withDavos(1 / 1.1), "--threshold", "12");
  assert.equal(code, 0);
  assert.match(stdout, /^zurich-airport-to-davos,.*,10\.0$/m);
});

test("an engine without a route for a corridor, or that does not answer, ends with 1", async (t) => {
  const speaks = withDavos(1);
  const { lat, lng } = places.byId("davos")?.carStop ?? assert.fail();
  const davos = `${lng.toFixed(5)},${lat.toFixed(5)}`;
  const missing = await compared(t, (response, call) =>
    (call.url.pathname.includes(davos) ? osrm.refusesWithNoRoute : speaks)(response, call),
  );
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /[1-9]\d* without a route on the engine/);
  const silent = await compared(t, answersHtml(200));
  assert.equal(silent.code, 1);
  assert.match(silent.stderr, /cannot be measured on/);
});
