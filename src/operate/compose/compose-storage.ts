import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createMemoryRateLimiter } from "../../adapters/limits/memory-rate-limiter.ts";
import { keepCallsInFiles } from "../../adapters/stores/lowdb/call-files.ts";
import { checkFormat, claimFormat } from "../../adapters/stores/lowdb/folder-format.ts";
import { openLowdbQuoteStore } from "../../adapters/stores/lowdb/lowdb-quote-store.ts";
import { openLowdbSales } from "../../adapters/stores/lowdb/lowdb-sales.ts";
import { lockFolder, lockFreeSlot } from "../../adapters/stores/lowdb/store-lock.ts";
import type { Budgets } from "../../contract/tiers.ts";
import { CALL_DAYS, createCallRecorder } from "../../domain/sales/kept-call.ts";
import type { Sales } from "../../domain/sales/sales.ts";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { Opened } from "../../ops/opened.ts";
import { createSecret, loadCheckoutSecret, loadSecret } from "../../service/checkout/signature.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";

/**
 * Claims the folder of the embedded store for this process until `release`: that of the server, where `server` says which
 * one, otherwise the first free one of those for processes over stdio, because many of them can run at once. With a
 * database no folder is claimed. Throws FolderInUse, UnusableStorage where a later release has written the data folder, or
 * ConfigError where it cannot be used; `onLost` is called if the lock is lost later.
 */
export async function claimQuotesFolder(
  { databaseUrl, dataDir }: Config,
  server: string | undefined,
  onLost: (cause: Error) => void,
) {
  const parent = join(dataDir, "quotes");
  const quotesFolder = join(parent, "serve");
  if (databaseUrl !== undefined) return { quotesFolder, release() {} };
  return inDataFolder(dataDir, async () => {
    await claimFormat(dataDir);
    if (server !== undefined) return { quotesFolder, release: await lockFolder(quotesFolder, server, onLost) };
    const { folder, release } = await lockFreeSlot(parent, "stdio", onLost);
    return { quotesFolder: folder, release };
  });
}

/** Runs what uses the data folder. Throws ConfigError if the system does not allow it. */
export async function inDataFolder<R>(dataDir: string, action: () => Promise<R>): Promise<R> {
  try {
    return await action();
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const fault = `TRANSFER_DATA_DIR is ${dataDir}; it cannot be used (${message})`;
    throw new ConfigError(`${fault}; allowed: a folder that this user may write`);
  }
}

export interface StorageParts {
  /** The embedded store's folder, which the caller has locked; ignored where a database is configured. */
  readonly quotesFolder: string;
  readonly budgets: Budgets;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Where quotes and calls are kept, budgets counted, and the secrets that sign links: on this machine, or in PostgreSQL
 * and Redis where they are configured. What it opens is handed to `opened`.
 */
export async function composeStorage(config: Config, parts: StorageParts, opened: Opened) {
  const { databaseUrl: url, dataDir, maxLiveQuotes, ledgerDays, eventsUrl, checkoutSecrets: secrets } = config;
  const checkoutSecrets = secrets ?? [await inDataFolder(dataDir, () => loadCheckoutSecret(dataDir))];
  const { quotes, keepCalls, callerHashKey } = await (url === undefined ? openFiles() : openDatabase(url));
  const { limiter, dependencies } = opened(await openLimiter(config, parts));
  return {
    quotes,
    /** Filled where the operator receives events. */
    outbox: quotes.outbox,
    /** For `report --refused` and `find`. */
    recordCall: createCallRecorder(keepCalls, parts),
    limiter,
    checkoutSecrets,
    /** Key of the hashes of callers in the log. It stays the same when the checkout secrets change. */
    callerHashKey,
    dependencies: [{ name: "quotes", ping: quotes.ping }, ...dependencies],
  };

  async function openFiles() {
    const quotes = opened(await openLowdbQuoteStore({ folder: parts.quotesFolder, maxLiveQuotes, ...storeParts() }));
    const path = join(dataDir, "caller-hash-key");
    const callerHashKey = await loadSecret(path, "callers have other hashes in the log from then on");
    const keepCalls = keepCallsInFiles(dataDir, { refused: ledgerDays, calls: CALL_DAYS });
    return { quotes, keepCalls, callerHashKey };
  }

  async function openDatabase(url: string) {
    const { openPostgresQuoteStore } = await import("../../adapters/stores/postgres/postgres-quote-store.ts");
    const quotes = opened(await openPostgresQuoteStore({ url, ...storeParts() }));
    await quotes.checkCheckoutSecrets(checkoutSecrets);
    return {
      quotes,
      keepCalls: quotes.keepCalls,
      callerHashKey: await quotes.setting("caller_hash_key", createSecret()),
    };
  }

  function storeParts() {
    return { ledgerDays, clock: parts.clock, log: parts.log, fillsOutbox: eventsUrl !== undefined };
  }
}

/** The budgets in Redis, or in memory where none is configured. */
export async function openLimiter({ redisUrl: url }: Config, { budgets, log }: Pick<StorageParts, "budgets" | "log">) {
  if (url === undefined) {
    return { limiter: createMemoryRateLimiter(budgets), dependencies: [], close: async () => {} };
  }
  const { createRedisRateLimiter } = await import("../../adapters/limits/redis-rate-limiter.ts");
  const limiter = createRedisRateLimiter({ url, budgets, log });
  // Not essential: without Redis each process counts for itself.
  const budgetsOfAll = { name: "budgets", isEssential: false, ping: limiter.ping };
  return { limiter, dependencies: [budgetsOfAll], close: limiter.close };
}

/** The stored sales and calls; processes with these settings may be running. Throws ConfigError where nothing has been stored. */
export async function openSales({ databaseUrl, dataDir }: Config): Promise<Sales> {
  if (databaseUrl !== undefined) {
    const { openPostgresSales } = await import("../../adapters/stores/postgres/postgres-sales.ts");
    return openPostgresSales(databaseUrl);
  }
  const parent = join(dataDir, "quotes");
  checkFormat(dataDir);
  if (!existsSync(parent)) {
    const fault = `TRANSFER_DATA_DIR is ${dataDir}; no server has stored quotes there`;
    throw new ConfigError(`${fault}; allowed: the data folder of a server, also with --data`);
  }
  // The folders of the server and of each process that served over stdio.
  const entries = await inDataFolder(dataDir, async () => readdirSync(parent, { withFileTypes: true }));
  return openLowdbSales(
    entries.flatMap((entry) => (entry.isFile() ? [] : [join(parent, entry.name)])),
    dataDir,
  );
}
