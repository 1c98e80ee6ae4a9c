import { cpus } from "node:os";
import Table from "cli-table3";
import { kb, type Measured, ms, planFor } from "./capacity-plan.ts";
import { measureDeployment, whyNoDeployment } from "./measure-deployment.ts";

/**
 * What one process, one PostgreSQL and one Redis carry on this machine, and what a rate of quotes needs by that:
 * `npm run bench:capacity [-- 100 10000]`. Clients and servers share this machine's processors, so that the rate seen
 * here says little; what is counted is the CPU time that each part spends on a quote, which is created under a key and
 * read back once. The fullest part stands first; a first PostgreSQL has 8 cores, 1 TB, 200 MB/s and 200 connections.
 */
const rates = process.argv.slice(2).map(Number);

const reason = whyNoDeployment();
if (reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
const cleanUps: (() => unknown)[] = [];
try {
  const measured = await measureDeployment({ after: (clean) => void cleanUps.push(clean as () => unknown) });
  show(measured);
} finally {
  for (const clean of cleanUps) await clean();
}

function show(measured: Measured): void {
  const { cpuSeconds, bytes, quotesPerSecond } = measured;
  const [cpu] = cpus();
  process.stdout.write(
    `Measured on ${cpus().length} × ${cpu?.model.trim()}: ${Math.round(quotesPerSecond)} quotes/s through one process, ` +
      `clients and servers on the same processors.\n` +
      `A quote (created under a key, read back once) takes ${ms(cpuSeconds.process)} of the process, ` +
      `${ms(cpuSeconds.postgres)} of PostgreSQL, ${ms(cpuSeconds.redis)} of Redis; ` +
      `${kb(bytes.log)} of PostgreSQL's log, ${kb(bytes.kept)} of its tables.\n`,
  );
  for (const rate of rates.length > 0 ? rates : [100, 10_000]) {
    const table = new Table({
      head: [`at ${rate} quotes/s`, "arithmetic", "needs", "of a first one", "when it is full"],
      colWidths: [25, 36, 24, 16, 44],
      wordWrap: true,
      style: { head: [], border: [] },
    });
    for (const { name, arithmetic, needs, load, remedy } of planFor(measured, rate)) {
      table.push([name, arithmetic, needs, `${Math.round(load * 100)} %`, remedy]);
    }
    process.stdout.write(`${table}\n`);
  }
}
