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

/** Another process uses the folder; the message names it. */
export class FolderInUse extends UnusableStorage {
  override readonly name = "FolderInUse";
}

/**
 * Takes the folder for this process until the returned function is called; throws FolderInUse if a process has it. The
 * owner listens on a socket, which the operating system closes with the process: where connections are refused, there
 * is no owner. Processes of other machines that share the folder over a network are not detected. `onLost` is called
 * once if the lock's files are removed, because another process can take the folder then.
 */
export async function lockFolder(folder: string, who: string, onLost: (cause: Error) => void) {
  const absolute = resolve(folder);
  await makeFolder(localDisk, absolute);
  const { server, socket } = await listenPrivately(absolute, (peer) => peer.destroy());
  // A connection that cannot be accepted does no harm: to whoever asks, being connected is the answer.
  server.on("error", () => {});
  // Relative, because containers mount the folder under different paths.
  const claim = await claimFolder(absolute, who, relative(absolute, socket)).catch((error) => {
    server.close();
    throw error;
  });
  const check = () =>
    Promise.all([access(claim), access(socket)]).catch((cause) => {
      // Released while the files were read.
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

/** Takes the first free of `parent/prefix-1`, `parent/prefix-2`, …; throws FolderInUse if all 64 are taken. */
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
 * Creates `lock-<n>.json`, which names its owner and the socket on which the owner already listens, and returns its
 * path. The highest n has the folder and is never removed: once its owner is gone, n + 1 supersedes it, and of many
 * that try only one can create that.
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
  return readdirSync(folder)
    .flatMap((name) => /^lock-(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number);
}
