import { readFile, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lock } from "proper-lockfile";
import { localDisk, makeFolder, systemCode } from "./disk.ts";
import { isRunning, ownIdentity, type ProcessIdentity } from "./process-identity.ts";

/** A lock that was not refreshed for so long is anyone's, unless its owner is known to run. */
const STALE_MILLISECONDS = 10_000;
/** The gate is held for a few file operations. */
const GATE_STALE_MILLISECONDS = 5_000;
/** Outlasts a lock that a killed container left behind; proper-lockfile may date one up to a second ahead. */
const PATIENCE_MILLISECONDS = STALE_MILLISECONDS + 2_000;
const RETRY_MILLISECONDS = 250;
const MOST_SLOTS = 64;

/** Another process uses the folder. The message names it, for the operator. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
  /** The owner may be a killed container: whether it lives shows when its lock grows stale or does not. */
  readonly isDoubtful: boolean;

  constructor(folder: string, owner: Owner | undefined) {
    const who = owner ? `process ${owner.pid} (${owner.who}, since ${owner.since})` : "another process";
    super(`data folder ${folder} is in use by ${who}; stop it or set TRANSFER_DATA_DIR`);
    this.isDoubtful = owner !== undefined && isRunning(owner) === "elsewhere";
  }
}

export interface LockOptions {
  /** Told where the lock was lost: another process may use the folder from now on. */
  onCompromised?(cause: Error): void;
}

/** Gives the folder back; never rejects. */
export type Release = () => Promise<void>;

interface Owner extends ProcessIdentity {
  /** What the process does, e.g. `serve on http://127.0.0.1:3000`. */
  readonly who: string;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/**
 * Makes the folder where it is missing and takes it for this process; throws FolderInUse where another one, or this
 * one, has it. The lock of a process that was killed is taken over at once where it ran on this machine, even if its
 * id is used again. What another machine or container left behind is waited for: it is free ten seconds after its last
 * sign of life.
 */
export async function lockFolder(folder: string, who: string, options: LockOptions = {}): Promise<Release> {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    try {
      return await tryLock(folder, who, options);
    } catch (error) {
      if (!(error instanceof FolderInUse) || !error.isDoubtful || Date.now() > end) throw error;
    }
    await sleep(RETRY_MILLISECONDS);
  }
}

/** Takes the first free of `parent/prefix-1`, `parent/prefix-2`, …; throws FolderInUse where all 64 are taken. */
export async function lockFreeSlot(
  parent: string,
  prefix: string,
  who: string,
  options: LockOptions = {},
): Promise<{ readonly folder: string; readonly release: Release }> {
  for (let slot = 1; ; slot += 1) {
    const folder = join(parent, `${prefix}-${slot}`);
    try {
      return { folder, release: await tryLock(folder, who, options) };
    } catch (error) {
      if (!(error instanceof FolderInUse) || slot === MOST_SLOTS) throw error;
    }
  }
}

async function tryLock(folder: string, who: string, options: LockOptions): Promise<Release> {
  await makeFolder(localDisk, folder);
  const real = await realpath(folder);
  // Without the gate, two processes that find the same dead owner would each remove the other's fresh lock.
  const leaveGate = await lock(join(real, "gate"), {
    realpath: false,
    stale: GATE_STALE_MILLISECONDS,
    retries: { retries: 140, factor: 1, minTimeout: 50, maxTimeout: 50 },
    onCompromised: ignore,
  }).catch(inUse(folder, undefined));
  try {
    return await take(folder, join(real, "store"), who, options);
  } finally {
    await leaveGate().catch(ignore);
  }
}

async function take(folder: string, file: string, who: string, options: LockOptions): Promise<Release> {
  const ownerFile = `${file}.owner.json`;
  const owner = await ownerIn(ownerFile);
  const running = owner && isRunning(owner);
  if (running === true) throw new FolderInUse(folder, owner);
  if (running === false) await rmdir(`${file}.lock`).catch(ignore);
  const unlock = await lock(file, {
    realpath: false,
    stale: STALE_MILLISECONDS,
    onCompromised: options.onCompromised ?? ignore,
  }).catch(inUse(folder, owner));
  const release = async () => {
    await rm(ownerFile, { force: true }).catch(ignore);
    await unlock().catch(ignore);
  };
  try {
    const own: Owner = { ...ownIdentity(), who, since: new Date().toISOString() };
    await writeFile(ownerFile, JSON.stringify(own), { mode: 0o600 });
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

function inUse(folder: string, owner: Owner | undefined): (error: unknown) => never {
  return (error) => {
    throw systemCode(error) === "ELOCKED" ? new FolderInUse(folder, owner) : error;
  };
}

/** Whom the owner file names; the lock alone says whether he still has the folder. */
async function ownerIn(ownerFile: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(ownerFile, "utf8"));
  } catch {
    return undefined;
  }
}

function ignore(): void {}
