// Lints docs/openapi.json with Redocly (recommended) and Spectral (oas), and compiles docs/typed-client.ts with types
// generated from it. Fails on any error or warning.
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../support/install-packages.mjs";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const folder = installPackages(dirname(fileURLToPath(import.meta.url)));
for (const file of ["openapi.json", "typed-client.ts"]) copyFileSync(join(docs, file), join(folder, file));
const description = "openapi.json";
if (Object.keys(JSON.parse(readFileSync(join(folder, description), "utf8")).paths).length === 0) fail("no paths");

// Spectral takes a field of this example, whose "type" is "array", for a schema.
const example = "#/paths/~1quote-requirements/get/responses/200/content/application~1json/example";
const overrides = [{ files: [`${description}${example}`], rules: { "array-items": "off" } }];
writeFileSync(join(folder, "spectral.json"), JSON.stringify({ extends: ["spectral:oas"], overrides }));
const redocly = run("redocly", "lint", "--extends", "recommended", "--format", "checkstyle", description);
if (redocly.includes("severity=")) fail(redocly);
run("spectral", "lint", "--ruleset", "spectral.json", "--fail-severity", "hint", description);

run("openapi-typescript", description, "--output", "transfer-api.d.ts");
const types = dirname(fileURLToPath(import.meta.resolve("@types/node/package.json")));
const options = ["--strict", "--noEmit", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
run("tsc", ...options, "--types", types, "typed-client.ts");
process.stdout.write("docs/openapi.json: no findings of Redocly and Spectral, and docs/typed-client.ts compiles\n");

function run(name, ...args) {
  const { status, stdout, stderr } = spawnSync(join(folder, "node_modules", ".bin", name), args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, REDOCLY_TELEMETRY: "off" },
  });
  if (status !== 0) fail(`${name}:\n${stdout}${stderr}`);
  return stdout;
}

function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
