import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { readOrCreateFile } from "../../ops/read-or-create-file.ts";
import { systemCode } from "./disk.ts";

/** Another process uses the folder; the message names it. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
}

/**
 * Creates `lock-<n>.json`, which names its owner and the socket on which the owner already listens, and returns its
 * path. The highest n has the folder and is never removed: once its owner is gone, n + 1 supersedes it, and of many
 * that try only one can create that.
 */
export async function claimFolder(folder: string, who: string, socket: string): Promise<string> {
  const own = JSON.stringify({ pid: process.pid, who, since: new Date().toISOString(), socket });
  const pathOf = (n: number) => join(folder, `lock-${n}.json`);
  for (let n = Math.max(1, ...claimsIn(folder)); ; n += 1) {
    const owner = await readOrCreateFile(pathOf(n), () => own);
    if (owner !== own) {
      await assertAbandoned(folder, owner);
      continue;
    }
    const others = claimsIn(folder).filter((other) => other !== n);
    // Whoever is late creates a number again that was superseded and removed.
    const isSuperseded = others.some((other) => other > n);
    for (const each of isSuperseded ? [n] : others) rmSync(pathOf(each), { force: true });
    if (!isSuperseded) return pathOf(n);
  }
}

/** Throws FolderInUse unless the owner's socket refuses connections; a process that hangs still accepts them. */
async function assertAbandoned(folder: string, owner: string): Promise<void> {
  const { pid, who, since, socket } = JSON.parse(owner);
  const peer = connect(resolve(folder, socket));
  try {
    await once(peer, "connect");
  } catch (error) {
    const isRefused = ["ECONNREFUSED", "ENOENT"].includes(systemCode(error) ?? "");
    if (isRefused) return rmSync(resolve(folder, socket), { force: true });
  } finally {
    peer.destroy();
  }
  const user = `process ${pid} (${who}, since ${since})`;
  throw new FolderInUse(`data folder ${folder} is in use by ${user}; stop it or set TRANSFER_DATA_DIR`);
}

function claimsIn(folder: string): readonly number[] {
  const claims = readdirSync(folder).map((name) => /^lock-(\d+)\.json$/.exec(name)?.[1]);
  return claims.filter((claim) => claim !== undefined).map(Number);
}
