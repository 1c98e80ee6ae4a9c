// What the built program spends at its start on places and roads, as JSON; `routes.ts` runs it several times, each in a
// new process, because code that has run before is faster. Plain JavaScript, so that nothing is compiled meanwhile.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const built = (path) => import(join(root, "dist", "src", path));
const { createGazetteer } = await built("places/gazetteer.js");
const { loadPlaces } = await built("places/load-places.js");
const { createEmbeddedRouter } = await built("routing/embedded-router.js");
const { loadRoads } = await built("routing/load-roads.js");
const catalogue = join(root, "fixtures", "catalog");

global.gc?.();
const before = process.memoryUsage().heapUsed;
const started = performance.now();
const kept = [
  createGazetteer(loadPlaces(catalogue)),
  createEmbeddedRouter(loadRoads(catalogue), "Europe/Zurich"),
];
const milliseconds = performance.now() - started;
global.gc?.();
const megabytes = (process.memoryUsage().heapUsed - before) / 1_000_000;
process.stdout.write(JSON.stringify({ milliseconds, megabytes, kept: kept.length }));
