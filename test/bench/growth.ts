import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startBuilt, startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets, folderOf } from "../support/catalog-folder.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { largeCatalog } from "../support/large-catalog.ts";
import { aFolder, withCleanUp } from "../support/lifetime.ts";
import { SECRET } from "../support/machines.ts";
import { ownPostgres } from "../support/own-servers.ts";
import { asking } from "../support/postgres.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";
import { request } from "../support/service.ts";
import { sendLoad } from "./contestants.ts";
import { cpuMsOfThreads, cpuMsWithChildren, memoryMbOf } from "./cpu-time.ts";
import { showMeasured } from "./measured.ts";

/**
 * What more data costs: `npm run bench:growth`. Start, `check`, `reload` and a quote by the kind of its place texts on
 * catalogs of 1, 10 and 40 times the packaged records, then a quote on PostgreSQL beside 10,000 to 1,000,000 live quotes.
 * `--write` writes the tables into `docs/maintainers/capacity.md`. Linux; one connection, so that CPU time counts.
 */
const TIMES = [1, 10, 40];
const LIVE_QUOTES = [10_000, 100_000, 1_000_000];
const WARM_MILLISECONDS = 8_000;
const RUN_MILLISECONDS = 4_000;
/** Long enough to contain a purge. */
const PURGE_MILLISECONDS = 75_000;
const HEALTH_EVERY_MILLISECONDS = 5;
const QUOTES_PATH = "/api/public/v1/quotes";

const { places, corridors, fares, sites, seasons } = defaultCatalog.catalog;
const towns = places.filter(({ kind, country }) => kind === "town" && country === "CH");
const { pickup_datetime: noon } = aRealJourney();

const catalogs: string[][] = [];
for (const times of TIMES) catalogs.push(await withCleanUp((t) => measureCatalog(t, times)));
const stores: string[][] = [];
for (const count of LIVE_QUOTES) stores.push(await withCleanUp((t) => measureStore(t, count)));
const costs = ["Known", "Added", "Misspelled", "Unknown", "Address"];
showMeasured("growth", [
  {
    title: "Catalogs of so many times the packaged records; seconds of CPU, and ms of CPU for a quote by its texts",
    head: ["Times", "Start s", "check s", "reload s", "Pause ms", "MB", ...costs],
    rows: catalogs,
  },
  {
    title: "A quote on PostgreSQL beside live quotes",
    head: ["Live quotes", "Process ms", "PostgreSQL ms", "p99 ms", "p99 ms beside a purge of as many"],
    rows: stores,
  },
]);

type Context = Pick<TestContext, "after">;

async function measureCatalog(t: Context, times: number) {
  const more = (list: readonly unknown[]) => Math.round(list.length * (times - 1));
  const files = largeCatalog({
    places: more(places),
    corridors: more(corridors),
    fares: more(fares) * 10,
    sites: more(sites),
    seasons: more(seasons) * 10,
    clients: more(seasons) * 10,
  });
  files.set("budgets.json", endlessBudgets());
  const { places: added } = files.get("places/villages.json") as { places: readonly { name: string }[] };
  const env = {
    TRANSFER_CATALOG_DIR: folderOf(t, files),
    TRANSFER_DATA_DIR: aFolder(t),
    TRANSFER_ACCEPT_FAULTS: "true",
  };
  const check = await secondsOf(t, ["check"], env);
  const begun = performance.now();
  const server = await startBuiltServer(t, env);
  const start = (performance.now() - begun) / 1_000;
  const send = senderOf(t, server);
  const texts = {
    known: towns.map(({ name }) => name),
    added: added.map(({ name }) => name).slice(0, 1_000),
    misspelled: towns.map(({ name }) => `${name.slice(0, 3)}${name.slice(4)}`),
    unknown: towns.map(({ name }) => `Qx${[...name].reverse().join("")}`),
    address: towns.map(({ name }, n) => `Bahnhofstrasse ${n + 1}, ${name}`),
  };
  await send(texts.known, WARM_MILLISECONDS);
  const costs: string[] = [];
  for (const list of Object.values(texts)) {
    costs.push(list.length === 0 ? "" : (await send(list, RUN_MILLISECONDS)).cpuMs.toFixed(2));
  }
  const memory = memoryMbOf(server.child.pid ?? 0);
  const { seconds: reload, longestMs } = await pauseOf(server.publicUrl, () => secondsOf(t, ["reload"], env));
  return [
    String(times),
    ...[start, check, reload].map((each) => each.toFixed(1)),
    longestMs.toFixed(),
    memory.toFixed(),
    ...costs,
  ];
}

