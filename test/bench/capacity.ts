import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { at, machines } from "../support/machines.ts";
import { ownPostgres, ownRedis, whyNoOwnServers } from "../support/own-servers.ts";
import { asking } from "../support/postgres.ts";

/**
 * What a quote takes of one process, one PostgreSQL and one Redis: `npm run bench:capacity`. Clients and servers share this
 * machine's processors, so that CPU time is counted and not the rate. `docs/capacity.md` has the plan made of it. Linux.
 */
const CALLERS = 6;
const WARM_MILLISECONDS = 3_000;
const RUN_MILLISECONDS = 10_000;
/** Linux counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;

const cleanUps: (() => unknown)[] = [];
const reason = whyNoOwnServers();
if (reason) throw new Error(reason);
try {
  const { cpuSeconds, bytes } = await measureDeployment({
    after: (clean) => void cleanUps.push(clean as () => unknown),
  });
  const rows = [
    ...Object.entries(cpuSeconds).map(([part, seconds]) => `${part}: ${(seconds * 1_000).toFixed(2)} ms of CPU`),
    ...Object.entries(bytes).map(([part, each]) => `${part} of PostgreSQL: ${(each / 1_000).toFixed(1)} kB`),
  ];
  process.stdout.write(
    `A quote, created under a key and read back once, on ${cpus()[0]?.model.trim()}:\n${rows.join("\n")}\n`,
  );
} finally {
  for (const clean of cleanUps) await clean();
}

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
  const cpu = () => Object.values(parts).map(cpuSecondsOf);
  // Without this the first change of each page after the last checkpoint would be written whole in some runs only.
  await asking(postgres.url, "CHECKPOINT");
  const before = { cpu: cpu(), disk: await disk() };
  const quotes = await run(RUN_MILLISECONDS);
  const after = { cpu: cpu(), disk: await disk() };
  const [ofProcess = 0, ofPostgres = 0, ofRedis = 0] = after.cpu.map(
    (used, n) => (used - (before.cpu[n] ?? 0)) / quotes,
  );
  return {
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

/** CPU seconds that a process has used since it began, with all it has started. */
function cpuSecondsOf(pid: number): number {
  const statistics = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statisticsOf(Number(name)));
  return statistics.filter((each) => each.pid === pid || each.parent === pid).reduce((sum, { used }) => sum + used, 0);
}

/** Empty where the process has ended meanwhile. */
function statisticsOf(
  pid: number,
): readonly { readonly pid: number; readonly parent: number; readonly used: number }[] {
  try {
    // The name in parentheses may hold anything; what follows it is numbers.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    const [, parent = 0] = fields;
    // Fields 14 to 17 of proc(5): its own time in user and system mode, and that of children it has waited for.
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return [{ pid, parent, used: ticks / TICKS_PER_SECOND }];
  } catch {
    return [];
  }
}
