import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Table from "cli-table3";
import { sendLoad } from "../support/raw-load.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { type Contestant, rows, service } from "./contestants.ts";
import { cpuMsOfThreads } from "./cpu-time.ts";
import { type CleanUp, loadNow, median, thisMachine } from "./measurement.ts";
import { aTraceSink } from "./trace-sink.ts";

/**
 * What log lines, metrics and traces cost: the built server without any of them, with log lines and metrics, which is how
 * it comes, and with traces to a collector on this machine besides, by default, of one request in ten and of all, in turns:
 * `npm run bench:observed`. Ratios are medians of the rounds' own ratios. Linux.
 */
const ROUNDS = 9;
const LOAD = { connections: 16, milliseconds: 1_500, settleMs: 300 };
const WARM = { ...LOAD, milliseconds: 4_000 };

const cleanUps: (() => unknown)[] = [];
const t: CleanUp = { after: (clean) => void cleanUps.unshift(clean as () => unknown) };
try {
  const loadBefore = loadNow();
  const { env } = await aTraceSink(t);
  const bare = await service(t, { TRANSFER_LOG_LEVEL: "silent", NODE_OPTIONS: `--import=${withoutMetrics()}` });
  const usual = await service(t);
  const traced = await service(t, env);
  const everyTenth = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" };
  const sampled = await service(t, { ...env, ...everyTenth });
  const all = await service(t, { ...env, OTEL_TRACES_SAMPLER: "parentbased_always_on" });
  const sides = {
    nothing: bare,
    "log lines, metrics": usual,
    "and traces": traced,
    "and 10 % of traces": sampled,
    "and all traces": all,
  };
  const table = new Table({ head: ["path", "with", "calls a second", "ratio", "CPU, µs a call", "ratio"] });
  for (const row of rows.filter(({ peer }) => peer === "express")) {
    const contestants = Object.values(sides).map(({ contestant }) => contestant(row));
    for (const each of contestants) await run(each, WARM);
    const rounds: { perSecond: number; cpu: number }[][] = [];
    while (rounds.length < ROUNDS) {
      const round = [];
      for (const each of contestants) round.push(await run(each, LOAD));
      rounds.push(round);
    }
    for (const [n, name] of Object.keys(sides).entries()) {
      const of = (name: "perSecond" | "cpu") => median(rounds.map((round) => round[n]?.[name] ?? 0));
      const by = (name: "perSecond" | "cpu") =>
        median(rounds.map((round) => (round[n]?.[name] ?? 0) / (round[0]?.[name] ?? 0))).toFixed(3);
      table.push([row.path, name, of("perSecond").toFixed(0), by("perSecond"), of("cpu").toFixed(0), by("cpu")]);
    }
  }
  process.stdout.write(`${thisMachine()}, load ${loadBefore}\n${table}\n`);
} finally {
  for (const clean of cleanUps) await clean();
}

async function run({ port, pid, requests }: Contestant, lengths: typeof LOAD) {
  const before = cpuMsOfThreads(pid);
  const { statuses, perSecond } = await sendLoad(t, { port, requests, ...lengths });
  const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const accepted = (statuses[200] ?? 0) + (statuses[201] ?? 0);
  if (total === 0 || accepted < total) throw new Error(`not all calls succeeded: ${JSON.stringify(statuses)}`);
  return { perSecond, cpu: ((cpuMsOfThreads(pid) - before) * 1000) / total };
}

/** A module that has the server load the metrics of processes without `/metrics`; no setting does that. */
function withoutMetrics(): string {
  const path = join(aFolder(t), "without-metrics.mjs");
  const hooks = `export async function load(url, context, next) {
    if (!url.endsWith("/src/ops/metrics.js")) return next(url, context);
    const source = 'import { noMetrics } from "./no-metrics.js"; export const createMetrics = () => noMetrics;';
    return { format: "module", source, shortCircuit: true };
  }`;
  const address = `data:text/javascript,${encodeURIComponent(hooks)}`;
  writeFileSync(path, `import { register } from "node:module"; register(${JSON.stringify(address)});`);
  return path;
}
