// Runs the official conformance suite against the built server. Its packages and a newer Node are installed into a
// temporary folder once for each version of the lock file.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../support/install-packages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const folder = installPackages(here);
const { checkConformance } = await import(join(folder, "suite.mjs"));
const failures = await checkConformance(cli);
for (const failure of failures) process.stderr.write(`✖ ${failure}\n`);
process.exit(failures.length === 0 ? 0 : 1);
