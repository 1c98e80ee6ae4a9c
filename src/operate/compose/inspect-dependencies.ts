import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { credentialsOf } from "../../adapters/identity/embedded/credentials.ts";
import { createRemoteKeys } from "../../adapters/identity/remote-keys.ts";
import { checkFormat, FORMAT_FILE } from "../../adapters/stores/lowdb/folder-format.ts";
import { isPackaged } from "../../domain/catalog/read-contents.ts";
import { systemClock } from "../../ops/clock.ts";
import { silentLog } from "../../ops/log.ts";
import type { Opened } from "../../ops/opened.ts";
import { stateOf } from "../../servers/http/health.ts";
import { type Config, issuerOf } from "../config/config.ts";
import { openIssuerStore } from "./compose-embedded-issuer.ts";
import { openCalendar, openEngines } from "./compose-pricing.ts";
import { inDataFolder, openLimiter } from "./compose-storage.ts";
import type { Loaded } from "./embedded-pricing.ts";
import { COPIES } from "./last-good-catalog.ts";

/**
 * Looks at everything that a server with these settings depends on, and changes nothing. Without a catalog the router,
 * the geocoder and the budgets, which need one, are left out. Throws ConfigError where the data folder cannot be used.
 */
export async function inspectDependencies(config: Config, loaded: Loaded | undefined, opened: Opened) {
  const { databaseUrl, checkoutSecrets = [], authIssuer: issuer, authJwksUrl: url } = config;
  const hasOwnIssuer = issuerOf(config) === "embedded";
  /** What a start would change, e.g. "creates checkout-secret in /var/lib/transfer". */
  const changes = [...(await missingFilesOf(config))];
  /** Names of the credentials in force; absent unless the embedded issuer runs. */
  let credentials: readonly string[] | undefined = hasOwnIssuer ? [] : undefined;
  /** Events that wait for their delivery; absent without a database. */
  let waiting: number | undefined;
  const inspectQuotes = async () => {
    if (databaseUrl === undefined) return checkFormat(config.dataDir);
    const { inspectDatabase } = await import("../../adapters/stores/postgres/migrate.ts");
    const database = await inspectDatabase(databaseUrl, checkoutSecrets);
    if (database.migrations.length > 0) changes.push(`migrates the database (${database.migrations.join(", ")})`);
    if (database.recordsSecrets) changes.push("records fingerprints of the checkout secrets in the database");
    waiting = database.waiting;
    // Opening the store would migrate.
    if (hasOwnIssuer && database.migrations.length === 0) credentials = await credentialNames();
  };
  const credentialNames = async () => {
    const all = await credentialsOf(opened(await openIssuerStore(config)));
    return all.filter(({ revokedAt }) => revokedAt === null).map(({ name }) => name);
  };
  if (hasOwnIssuer && databaseUrl === undefined) credentials = await credentialNames();
  const keys = issuer === undefined ? undefined : createRemoteKeys({ issuer, url, log: silentLog });
  const limiter = loaded && opened(await openLimiter(config, { budgets: loaded.catalog.budgets, log: silentLog }));
  const engines = opened(await openEngines(config, silentLog));
  const calendar =
    loaded && (await openCalendar(config, loaded.catalog, { clock: systemClock, log: silentLog, waitMs: 60_000 }));
  if (calendar) opened(calendar);
  const all = [
    { name: "quotes", ping: inspectQuotes },
    ...(limiter?.dependencies ?? []),
    ...(loaded ? (await engines.over(loaded)).dependencies : []),
    ...(calendar ? [calendar.dependency] : []),
    { name: "identity", ping: async () => keys?.check() },
  ];
  const states = await Promise.all(all.map(stateOf));
  return { states, changes, waiting, calendar: calendar?.reading(), credentials };
}

/** What a start would create in the data folder, which it has to be able to write. */
async function missingFilesOf(config: Config): Promise<readonly string[]> {
  const { catalogDir, dataDir, databaseUrl, checkoutSecrets } = config;
  const isEmbedded = databaseUrl === undefined;
  const files = [
    ...(isEmbedded ? [FORMAT_FILE, "quotes", "caller-hash-key"] : []),
    ...(checkoutSecrets === undefined ? ["checkout-secret"] : []),
    ...(issuerOf(config) === "development" ? ["development-keys.json"] : []),
    ...(isEmbedded && issuerOf(config) === "embedded" ? ["issuer"] : []),
    ...(isPackaged(catalogDir) ? [] : [COPIES]),
  ];
  const missing = files.filter((name) => !existsSync(join(dataDir, name)));
  if (isEmbedded || missing.length > 0) await inDataFolder(dataDir, () => requireWritable(dataDir));
  return missing.length > 0 ? [`creates ${missing.join(", ")} in ${dataDir}`] : [];
}

/** Rejects with the system's error where the folder, or the nearest above it that exists, cannot be written. */
async function requireWritable(folder: string): Promise<void> {
  // The separator makes it reject where it is a file.
  await access(`${nearestExisting(folder)}${sep}`, constants.W_OK);
}

function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path));
}
