import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aFreePort } from "../support/machines.ts";
import { sendLoad } from "../support/raw-load.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { type Contestant, framework, rows, service } from "./contestants.ts";
import { cpuSecondsOf } from "./cpu-time.ts";
import { installedPeers } from "./installed-peers.ts";

/**
 * The built server with all that it promises against bare frameworks, in turns: `npm run bench [-- part of a path]
 * [--rounds 5] [--json]`. Clients and servers share this machine's processors, so only the ratios mean something. Linux.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "5" }, json: { type: "boolean", default: false } },
});
const CONNECTIONS = 16;
const RUN_MS = 1_500;
const SETTLE_MS = 300;
const WARM_CALLS = 10_000;
const WARM_RUNS = 8;

const cleanUps: (() => unknown)[] = [];
const t = { after: (clean: unknown) => void cleanUps.unshift(clean as () => unknown) };
const measured: Measurement[] = [];
try {
  const ours = await service(t);
  const answers = join(aFolder(t), "answers.json");
  writeFileSync(answers, JSON.stringify(await ours.answers()));
  const folder = installedPeers();
  for (const row of rows.filter(({ path }) => path.includes(positionals[0] ?? ""))) {
    const port = await aFreePort();
    const tools = join(packageRoot, "dist/tools/tools.js");
    const args = [join(folder, "peers.mjs"), row.peer, String(port), answers, tools];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const theirs = await framework(row, port, child.pid ?? 0);
    measured.push(await measure(row, ours.contestant(row), theirs));
    child.kill("SIGKILL");
  }
} finally {
  for (const clean of cleanUps) await clean();
}
if (values.json)
  process.stdout.write(`${JSON.stringify({ cpu: cpus()[0]?.model, node: process.version, measured })}\n`);
else show();

interface Side {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: number;
  readonly memoryMb: number;
}

interface Measurement {
  readonly path: string;
  readonly peer: string;
  readonly goal: number;
  /** Calls a second, of the medians. */
  readonly ratio: number;
  /** The peer's CPU time for a call by ours: other load on the machine changes it less. */
  readonly cpuRatio: number;
  readonly ours: Side;
  readonly theirs: Side;
}

async function measure(row: (typeof rows)[number], a: Contestant, b: Contestant): Promise<Measurement> {
  await warm(a);
  await warm(b);
  const runs: { ours: Side; theirs: Side }[] = [];
  while (runs.length < Number(values.rounds)) runs.push({ ours: await run(a), theirs: await run(b) });
  const ours = medians(runs.map((each) => each.ours));
  const theirs = medians(runs.map((each) => each.theirs));
  const { path, peer, goal } = row;
  const [ratio, cpuRatio] = [ours.perSecond / theirs.perSecond, theirs.cpuMs / ours.cpuMs];
  return { path, peer, goal, ratio, cpuRatio, ours, theirs };
}

/** V8 optimizes by calls, not by seconds: the slower of two would be measured cold. */
async function warm(contestant: Contestant): Promise<void> {
  let calls = 0;
  for (let runs = 0; runs < WARM_RUNS && calls < WARM_CALLS; runs += 1)
    calls += ((await run(contestant)).perSecond * RUN_MS) / 1000;
}

async function run({ port, pid, requests }: Contestant): Promise<Side> {
  const before = cpuSecondsOf(pid);
  const load = { port, connections: CONNECTIONS, milliseconds: RUN_MS, settleMs: SETTLE_MS, requests };
  const { statuses, perSecond, p50, p99 } = await sendLoad(t, load);
  const cpuMs = (cpuSecondsOf(pid) - before) * 1000;
  const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const accepted = (statuses[200] ?? 0) + (statuses[201] ?? 0);
  if (total === 0 || accepted < total) throw new Error(`not all calls succeeded: ${JSON.stringify(statuses)}`);
  const [, memoryKb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { perSecond, p50, p99, cpuMs: cpuMs / total, memoryMb: Number(memoryKb) / 1000 };
}

function medians(sides: readonly Side[]): Side {
  const of = (name: keyof Side) =>
    sides.map((side) => side[name]).sort((a, b) => a - b)[Math.floor(sides.length / 2)] ?? Number.NaN;
  return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99"), cpuMs: of("cpuMs"), memoryMb: of("memoryMb") };
}

function show(): void {
  const table = new Table({
    head: ["path", "peer = 1", "ratio", "by CPU", "goal", "p50 ms", "p99 ms", "CPU ms a call", "MB"],
    style: { head: [], border: [] },
  });
  for (const { path, peer, ratio, cpuRatio, goal, ours, theirs } of measured) {
    const both = (name: keyof Side, digits: number) =>
      `${ours[name].toFixed(digits)} / ${theirs[name].toFixed(digits)}`;
    const figures = [both("p50", 1), both("p99", 1), both("cpuMs", 3), both("memoryMb", 0)];
    table.push([path, peer, ratio.toFixed(2), cpuRatio.toFixed(2), goal.toFixed(1), ...figures]);
  }
  process.stdout.write(`${table}\n`);
}
