// The real Valhalla on the catalog's own roads, which it knows nothing of the seasons of: 50 published ski corridors on
// 15 January, with and without closed roads excluded. `npm run test:valhalla`; its package, 280 MB, is installed into a
// temporary folder once for each version of the lock file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createCatalogOverlay } from "../../src/adapters/engines/catalog-overlay.ts";
import { openMeasuredByEngine } from "../../src/adapters/engines/measured-by-engine.ts";
import type { RoadEngine } from "../../src/adapters/engines/road-engine.ts";
import { createValhalla } from "../../src/adapters/engines/valhalla.ts";
import { createUpstreamClient } from "../../src/adapters/upstream/upstream-client.ts";
import { textsOf } from "../../src/contract/notices.ts";
import { loadCatalog } from "../../src/domain/catalog/catalog.ts";
import type { Corridor } from "../../src/domain/catalog/catalog-schema.ts";
import { crowFliesKm, type Position } from "../../src/domain/places/geo.ts";
import { stopOf } from "../../src/domain/quotes/locate-points.ts";
import { createRoadNetwork } from "../../src/domain/routing/road-network.ts";
import type { RouteStop } from "../../src/domain/routing/router.ts";
import { isClosed } from "../../src/domain/routing/timetable.ts";
import { pricingOf } from "../../src/operate/compose/embedded-pricing.ts";
import { silentLog } from "../../src/ops/log.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { osmExtract } from "./osm-extract.ts";

type Journey = Pick<Corridor, "origin" | "destination">;

const CORRIDORS = 50;
const JANUARY = new Date("2027-01-15T10:00:00+01:00");
const ON_THE_ROAD_KM = 0.05;
const here = dirname(fileURLToPath(import.meta.url));
const { catalog, places } = pricingOf(loadCatalog(packagedCatalog));
const { roads, corridors, serviceArea, tariff } = catalog;
const closedAt = roads.edges.flatMap((edge) =>
  edge.closed?.at && !edge.carTrain && isClosed(edge, "01-15") ? [edge.closed.at] : [],
);

const { installPackages } = await import(join(here, "../support/install-packages.mjs"));
const folder: string = installPackages(here);
const { Actor } = await import(join(folder, "node_modules/@valhallajs/valhallajs/index.mjs"));
const actor = await Actor.fromConfigFile(tilesOf(osmExtract(roads)));
let shapes: string[] = [];
const server = createServer(async (request, response) => {
  const body = await text(request);
  try {
    const answer = await (request.url === "/status" ? actor.status("{}") : actor.route(body));
    if (request.url !== "/status") shapes = JSON.parse(answer).trip.legs.map(({ shape }: { shape: string }) => shape);
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  } catch (error) {
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(refusalIn(error)));
  }
}).listen(0, "127.0.0.1");
await once(server, "listening");

const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = createUpstreamClient({ name: "routing engine", baseUrl, log: silentLog });
const overlay = createCatalogOverlay(createRoadNetwork(roads, tariff.timeZone), roads, tariff.timeZone);
const valhalla = createValhalla(client);
const before = await measured({ ...valhalla, canAvoid: () => false });
const after = await measured(valhalla);
for (const [name, { payable, overPass }] of Object.entries({ before, after })) {
  process.stdout.write(`${name}: ${payable} of ${CORRIDORS} payable, ${overPass} over a closed pass\n`);
}
await client.close();
server.close();
assert.ok(before.overPass > 0, "without exclusion some corridor leads over a closed pass");
assert.equal(after.overPass, 0);
assert.ok(after.payable > before.payable && after.payable >= CORRIDORS * 0.85);

async function measured(engine: RoadEngine) {
  const router = await openMeasuredByEngine("valhalla", engine, { overlay, box: serviceArea.box, log: silentLog });
  let payable = 0;
  let overPass = 0;
  for (const journey of skiCorridors()) {
    const name = `${journey.origin} to ${journey.destination}`;
    shapes = [];
    const { doubts, distanceKm } = await router.measure(stopsOf(journey), JANUARY, AbortSignal.timeout(30_000));
    assert.ok(shapes.length > 0, name);
    if (doubts.length === 0) payable += 1;
    else process.stdout.write(`  ${name}: ${distanceKm} km: ${textsOf(doubts).join(" ")}\n`);
    if (shapes.flatMap(pointsOf).some((point) => closedAt.some((at) => crowFliesKm(at, point) < ON_THE_ROAD_KM)))
      overPass += 1;
  }
  return { payable, overPass };
}

/** Half of them published, half between resorts whose usual route leads over a pass that is closed in winter. */
function skiCorridors(): readonly Journey[] {
  const published = corridors.filter(({ transferType }) => transferType === "resort");
  const resorts = catalog.places.filter(({ kind, main }) => kind === "resort" && main).map(({ id }) => id);
  const between = resorts.flatMap((origin) => resorts.map((destination) => ({ origin, destination })));
  const network = createRoadNetwork(roads, tariff.timeZone);
  const isSeasonal = (journey: Journey) => network.journey(stopsOf(journey), JANUARY).seasonalRoads.length > 0;
  const overPasses = between.filter((journey) => journey.origin !== journey.destination && isSeasonal(journey));
  return [spread(published), spread(overPasses)].flat();
}

/** Half of the corridors, evenly taken from the list. */
function spread<T>(list: readonly T[]): readonly T[] {
  const count = CORRIDORS / 2;
  return list.filter(
    (_, index) => Math.floor((index * count) / list.length) !== Math.floor(((index - 1) * count) / list.length),
  );
}

function stopsOf({ origin, destination }: Journey): readonly RouteStop[] {
  return [origin, destination].flatMap((id) => places.byId(id) ?? []).map(stopOf);
}

/** The path of a configuration for tiles of this extract. */
function tilesOf(extract: Buffer): string {
  const tiles = join(folder, "tiles");
  mkdirSync(tiles, { recursive: true });
  writeFileSync(join(folder, "roads.osm.pbf"), extract);
  const cli = join(folder, "node_modules/@valhallajs/valhallajs/bin/valhalla-cli.js");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [cli, ...args], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  const config = join(folder, "valhalla.json");
  writeFileSync(config, run("build_config", "--mjolnir-tile-dir", tiles, "--mjolnir-concurrency", "2"));
  run("build_tiles", "-c", config, join(folder, "roads.osm.pbf"));
  return config;
}

function refusalIn(error: unknown): { readonly error_code: number; readonly error: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { error_code: Number(/\d{3}/.exec(message)?.[0] ?? 199), error: message };
}

/** A polyline of Valhalla, six digits of precision. */
function pointsOf(shape: string): readonly Position[] {
  const points: Position[] = [];
  let index = 0;
  const next = () => {
    let [result, shift, byte] = [0, 0, 32];
    while (byte >= 32) {
      byte = shape.charCodeAt(index++) - 63;
      result += (byte % 32) * 2 ** shift;
      shift += 5;
    }
    return result % 2 === 1 ? -(result + 1) / 2 : result / 2;
  };
  for (let [lat, lng] = [0, 0]; index < shape.length; ) {
    lat += next();
    lng += next();
    points.push({ lat: lat / 1e6, lng: lng / 1e6 });
  }
  return points;
}
