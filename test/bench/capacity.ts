import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { withCleanUp } from "../support/lifetime.ts";
import { at, machines } from "../support/machines.ts";
import { ownPostgres, ownRedis, whyNoOwnServers } from "../support/own-servers.ts";
import { asking } from "../support/postgres.ts";
import { journeysBetween } from "./contestants.ts";
import { cpuMsOfThreads, cpuMsWithChildren } from "./cpu-time.ts";
import { showMeasured } from "./measured.ts";

/**
 * What a quote takes of one, two and four processes with one PostgreSQL and one Redis, created under a key and read back
 * once: `npm run bench:capacity`. Callers and servers share this machine's processors, so that CPU time is what counts.
 * `--write` writes the table into `docs/maintainers/capacity.md`, which has the plan made of it. Linux.
 */
const PROCESSES = [1, 2, 4];
const CALLERS = 16;
const TOKENS = 64;
/** For each process, whose code is compiled while it serves its share. */
const WARM_MILLISECONDS = 20_000;
const RUN_MILLISECONDS = 10_000;

const reason = whyNoOwnServers();
if (reason) throw new Error(reason);
const rows: string[][] = [];
for (const processes of PROCESSES) rows.push(await withCleanUp((t) => measureDeployment(t, processes)));
showMeasured("processes", [
  {
    title: "CPU ms and bytes for a quote by processes",
    head: ["Processes", "Quotes/s", "Process ms", "PostgreSQL ms", "Redis ms", "Callers ms", "Log kB", "Kept kB"],
    rows,
  },
]);

/** A row of the table. */
async function measureDeployment(t: Parameters<typeof ownPostgres>[0], processes: number) {
  const postgres = await ownPostgres(t);
  const redis = await ownRedis(t);
  const shared = await machines(t, {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    catalogDir: aCatalogWithBudgets(t),
  });
  const start = () => shared.start({ TRANSFER_LOG_LEVEL: "info" });
  // The first prepares the database.
  const first = await start();
  const servers = [first, ...(await Promise.all(Array.from({ length: processes - 1 }, start)))];
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => shared.token()));
  const journeys = journeysBetween((await at(first, "/services/transfers")).body.services);
  await run(WARM_MILLISECONDS * processes);

  const cpu = () => [
    servers.reduce((sum, { child }) => sum + cpuMsOfThreads(child.pid ?? 0), 0),
    cpuMsWithChildren(postgres.pid()),
    cpuMsWithChildren(redis.pid()),
    cpuMsOfThreads(process.pid),
  ];
  // Without this the first change of each page after the last checkpoint would be written whole in some runs only.
  await asking(postgres.url, "CHECKPOINT");
  const before = { cpu: cpu(), disk: await disk() };
  const quotes = await run(RUN_MILLISECONDS);
  const after = { cpu: cpu(), disk: await disk() };
  const each = (end: readonly number[], begin: readonly number[]) =>
    end.map((used, n) => (used - (begin[n] ?? 0)) / quotes);
  return [
    String(processes),
    ((quotes * 1_000) / RUN_MILLISECONDS).toFixed(),
    ...each(after.cpu, before.cpu).map((milliseconds) => milliseconds.toFixed(2)),
    ...each(after.disk, before.disk).map((bytes) => (bytes / 1_000).toFixed(1)),
  ];

  async function run(milliseconds: number) {
    const started = performance.now();
    let quotes = 0;
    const callOnAndOn = async () => {
      while (performance.now() < started + milliseconds) {
        quotes += 1;
        const [server = first, token = ""] = [servers[quotes % processes], tokens[quotes % TOKENS]];
        const headers = { "Idempotency-Key": `${started}-${quotes}` };
        const created = await at(server, "/quotes", { token, body: journeys[quotes % journeys.length] ?? {}, headers });
        const read = await at(server, `/quotes/${created.body.quote_id}`, { token });
        if (read.status !== 200) throw new Error(`${created.text} ${read.text}`);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, callOnAndOn));
    return quotes;
  }

  /** Bytes of the write-ahead log and of the tables. */
  async function disk() {
    const [row] = await asking<{ log: string; kept: string }>(
      postgres.url,
      `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS log,
         pg_total_relation_size('transfer_quotes') + pg_total_relation_size('transfer_idempotency_records') AS kept`,
    );
    return [Number(row?.log), Number(row?.kept)];
  }
}
