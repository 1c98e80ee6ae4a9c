// Lints docs/openapi.json with Redocly (recommended) and Spectral (oas). Fails on any error or warning.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../support/install-packages.mjs";

const document = fileURLToPath(new URL("../../docs/openapi.json", import.meta.url));
if (Object.keys(JSON.parse(readFileSync(document, "utf8")).paths).length === 0) fail("the document has no paths");
const folder = installPackages(dirname(fileURLToPath(import.meta.url)));
writeFileSync(join(folder, "spectral.json"), '{ "extends": ["spectral:oas"] }');
const linters = [
  ["redocly", "lint", "--extends", "recommended", "--format", "checkstyle", document],
  ["spectral", "lint", "--ruleset", join(folder, "spectral.json"), "--fail-severity", "hint", document],
];
for (const [name = "", ...args] of linters) {
  const { status, stdout, stderr } = spawnSync(join(folder, "node_modules", ".bin", name), args, {
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off" },
  });
  if (status !== 0 || /severity=/.test(stdout)) fail(`${name}:\n${stdout}${stderr}`);
}
process.stdout.write("docs/openapi.json: no findings of Redocly and Spectral\n");

function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
