// What reading and checking a catalog folder takes the built program, as JSON, for `rows-start.ts`: in a process of its
// own, because code that has run before is faster.
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../dist/src/catalog/catalog.js", import.meta.url));
const { loadCatalog } = await import(built);
const [, , folder] = process.argv;

const started = performance.now();
const cpuBefore = process.cpuUsage();
loadCatalog(folder);
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(JSON.stringify({ milliseconds: performance.now() - started, cpuMs: (user + system) / 1000 }));
