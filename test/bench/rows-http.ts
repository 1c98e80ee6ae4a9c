import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aFreePort } from "../support/machines.ts";
import { sendLoad } from "../support/raw-load.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { type Contestant, framework, rows, service } from "./contestants.ts";
import { cpuMsOfThreads, memoryMbOf } from "./cpu-time.ts";
import { installedPeers } from "./installed-peers.ts";
import { type CleanUp, type Measurement, medians, quotient, type Side } from "./measurement.ts";
import { aTraceSink } from "./trace-sink.ts";

const CONNECTIONS = 16;
const LONG = { milliseconds: 1_500, settleMs: 300 };
const WARM_CALLS = 10_000;
const SHORT = { milliseconds: 500, settleMs: 100 };

/** Rows that are measured again in CI. */
export const GATED_PATHS = ["GET /vehicle-classes", "POST /quotes", "tools/call get_quote_requirements"];

/** The built server, with log lines, metrics and traces, against each peer, both under the same load in turns. */
export async function httpRows(
  t: CleanUp,
  { part, rounds, short = false }: { readonly part: string; readonly rounds: number; readonly short?: boolean },
): Promise<readonly Measurement[]> {
  const chosen = rows.filter(({ path }) => path.includes(part));
  if (chosen.length === 0) return [];
  const traces = await aTraceSink(t);
  const ours = await service(t, traces.env);
  const answers = join(aFolder(t), "answers.json");
  writeFileSync(answers, JSON.stringify(await ours.answers()));
  const measured: Measurement[] = [];
  for (const row of chosen) {
    const { child, port } = await startPeer(t, row.peer, answers);
    const theirs = await framework(row, port, child.pid ?? 0);
    measured.push(await measure(row, ours.contestant(row), theirs));
    child.kill("SIGKILL");
  }
  if (traces.bytes() === 0) throw new Error("the server has sent no traces");
  return measured;

  async function measure(row: (typeof rows)[number], a: Contestant, b: Contestant): Promise<Measurement> {
    for (const side of [a, b]) await warm(side);
    const runs: { ours: Side; theirs: Side }[] = [];
    while (runs.length < rounds) runs.push({ ours: await run(a), theirs: await run(b) });
    const [ours, theirs] = [medians(runs.map((each) => each.ours)), medians(runs.map((each) => each.theirs))];
    const { path, peer, goal } = row;
    const ratio = quotient(ours.perSecond, theirs.perSecond);
    return { path, peer, goal, ratio, cpuRatio: quotient(theirs.cpuMs, ours.cpuMs), ours, theirs };
  }

  /** V8 optimizes by calls, not by seconds: the slower of two would be measured cold. */
  async function warm(contestant: Contestant): Promise<void> {
    let calls = 0;
    for (let runs = 0; runs < (short ? 4 : 8) && calls < WARM_CALLS; runs += 1)
      calls += ((await run(contestant, LONG)).perSecond ?? 0) * (LONG.milliseconds / 1000);
  }

  async function run({ port, pid, requests }: Contestant, lengths = short ? SHORT : LONG): Promise<Side> {
    const before = cpuMsOfThreads(pid);
    const load = { port, connections: CONNECTIONS, requests, ...lengths };
    const { statuses, perSecond, p50, p99 } = await sendLoad(t, load);
    const cpuMs = cpuMsOfThreads(pid) - before;
    const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const accepted = (statuses[200] ?? 0) + (statuses[201] ?? 0);
    if (total === 0 || accepted < total) throw new Error(`not all calls succeeded: ${JSON.stringify(statuses)}`);
    return { perSecond, p50, p99, cpuMs: cpuMs / total, memoryMb: memoryMbOf(pid) };
  }
}

/** A process of `peers.mjs` that listens. */
export async function startPeer(t: CleanUp, peer: string, answers: string) {
  const port = await aFreePort();
  const tools = join(packageRoot, "dist/tools/tools.js");
  const args = [join(installedPeers(), "peers.mjs"), peer, String(port), answers, tools];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return { child, port };
}
