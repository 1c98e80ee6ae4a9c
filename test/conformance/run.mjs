// Runs the official conformance suite and the journey of six clients against the built server. Their packages, half a
// gigabyte with a newer Node, are installed into a temporary folder once for each version of the lock file.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const cli = fileURLToPath(new URL("../../dist/src/cli.js", import.meta.url));
const lock = createHash("sha256")
  .update(readFileSync(join(here, "package-lock.json")))
  .digest("hex");
const folder = join(tmpdir(), `transfer-quote-conformance-${lock.slice(0, 16)}`);

cpSync(here, folder, { recursive: true });
if (!existsSync(join(folder, "node_modules", ".package-lock.json"))) {
  const install = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", install, { cwd: folder, stdio: "inherit" });
}
const { checkConformance } = await import(join(folder, "suite.mjs"));
const { runJourneys } = await import(join(folder, "journeys.mjs"));
const failures = [...(await checkConformance(cli)), ...(await runJourneys(cli))];
for (const failure of failures) process.stderr.write(`✖ ${failure}\n`);
process.exit(failures.length === 0 ? 0 : 1);
