import { cpus } from "node:os";
import Table from "cli-table3";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { machines, once } from "../support/machines.ts";
import { ownPostgres, ownRedis, whyNoOwnServers } from "../support/own-servers.ts";
import { asking } from "../support/postgres.ts";
import { kb, type Measured, ms, planFor } from "./capacity-plan.ts";
import { cpuSecondsOf } from "./cpu-time.ts";

/**
 * What one process, one PostgreSQL and one Redis carry on this machine, and what a rate of quotes needs by that:
 * `npm run bench:capacity [-- 100 10000]`. Clients and servers share this machine's processors, so that the rate seen
 * here says little; what is counted is the CPU time that each part spends on a quote, which is created under a key and
 * read back once. The fullest part stands first; a first PostgreSQL has 8 cores, 1 TB, 200 MB/s and 200 connections.
 */
const rates = process.argv.slice(2).map(Number);
const CALLERS = 6;
const WARM_MILLISECONDS = 3_000;
const RUN_MILLISECONDS = 10_000;

const reason =
  whyNoOwnServers() ?? (process.platform === "linux" ? undefined : "CPU times are read from Linux's /proc");
if (reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
const cleanUps: (() => unknown)[] = [];
try {
  const measured = await measure({ after: (clean) => void cleanUps.push(clean as () => unknown) });
  show(measured);
} finally {
  for (const clean of cleanUps) await clean();
}

async function measure(t: Parameters<typeof ownPostgres>[0]): Promise<Measured> {
  const postgres = await ownPostgres(t);
  const redis = await ownRedis(t);
  const shared = await machines(t, {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    catalogDir: aCatalogWithBudgets(t),
  });
  const server = await shared.start({ TRANSFER_LOG_LEVEL: "warn" });
  const token = await shared.token();
  const body = aRealJourney();
  await run(WARM_MILLISECONDS);

  const parts = { process: server.child.pid ?? 0, postgres: postgres.pid(), redis: redis.pid() };
  const cpu = () => Object.values(parts).map(cpuSecondsOf);
  // Without this the first change of each page after the last checkpoint would be written whole in some runs only.
  await asking(postgres.url, "CHECKPOINT");
  const before = { cpu: cpu(), disk: await disk() };
  const { quotes, seconds } = await run(RUN_MILLISECONDS);
  const after = { cpu: cpu(), disk: await disk() };
  const [ofProcess = 0, ofPostgres = 0, ofRedis = 0] = after.cpu.map(
    (used, n) => (used - (before.cpu[n] ?? 0)) / quotes,
  );
  return {
    quotesPerSecond: quotes / seconds,
    cpuSeconds: { process: ofProcess, postgres: ofPostgres, redis: ofRedis },
    bytes: { log: (after.disk.log - before.disk.log) / quotes, kept: (after.disk.kept - before.disk.kept) / quotes },
  };

  async function run(milliseconds: number) {
    const started = performance.now();
    let quotes = 0;
    const callOnAndOn = async () => {
      while (performance.now() < started + milliseconds) {
        quotes += 1;
        const headers = { "Idempotency-Key": `${started}-${quotes}` };
        const created = await once(server, "/quotes", { token, body, headers });
        const read = await once(server, `/quotes/${created.body.quote_id}`, { token });
        if (read.status !== 200) throw new Error(`${created.text} ${read.text}`);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, callOnAndOn));
    return { quotes, seconds: (performance.now() - started) / 1000 };
  }

  async function disk() {
    const [row] = await asking<{ log: string; kept: string }>(
      postgres.url,
      `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS log,
         pg_total_relation_size('transfer_quotes') + pg_total_relation_size('transfer_idempotency_records') AS kept`,
    );
    return { log: Number(row?.log), kept: Number(row?.kept) };
  }
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
