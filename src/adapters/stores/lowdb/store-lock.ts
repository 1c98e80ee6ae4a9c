import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, realpath, rename, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createFolder } from "../../../ops/create-folder.ts";
import { UnusableStorage } from "../unusable-storage.ts";

const CHECK_MILLISECONDS = 5_000;
const MAX_SLOTS = 64;
/** Longest path of a socket that every system accepts, in bytes. Node truncates a longer one. */
const MAX_SOCKET_PATH = 103;

/** Another process uses the folder; the message names that process. */
export class FolderInUse extends UnusableStorage {
  override readonly name = "FolderInUse";
}

/**
 * Locks the folder for this process until the returned function is called; throws FolderInUse if another process has
 * locked it. Its owner listens on a socket in the folder `lock`, which the operating system closes with the process.
 * Processes of other machines that share the folder over a network are not detected. `onLost` is called once if the socket
 * is removed, because another process can lock the folder then.
 */
export async function lockFolder(folder: string, who: string, onLost: (cause: Error) => void) {
  await createFolder(folder);
  // Another path to the folder, such as a symbolic link, leads to the same socket.
  const real = await realpath(folder);
  const lock = join(real, "lock");
  const owner = join(real, "owner.txt");
  const { server, socket } = process.platform === "win32" ? await listenOnPipe() : await listenAlone();
  writeFileSync(owner, `process ${process.pid} (${who}, since ${new Date().toISOString()})`, { mode: 0o600 });
  const timer = setInterval(check, CHECK_MILLISECONDS).unref();
  return release;

  function check(): void {
    if (existsSync(socket)) return;
    release();
    onLost(new Error(`${socket} was removed`));
  }

  function release(): void {
    clearInterval(timer);
    server.close();
  }

  /** Windows lets one process have a pipe of this name, and removes it with the process. */
  async function listenOnPipe() {
    const socket = `\\\\.\\pipe\\${lock.replaceAll(/[\\/:]/g, "-")}`;
    const server = await listen(socket).catch(() => undefined);
    if (!server) throw await inUse();
    return { server, socket };
  }

  /** Listens in a folder of its own, which is then renamed to `lock`, so that nobody finds a lock without a listener. */
  async function listenAlone() {
    const own = await mkdtemp(`${lock}-`);
    const name = basename(own);
    const server = await atShortPath(join(own, name), listen);
    try {
      await claim(own);
    } catch (error) {
      server.close();
      throw error;
    } finally {
      await rm(own, { recursive: true, force: true });
    }
    return { server, socket: join(lock, name) };
  }

  /** A folder can be renamed to an empty one, not to one with a socket. */
  async function claim(own: string): Promise<void> {
    const failure = await failureOf(rename(own, lock));
    if (!failure) return;
    if (failure.code !== "ENOTEMPTY" && failure.code !== "EEXIST") throw failure;
    for (const name of await readdir(lock)) {
      if (await isHeld(join(lock, name))) throw await inUse();
      // No other socket has this name, so that a slow process cannot remove that of the next owner.
      await rm(join(lock, name), { force: true });
    }
    return claim(own);
  }

  async function inUse(): Promise<FolderInUse> {
    const user = await readFile(owner, "utf8").catch(() => "another process");
    return new FolderInUse(`data folder ${real} is in use by ${user}; stop it or set TRANSFER_DATA_DIR`);
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

async function listen(socket: string): Promise<Server> {
  // A peer only needs to be connected to see that there is an owner, so that errors while accepting can be ignored.
  const server = createServer((peer) => peer.destroy()).unref();
  await once(server.listen(socket), "listening");
  return server.on("error", () => {});
}

/** Whether a process listens on the socket; one that hangs does. */
async function isHeld(socket: string): Promise<boolean> {
  const peer = atShortPath(socket, (path) => connect(path));
  const error = await failureOf(once(peer, "connect"));
  peer.destroy();
  // Nobody listens, the file is no socket, or another process has just removed it. Other errors come from an owner.
  return !["ECONNREFUSED", "ENOTSOCK", "ENOENT"].includes(error?.code ?? "");
}

async function failureOf(attempt: Promise<unknown>): Promise<NodeJS.ErrnoException | undefined> {
  return attempt.then(() => undefined).catch((error) => error);
}

/** Calls `use`, which opens the path at once, with one that is short enough for a socket. */
function atShortPath<R>(path: string, use: (path: string) => R): R {
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return use(path);
  const parent = mkdtempSync(join(tmpdir(), "tq-"));
  try {
    symlinkSync(dirname(path), join(parent, "f"));
    return use(join(parent, "f", basename(path)));
  } finally {
    rmSync(parent, { recursive: true });
  }
}
