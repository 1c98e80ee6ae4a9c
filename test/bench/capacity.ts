import { cpus } from "node:os";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { withCleanUp } from "../support/clean-up.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { at, machines } from "../support/machines.ts";
import { ownPostgres, ownRedis, whyNoOwnServers } from "../support/own-servers.ts";
import { asking } from "../support/postgres.ts";
import { cpuMsWithChildren } from "./cpu-time.ts";

/**
 * What a quote takes of one process, one PostgreSQL and one Redis: `npm run bench:capacity`. Clients and servers share this
 * machine's processors, so that CPU time is counted and not the rate. `docs/capacity.md` has the plan made of it. Linux.
 */
const CALLERS = 6;
const WARM_MILLISECONDS = 3_000;
const RUN_MILLISECONDS = 10_000;

const reason = whyNoOwnServers();
if (reason) throw new Error(reason);
const { cpuMs, bytes } = await withCleanUp(measureDeployment);
const rows = [
  ...Object.entries(cpuMs).map(([part, each]) => `${part}: ${each.toFixed(2)} ms of CPU`),
  ...Object.entries(bytes).map(([part, each]) => `${part} of PostgreSQL: ${(each / 1_000).toFixed(1)} kB`),
];
process.stdout.write(
  `A quote, created under a key and read back once, on ${cpus()[0]?.model.trim()}:\n${rows.join("\n")}\n`,
);

/** What a quote takes of one process, PostgreSQL and Redis: created under a key and read back once. */
async function measureDeployment(t: Parameters<typeof ownPostgres>[0]) {
  const postgres = await ownPostgres(t);
  const redis = await ownRedis(t);
  const shared = await machines(t, {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    catalogDir: aCatalogWithBudgets(t),
  });
  const server = await shared.start({ TRANSFER_LOG_LEVEL: "info" });
  const token = await shared.token();
  await run(WARM_MILLISECONDS);

  const parts = { process: server.child.pid ?? 0, postgres: postgres.pid(), redis: redis.pid() };
  const cpu = () => Object.values(parts).map(cpuMsWithChildren);
  // Without this the first change of each page after the last checkpoint would be written whole in some runs only.
  await asking(postgres.url, "CHECKPOINT");
  const before = { cpu: cpu(), disk: await disk() };
  const quotes = await run(RUN_MILLISECONDS);
  const after = { cpu: cpu(), disk: await disk() };
  const [ofProcess = 0, ofPostgres = 0, ofRedis = 0] = after.cpu.map(
    (used, n) => (used - (before.cpu[n] ?? 0)) / quotes,
  );
  return {
    cpuMs: { process: ofProcess, postgres: ofPostgres, redis: ofRedis },
    bytes: { log: (after.disk.log - before.disk.log) / quotes, kept: (after.disk.kept - before.disk.kept) / quotes },
  };

  async function run(milliseconds: number) {
    const started = performance.now();
    let quotes = 0;
    const callOnAndOn = async () => {
      while (performance.now() < started + milliseconds) {
        quotes += 1;
        const headers = { "Idempotency-Key": `${started}-${quotes}` };
        const body = aRealJourney({ passengers: 1 + (quotes % 6), luggage: quotes % 5 });
        const created = await at(server, "/quotes", { token, body, headers });
        const read = await at(server, `/quotes/${created.body.quote_id}`, { token });
        if (read.status !== 200) throw new Error(`${created.text} ${read.text}`);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, callOnAndOn));
    return quotes;
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
