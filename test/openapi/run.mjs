// Lints docs/openapi.json with Redocly (recommended) and Spectral (oas), compiles docs/typed-client.ts with types
// generated from it, and runs it against the built server. Fails on any error or warning.
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram, startServer } from "../conformance/server.mjs";
import { installPackages } from "../support/install-packages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = installPackages(dirname(fileURLToPath(import.meta.url)));
const server = await startServer(join(root, "dist/cli.js"));
process.once("exit", () => void server.close());
copyFileSync(join(root, "docs/openapi.json"), join(folder, "openapi.json"));
// With an external issuer, whose endpoints the server does not know.
const issuer = {
  TRANSFER_AUTH_ISSUER: "https://login.example.com",
  TRANSFER_AUTH_AUDIENCE: "https://api.example.com",
  TRANSFER_ACCEPT_FAULTS: "true",
};
const other = await startProgram(
  [join(root, "dist/cli.js"), "serve"],
  { TRANSFER_HTTP_PORT: "0", ...issuer },
  /Tokens +from/,
);
const [, otherUrl] = /REST +(http:\/\/[^/]+)/.exec(other.printed);
writeFileSync(join(folder, "external.json"), await (await fetch(`${otherUrl}/openapi.json`)).text());
await other.close();
const source = readFileSync(join(root, "docs/typed-client.ts"), "utf8");
writeFileSync(join(folder, "typed-client.ts"), source.replace("http://127.0.0.1:3000/api", `${server.url}/api`));
const description = "openapi.json";
const descriptions = [description, "external.json"];
for (const each of descriptions)
  if (Object.keys(JSON.parse(readFileSync(join(folder, each), "utf8")).paths).length === 0) fail(`${each}: no paths`);

// Spectral takes a field of this example, whose "type" is "array", for a schema.
const example = "#/paths/~1quote-requirements/get/responses/200/content/application~1json/example";
const overrides = descriptions.map((each) => ({ files: [`${each}${example}`], rules: { "array-items": "off" } }));
writeFileSync(join(folder, "spectral.json"), JSON.stringify({ extends: ["spectral:oas"], overrides }));
const redocly = run("redocly", "lint", "--extends", "recommended", "--format", "checkstyle", ...descriptions);
if (redocly.includes("severity=")) fail(redocly);
run("spectral", "lint", "--ruleset", "spectral.json", "--fail-severity", "hint", ...descriptions);

run("openapi-typescript", description, "--output", "transfer-api.d.ts");
const types = dirname(fileURLToPath(import.meta.resolve("@types/node/package.json")));
const options = ["--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022"];
run("tsc", ...options, "--types", types, "typed-client.ts");
const env = { ...process.env, TOKEN: server.token };
const { stdout: prices } = spawnSync(process.execPath, ["typed-client.js"], { cwd: folder, encoding: "utf8", env });
if (!/^van \d+/m.test(prices)) fail(`docs/typed-client.ts: ${prices}`);
await server.close();
process.stdout.write(
  "docs/openapi.json and that of an external issuer: no findings of Redocly and Spectral, and docs/typed-client.ts gets a quote\n",
);

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
