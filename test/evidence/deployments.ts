import { spawnSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { startIssuer } from "../support/issuer.ts";
import { aFolder } from "../support/lifetime.ts";
import { savedSales } from "../support/lowdb-store.ts";
import { SECRET } from "../support/machines.ts";
import { ownPostgres, ownRedis, whyNoOwnServers } from "../support/own-servers.ts";
import { savedSales as salesInDatabase } from "../support/postgres.ts";
import { aDisk, mount } from "../support/small-disk.ts";
import { proxied } from "../support/tcp-proxy.ts";
import { attackFaults } from "./attacks.ts";
import { clockFaults, diskFaults, type Fault, linkFaults, outageFaults, processFaults } from "./faults.ts";
import type { History } from "./history.ts";
import { aServerProcess, type ServerProcess } from "./server-process.ts";

type CleanUp = Pick<TestContext, "after">;

/** Built processes on one store, what can be done to them, and what of it this machine cannot do. */
export interface Deployment extends Pick<History, "processes" | "budget" | "countingApart"> {
  readonly name: string;
  readonly servers: readonly ServerProcess[];
  readonly faults: readonly Fault[];
  token(subject: string): Promise<string>;
  /** What the ledger holds. */
  sales(): Promise<NonNullable<History["sales"]>>;
}

const BUDGET = { points: 20, seconds: 60 };
const ROOM = "2g";
/** Longer than any clock jumps. */
const TOKEN_SECONDS = 7 * 24 * 3600;
const SPARE_BYTES = 16 * 1024;
const MOST_SPARE_BYTES = 16 * 1024 * 1024;

/** The embedded store in one process, which owns its folder. */
export async function embeddedDeployment(t: CleanUp, notRun: string[]): Promise<Deployment> {
  const common = await shared(t);
  const disk = aDisk(t, ROOM);
  if (!disk) notRun.push("full disk: no tmpfs can be mounted here");
  const dataDir = join(disk ?? aFolder(t), "data");
  const env = { ...common.env, TRANSFER_DATA_DIR: dataDir };
  const sales = () => savedSales(join(dataDir, "quotes", "serve"));
  const { servers, countingApart } = await startedServers(t, env, 1);
  const full = disk ? diskFaults({ fill: () => fill(disk), free: () => mount(`remount,size=${ROOM}`, disk) }) : [];
  const attacks = attackFaults(servers);
  const faults = [...processFaults(servers, countingApart), ...attacks, ...full, ...clocksOf(servers, notRun)];
  return { name: "embedded store, one process", servers, faults, countingApart, processes: 1, sales, ...common };
}

/** PostgreSQL and Redis of its own, three processes, a proxy before each connection. Undefined where they are missing. */
export async function sharedDeployment(t: CleanUp, notRun: string[]): Promise<Deployment | undefined> {
  const why = whyNoOwnServers();
  if (why) {
    notRun.push(`three processes on PostgreSQL and Redis: ${why}`);
    return undefined;
  }
  const common = await shared(t);
  const postgres = await ownPostgres(t, "SIGKILL");
  const redis = await ownRedis(t);
  const toPostgres = await proxied(t, postgres.url);
  const toRedis = await proxied(t, redis.url);
  const env = {
    ...common.env,
    TRANSFER_DATABASE_URL: toPostgres.url,
    TRANSFER_REDIS_URL: toRedis.url,
    TRANSFER_CHECKOUT_SECRET: SECRET,
  };
  const { servers, countingApart } = await startedServers(t, env, 3);
  const faults = [
    ...processFaults(servers, countingApart),
    ...attackFaults(servers),
    ...outageFaults("PostgreSQL", postgres),
    ...outageFaults("Redis", redis),
    ...linkFaults("PostgreSQL", toPostgres.proxy),
    ...linkFaults("Redis", toRedis.proxy),
    ...clocksOf(servers, notRun),
  ];
  const name = "PostgreSQL and Redis, three processes";
  const sales = () => salesInDatabase(postgres.url);
  return { name, servers, faults, countingApart, processes: 3, sales, ...common };
}

async function shared(t: CleanUp) {
  const issuer = await startIssuer(t);
  const tokens = new Map<string, Promise<string>>();
  const env = {
    TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t, { discovery: BUDGET }),
    TRANSFER_AUTH_ISSUER: issuer.issuer,
    TRANSFER_AUTH_AUDIENCE: issuer.audience,
    TRANSFER_AUTH_JWKS_URL: issuer.jwksUrl,
  };
  return { env, budget: BUDGET, token };

  /** One for each subject, signed when first needed. */
  function token(sub: string): Promise<string> {
    const exp = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
    const known = tokens.get(sub) ?? issuer.sign({ sub, scope: SCOPES.join(" "), exp });
    tokens.set(sub, known);
    return known;
  }
}

async function startedServers(t: CleanUp, env: Readonly<Record<string, string>>, count: number) {
  const countingApart: [number, number][] = [];
  const faketime = faketimeLibrary();
  const started = Array.from({ length: count }, () => {
    let open: [number, number] | undefined;
    return aServerProcess(t, env, { faketime, onLog });

    /** A process that misses Redis says so when it begins and ends to count for itself. */
    function onLog(text: string): void {
      if (text.includes("Redis is unavailable")) {
        open = [Date.now() - 2_000, Number.POSITIVE_INFINITY];
        countingApart.push(open);
      }
      if (open && text.includes("Redis is available again")) open[1] = Date.now() + 1_000;
    }
  });
  return { servers: await Promise.all(started), countingApart };
}

function clocksOf(servers: readonly ServerProcess[], notRun: string[]): readonly Fault[] {
  if (faketimeLibrary()) return clockFaults(servers);
  const why = "clock jumps: faketime is not installed";
  if (!notRun.includes(why)) notRun.push(why);
  return [];
}

function faketimeLibrary(): string | undefined {
  const { stdout, status } = spawnSync("faketime", ["-f", "+0s", "printenv", "LD_PRELOAD"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** Leaves room for a few entries: writes go on meanwhile, and a disk cannot become smaller than what it holds. */
function fill(folder: string): void {
  for (let spare = SPARE_BYTES; ; spare *= 2) {
    const { blocks, bfree, bsize } = statfsSync(folder);
    try {
      return mount(`remount,size=${(blocks - bfree) * bsize + spare}`, folder);
    } catch (error) {
      if (spare > MOST_SPARE_BYTES) throw error;
    }
  }
}
