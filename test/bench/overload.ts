import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import type { LoadReport } from "../support/load-client.ts";
import { loadOf, metricOf } from "../support/raw-load.ts";
import { besideOthers } from "./beside.ts";

/**
 * What 64 connections that send without a pause do to the built server: `npm run bench:overload`. Ends with 1 unless
 * accepted calls stay below ten times their unloaded time, memory stays flat over 30 s, /healthz answers within a second
 * and quotes keep half of their rate beside 48 connections on any other path. Clients and server share
 * this machine's processors, so the times are relative; run it on an idle machine.
 */
const CONNECTIONS = 64;
const endless = { points: 1_000_000_000, seconds: 60 };
const cleanUps: (() => unknown)[] = [];
const t = { after: (clean: unknown) => void cleanUps.unshift(clean as () => unknown) };
const faults: string[] = [];

try {
  const budgets = { quote_estimate: endless, quote_authoritative: endless };
  const server = await startBuiltServer(t, { TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t, budgets) });
  const load = (path: string, connections: number, seconds: number) =>
    loadOf(t, server, path, connections, seconds * 1_000);

  // Estimates: the embedded store keeps an index of its quotes in memory, which grows with quotes as it should.
  for (const [path, seconds] of [
    ["/quote-intents", 30],
    ["/quotes", 10],
  ] as const) {
    const unloaded = await load(path, 1, 4);
    const { report, memory, slowestHealthMs } = await watched(load(path, CONNECTIONS, seconds));
    const after = await load(path, 1, 4);
    for (const [what, each] of Object.entries({ unloaded, overloaded: report, after })) {
      process.stdout.write(`${path} ${what}: ${figures(each)}\n`);
    }
    // Whatever else runs here comes and goes: the unloaded time is the worse of that before and that after.
    const p99 = Math.max(unloaded.p99, after.p99);
    expect(report.p99 < 10 * p99, `p99 is ${report.p99} ms under load, ${p99} ms without`);
    expect(after.p50 < 3 * unloaded.p50, `p50 is ${after.p50} ms afterwards, ${unloaded.p50} ms before`);
    expect(slowestHealthMs < 1_000, `/healthz took ${slowestHealthMs} ms`);
    expect(report.malformed === 0, `${report.malformed} malformed 503 responses`);
    expect(isDeepStrictEqual(Object.keys(after.statuses), Object.keys(unloaded.statuses)), "still overloaded");
    if (path === "/quote-intents") {
      const half = memory.length / 2;
      const [early, late] = [median(memory.slice(half - 3, half)), median(memory.slice(-3))];
      process.stdout.write(`memory: ${mb(early)} halfway, ${mb(late)} at the end, ${memory.length} samples\n`);
      expect(late < 1.2 * early, `memory grew from ${mb(early)} to ${mb(late)}`);
    }
  }

  for (const { path, aloneBefore, beside, aloneAfter, others } of await besideOthers(t, server, 5)) {
    const rates = [aloneBefore, beside, aloneAfter].map(Math.round);
    process.stdout.write(
      `quotes/s alone, beside ${path}, alone: ${rates.join(", ")}; ${JSON.stringify(others.statuses)}\n`,
    );
    expect(beside >= Math.min(aloneBefore, aloneAfter) / 2, `quotes fall to ${rates[1]}/s beside ${path}`);
  }

  /** Asks for health and memory once a second during the load. */
  async function watched(load: Promise<LoadReport>) {
    const memory: number[] = [];
    let slowestHealthMs = 0;
    let over = false;
    const done = load.finally(() => {
      over = true;
    });
    while (!over) {
      const asked = performance.now();
      await fetch(`${server.publicUrl}/healthz`);
      slowestHealthMs = Math.max(slowestHealthMs, performance.now() - asked);
      const bytes = await metricOf(server, "process_resident_memory_bytes");
      // /metrics is rejected like a call while the server sheds load.
      if (!Number.isNaN(bytes)) memory.push(bytes);
      await sleep(1_000);
    }
    return { report: await done, memory, slowestHealthMs };
  }
} finally {
  for (const clean of cleanUps) await clean();
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function expect(holds: boolean, fault: string): void {
  if (!holds) faults.push(fault);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function mb(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function figures({ p50, p99, statuses }: LoadReport): string {
  return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${JSON.stringify(statuses)}`;
}
