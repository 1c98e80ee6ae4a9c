// What the built program spends on catalog, places and roads when it starts, as JSON. `routes.ts` runs it several times,
// each in a new process, because code that has run before is faster. JavaScript, so that nothing is compiled meanwhile.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { embeddedPricing } = await import(join(root, "dist", "src", "compose", "compose-pricing.js"));

global.gc?.();
const before = process.memoryUsage().heapUsed;
const started = performance.now();
const kept = embeddedPricing({ catalogDir: join(root, "fixtures", "catalog") });
const milliseconds = performance.now() - started;
global.gc?.();
const megabytes = (process.memoryUsage().heapUsed - before) / 1_000_000;
process.stdout.write(JSON.stringify({ milliseconds, megabytes, places: kept.catalog.places.length }));
