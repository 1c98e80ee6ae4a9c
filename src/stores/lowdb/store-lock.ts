import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { access } from "node:fs/promises";
import { connect } from "node:net";
import { join, relative, resolve } from "node:path";
import { listenPrivately } from "../../ops/private-socket.ts";
import { readOrCreateFile } from "../../ops/read-or-create-file.ts";
import { UnusableStorage } from "../unusable-storage.ts";
import { localDisk, makeFolder, systemCode } from "./disk.ts";

const CHECK_MILLISECONDS = 5_000;
const MAX_SLOTS = 64;

/** Another process uses the folder; the message names that process. */
export class FolderInUse extends UnusableStorage {
  override readonly name = "FolderInUse";
}

/**
 * Locks the folder for this process until the returned function is called; throws FolderInUse if another process has
 * locked it. The owner listens on a socket, which the operating system closes with the process: if connections are
 * refused, there is no owner. Processes of other machines that share the folder over a network are not detected.
 * `onLost` is called once if the lock's files are removed, because another process can lock the folder then.
 */
export async function lockFolder(folder: string, who: string, onLost: (cause: Error) => void) {
  const absolute = resolve(folder);
  await makeFolder(localDisk, absolute);
  const { server, socket } = await listenPrivately(absolute, (peer) => peer.destroy());
  // An error while accepting can be ignored: a peer only needs to be connected to see that there is an owner.
  server.on("error", () => {});
  // The path of the socket is relative, because containers mount the folder under different paths.
  const claim = await claimFolder(absolute, who, relative(absolute, socket)).catch((error) => {
    server.close();
    throw error;
  });
  const check = () =>
    Promise.all([access(claim), access(socket)]).catch((cause) => {
      // The lock was released while the files were checked.
      if (!server.listening) return;
      release();
      onLost(cause);
    });
  const timer = setInterval(check, CHECK_MILLISECONDS).unref();
  return release;

  function release(): void {
    clearInterval(timer);
    server.close();
  }
}

/** Locks the first free folder of `parent/prefix-1`, `parent/prefix-2`, …; throws FolderInUse if all 64 are locked. */
export async function lockFreeSlot(parent: string, prefix: string, onLost: (cause: Error) => void) {
  for (let slot = 1; ; slot += 1) {
    const folder = join(parent, `${prefix}-${slot}`);
    try {
      return { folder, release: await lockFolder(folder, prefix, onLost) };
    } catch (error) {
      if (!(error instanceof FolderInUse) || slot === MAX_SLOTS) throw error;
    }
  }
}

/**
 * Creates `lock-<n>.json`, which names the owner and the socket on which it already listens, and returns its path. The
 * file with the highest n holds the lock and is never removed. When its owner has ended, `lock-<n+1>.json` supersedes
 * it, which only one of several competing processes can create.
 */
async function claimFolder(folder: string, who: string, socket: string): Promise<string> {
  const own = JSON.stringify({ pid: process.pid, who, since: new Date().toISOString(), socket });
  const pathOf = (n: number) => join(folder, `lock-${n}.json`);
  for (let n = Math.max(1, ...claimsIn(folder)); ; n += 1) {
    const owner = await readOrCreateFile(pathOf(n), () => own);
    if (owner !== own) {
      await assertAbandoned(folder, owner);
      continue;
    }
    const others = claimsIn(folder).filter((other) => other !== n);
    // A slow process may create a number again that was superseded and removed meanwhile.
    const isSuperseded = others.some((other) => other > n);
    for (const each of isSuperseded ? [n] : others) rmSync(pathOf(each), { force: true });
    if (!isSuperseded) return pathOf(n);
  }
}

/** Throws FolderInUse unless the owner's socket refuses connections. A hanging process still accepts them. */
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
  return readdirSync(folder)
    .flatMap((name) => /^lock-(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number);
}
