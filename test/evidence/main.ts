import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { packageRoot } from "../../src/ops/package-root.ts";
import { withCleanUp } from "../support/lifetime.ts";
import { createRandom, type Random } from "../support/random.ts";
import { type Deployment, embeddedDeployment, sharedDeployment } from "./deployments.ts";
import type { Fault } from "./faults.ts";
import type { Violation } from "./history.ts";
import { judge } from "./judge.ts";
import { startLoad } from "./load.ts";
import { linesOf, markdownOf, type Run } from "./report.ts";
import { READY } from "./server-process.ts";

/** Holds what is not made from the run, too. */
const DOCUMENT = "docs/maintainers/evidence.md";

/**
 * Attacks the built program and holds what clients saw against its promises: `npm run evidence -- --seed 1 --minutes 60`,
 * or `--short`, which takes less than a minute and writes no file. SIGTERM ends a run early and still judges it. Exits
 * with 1 where a promise was broken.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "60" },
    short: { type: "boolean", default: false },
    out: { type: "string", default: DOCUMENT },
  },
});
const seed = Number(values.seed);
const limitMs = values.short ? 20_000 : Number(values.minutes) * 60_000;
if (!Number.isInteger(seed) || !(limitMs > 0)) throw new Error("--seed and --minutes must be numbers");
const HOLD_MS = values.short ? 500 : 2_000;
const RECOVERED_WITHIN_MS = 120_000;

const startedAt = new Date();
const notRun: string[] = [];
let isOver = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, end);

await withCleanUp(async (t) => {
  const embedded = await embeddedDeployment(t, notRun);
  const shared = await sharedDeployment(t, notRun);
  const begun = performance.now();
  const stopping = setTimeout(end, limitMs);
  const deployments = shared ? [embedded, shared] : [embedded];
  const runs = await Promise.all(
    deployments.map((deployment, index) => attack(deployment, createRandom(seed + index))),
  );
  clearTimeout(stopping);
  const minutes = Math.min(limitMs, performance.now() - begun) / 60_000;
  const report = { seed, startedAt, minutes, runs, notRun };
  process.stdout.write(`${linesOf(report).join("\n")}\n`);
  if (!values.short) writeFileSync(values.out, markdownOf(readFileSync(join(packageRoot, DOCUMENT), "utf8"), report));
  process.exitCode = runs.some(({ violations }) => violations.length > 0) ? 1 : 0;
});
// Without this, Node 20 can wait forever at its exit for sockets that were reset while they were closing.
process.exit();

function end(): void {
  isOver = true;
}

/** Load from the beginning to the end, faults one after the other, and calm between them. */
async function attack(deployment: Deployment, random: Random): Promise<Run> {
  const { name, servers, processes, budget, countingApart, token } = deployment;
  const load = startLoad({ targets: servers, random: createRandom(seed), token, points: budget.points });
  const faults = new Map<string, number>();
  const notRecovered: Violation[] = [];
  let kills = 0;
  while (!isOver) {
    for (const fault of random.shuffled(deployment.faults)) {
      if (isOver) break;
      await inject(fault);
      faults.set(fault.name, (faults.get(fault.name) ?? 0) + 1);
      if (fault.isKill) kills += 1;
    }
  }
  await load.stop();
  await unreadyStates();
  await load.audit();
  const history = { calls: load.calls, sales: await deployment.sales(), processes, budget, countingApart };
  return { name, history, faults, kills, violations: [...judge(history), ...notRecovered] };

  async function inject(fault: Fault): Promise<void> {
    await pause(HOLD_MS * random.random());
    await fault.run(() => pause(HOLD_MS * (0.25 + random.random())));
    const states = await unreadyStates();
    if (states.length === 0) return;
    notRecovered.push({ promise: "no recovery", detail: `after ${fault.name}: ${states.join(", ")}` });
    end();
  }

  /** Waits until all servers are ready; what those answer that are not in time. */
  async function unreadyStates(): Promise<readonly string[]> {
    const deadline = performance.now() + RECOVERED_WITHIN_MS;
    for (;;) {
      const states = await Promise.all(servers.map(({ state }) => state()));
      const unready = states.filter((state) => state !== READY);
      if (unready.length === 0 || performance.now() > deadline) return unready;
      await pause(100);
    }
  }
}