async function measureStore(t: Context, count: number) {
  const postgres = await ownPostgres(t);
  const env = {
    TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t),
    TRANSFER_DATABASE_URL: postgres.url,
    TRANSFER_CHECKOUT_SECRET: SECRET,
    TRANSFER_DATA_DIR: aFolder(t),
  };
  const server = await startBuiltServer(t, env);
  const send = senderOf(t, server);
  const names = towns.map(({ name }) => name);
  await send(names, WARM_MILLISECONDS);
  const copies = (until: string) =>
    asking(
      postgres.url,
      `INSERT INTO transfer_quotes (id, quote, kept_until)
       SELECT 'copy-' || n, quote, ${until} FROM generate_series(1, $1::int) AS n,
         (SELECT quote FROM transfer_quotes LIMIT 1) AS one
       ON CONFLICT (id) DO UPDATE SET kept_until = excluded.kept_until`,
      [count],
    );
  await copies("now() + interval '1 day'");
  await asking(postgres.url, "VACUUM ANALYZE transfer_quotes");
  const before = cpuMsWithChildren(postgres.pid());
  const { cpuMs, calls } = await send(names, RUN_MILLISECONDS);
  const postgresMs = (cpuMsWithChildren(postgres.pid()) - before) / calls;
  const { p99 } = await send(names, PURGE_MILLISECONDS);
  await copies("now()");
  await asking(postgres.url, "VACUUM ANALYZE transfer_quotes");
  const beside = await send(names, PURGE_MILLISECONDS);
  return [String(count), ...[cpuMs, postgresMs, p99, beside.p99].map((each) => each.toFixed(2))];
}

/** Sends quotes for these texts over one connection: the CPU time of the server for each, and the slowest ones. */
function senderOf(t: Context, { publicUrl, child, token }: Awaited<ReturnType<typeof startBuiltServer>>) {
  const { host, port } = new URL(publicUrl);
  return async (texts: readonly string[], milliseconds: number) => {
    const requests = texts.map((text, n) => {
      const body = JSON.stringify({
        ...{ origin: "Zurich Airport", destination: text, pickup_datetime: noon },
        ...{ passengers: 1 + (n % 4), luggage: n % 3 },
      });
      const head = `POST ${QUOTES_PATH} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
      return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    });
    const before = cpuMsOfThreads(child.pid ?? 0);
    const load = { port: Number(port), connections: 1, milliseconds, settleMs: 0, requests };
    const { statuses, p99 } = await sendLoad(t, load);
    const calls = Object.values(statuses).reduce((sum, each) => sum + each, 0);
    return { calls, p99, cpuMs: (cpuMsOfThreads(child.pid ?? 0) - before) / calls };
  };
}

/** CPU seconds of a command that has to end well. */
async function secondsOf(t: Context, args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const used = () => cpuMsWithChildren(process.pid) - cpuMsOfThreads(process.pid);
  const before = used();
  const { ended, stdout, stderr } = startBuilt(t, args, env);
  const { code } = await ended;
  if (code !== 0) throw new Error(`${args}: ${stderr()}${stdout()}`);
  return (used() - before) / 1_000;
}

/** How long `/healthz` took at most while something was done. */
async function pauseOf(publicUrl: string, work: () => Promise<unknown>) {
  let longestMs = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      const asked = performance.now();
      await request(`${publicUrl}/healthz`);
      longestMs = Math.max(longestMs, performance.now() - asked);
      await wait(HEALTH_EVERY_MILLISECONDS);
    }
  })();
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  isDone = true;
  await watching;
  return { seconds, longestMs };
}

function endlessBudgets() {
  const tiers = Object.keys(defaultCatalog.catalog.budgets);
  return Object.fromEntries(tiers.map((tier) => [tier, { points: 1_000_000_000, seconds: 60 }]));
}
