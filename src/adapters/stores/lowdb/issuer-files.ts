import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../../ops/clock.ts";
import { createFolder } from "../../../ops/create-folder.ts";
import { HOUR } from "../../../ops/durations.ts";
import type { Log } from "../../../ops/log.ts";
import { createFile, readOrCreateFile } from "../../../ops/read-or-create-file.ts";
import {
  ISSUER_KINDS,
  type IssuerKind,
  type IssuerRecord,
  type IssuerStore,
  type KeptRecord,
  MOST_OF_A_KIND,
  StoreFull,
} from "../../identity/embedded/issuer-store.ts";
import { createMutex, createPurge } from "../store-calls.ts";
import { localDisk, replaceFile } from "./hour-files.ts";

const KEY = /^[\w-]{43}$/;
const ENDING = ".json";
/** An empty file beside a record that has been used. */
const CONSUMED = ".used";

export interface IssuerFilesOptions {
  /** Created with the first record. */
  readonly folder: string;
  readonly clock: Clock;
  /** Deletes expired records every hour, and notes it here if that fails. Default: deletes none. */
  readonly purgeLog?: Log;
  readonly mostOfAKind?: number;
}

/**
 * What the embedded issuer keeps, in a file for each record, written whole or not at all: a process that is killed leaves
 * none that is torn, and the server and the command `credentials` can write at the same time.
 */
export async function openIssuerFiles(options: IssuerFilesOptions): Promise<IssuerStore> {
  const { folder, clock, purgeLog, mostOfAKind = MOST_OF_A_KIND } = options;
  /** How many records of a kind there are, as far as this process has counted. */
  const counts = new Map<IssuerKind, number>();
  const mutex = createMutex();
  const purge = purgeLog && createPurge(purgeExpired, HOUR, purgeLog, { folder });
  await purge?.run();

  return {
    secrets: (create) => readOrCreateFile(join(folder, "secrets.json"), create),
    find,
    list,
    add: async (kind, key, record) => {
      await createFolder(folderOf(kind));
      return createFile(pathOf(kind, key), JSON.stringify(record));
    },
    save: (kind, key, record) => mutex(() => save(kind, key, record)),
    consume: async (kind, key) => {
      const record = await find(kind, key);
      return record !== undefined && createFile(pathOf(kind, key, CONSUMED), "");
    },
    remove: (kind, key) => removeFiles(kind, key),
    close: async () => purge?.end(),
  };

  async function save(kind: IssuerKind, key: string, record: IssuerRecord): Promise<void> {
    const path = pathOf(kind, key);
    await createFolder(folderOf(kind));
    if (!existsSync(path)) {
      const count = counts.get(kind) ?? (await keysOf(kind)).length;
      if (count >= mostOfAKind) throw new StoreFull(`${mostOfAKind} records of ${kind}`);
      counts.set(kind, count + 1);
    }
    await replaceFile(localDisk, path, JSON.stringify(record));
  }

  async function find(kind: IssuerKind, key: string): Promise<KeptRecord | undefined> {
    const record = await read(kind, key);
    if (!record || (record.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now().getTime()) return undefined;
    return { ...record, key, isConsumed: existsSync(pathOf(kind, key, CONSUMED)) };
  }

  async function list(kind: IssuerKind): Promise<KeptRecord[]> {
    const records: KeptRecord[] = [];
    for (const key of await keysOf(kind)) {
      const record = await find(kind, key);
      if (record) records.push(record);
    }
    return records;
  }

  async function read(kind: IssuerKind, key: string): Promise<IssuerRecord | undefined> {
    try {
      return JSON.parse(await readFile(pathOf(kind, key), "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  async function keysOf(kind: IssuerKind): Promise<readonly string[]> {
    const names = await readdir(folderOf(kind)).catch((error) =>
      error.code === "ENOENT" ? [] : Promise.reject(error),
    );
    return names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
  }

  async function removeFiles(kind: IssuerKind, key: string): Promise<void> {
    // The record first: without it, the other file means nothing.
    for (const ending of [ENDING, CONSUMED]) await rm(pathOf(kind, key, ending), { force: true });
    counts.delete(kind);
  }

  async function purgeExpired(): Promise<void> {
    for (const kind of ISSUER_KINDS) {
      for (const key of await keysOf(kind)) if (!(await find(kind, key))) await removeFiles(kind, key);
      counts.set(kind, (await keysOf(kind)).length);
    }
  }

  function folderOf(kind: IssuerKind): string {
    return join(folder, kind);
  }

  function pathOf(kind: IssuerKind, key: string, ending = ENDING): string {
    if (!KEY.test(key)) throw new Error(`${key} is no key of a record`);
    return join(folderOf(kind), key + ending);
  }
}
