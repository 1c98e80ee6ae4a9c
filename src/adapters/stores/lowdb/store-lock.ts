import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { access, readFile, realpath } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createFolder } from "../../../ops/create-folder.ts";
import { UnusableStorage } from "../unusable-storage.ts";

const CHECK_MILLISECONDS = 5_000;
const MAX_SLOTS = 64;
/** Longest path of a socket that every system accepts, in bytes. Node truncates a longer one. */
const MAX_SOCKET_PATH = 103;
const isWindows = process.platform === "win32";

/** Another process uses the folder; the message names that process. */
export class FolderInUse extends UnusableStorage {
  override readonly name = "FolderInUse";
}

/**
 * Locks the folder for this process until the returned function is called; throws FolderInUse if another process has
 * locked it. Its owner listens on the socket `lock-<n>`, which the operating system closes with the process; another
 * process then takes `lock-<n+1>`. Processes of other machines that share the folder over a network are not detected.
 * `onLost` is called once if the socket is removed, because another process can lock the folder then.
 */
export async function lockFolder(folder: string, who: string, onLost: (cause: Error) => void) {
  await createFolder(folder);
  // Another path to the folder, such as a symbolic link, leads to the same sockets.
  const real = await realpath(folder);
  const owner = join(real, "owner.txt");
  const { n, server } = await listenNext();
  // Whoever listens before another one looks for sockets is seen by it: of several processes at most one goes on.
  const others = locks().filter((other) => other !== n);
  const isTaken = await Promise.all(others.map((other) => other > n || isHeld(lockOf(other))));
  if (isTaken.includes(true)) {
    server.close();
    rmSync(lockOf(n), { force: true });
    throw await inUse();
  }
  for (const other of others) rmSync(lockOf(other), { force: true });
  writeFileSync(owner, `process ${process.pid} (${who}, since ${new Date().toISOString()})`, { mode: 0o600 });
  const timer = setInterval(check, CHECK_MILLISECONDS).unref();

  return function release(): void {
    // Node removes the socket, and no number may be used again, because a slow process may still want to take it.
    try {
      if (server.listening) writeFileSync(lockOf(n + 1), "", { mode: 0o600 });
    } catch {
      // The disk is full, or the folder was removed.
    }
    stop();
  };

  async function check(): Promise<void> {
    const cause = await failureOf(access(lockOf(n)));
    // Otherwise the lock was released while the socket was looked for.
    if (!cause || !server.listening) return;
    stop();
    onLost(cause);
  }

  function stop(): void {
    clearInterval(timer);
    server.close();
  }

  /** Listens on the next socket; throws where a process listens on the last one. */
  async function listenNext(): Promise<{ readonly n: number; readonly server: Server }> {
    const last = Math.max(0, ...locks());
    if (await isHeld(lockOf(last))) throw await inUse();
    const server = await listen(lockOf(last + 1));
    // Otherwise another process has just taken this number.
    return server ? { n: last + 1, server } : listenNext();
  }

  function locks(): readonly number[] {
    return readdirSync(real).flatMap((name) => (/^lock-\d+$/.test(name) ? Number(name.slice(5)) : []));
  }

  function lockOf(n: number): string {
    return join(real, `lock-${n}`);
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

/** Creates a socket and listens on it; `undefined` where there is a file of that name. */
async function listen(socket: string): Promise<Server | undefined> {
  // A peer only needs to be connected to see that there is an owner, so that errors while accepting can be ignored.
  const server = createServer((peer) => peer.destroy()).unref();
  const listening = once(server, "listening");
  atShortPath(socket, (path) => server.listen(path));
  const error = await failureOf(listening);
  if (error && error.code !== "EADDRINUSE") throw error;
  if (error) return undefined;
  if (isWindows) writeFileSync(socket, "");
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

/** Calls `use`, which opens the path at once, with one that is short enough for a socket; Windows has names instead. */
function atShortPath<R>(path: string, use: (path: string) => R): R {
  if (isWindows) return use(`\\\\.\\pipe\\${path.replaceAll(/[\\/:]/g, "-")}`);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return use(path);
  const parent = mkdtempSync(join(tmpdir(), "tq-"));
  try {
    symlinkSync(dirname(path), join(parent, "f"));
    return use(join(parent, "f", basename(path)));
  } finally {
    rmSync(parent, { recursive: true });
  }
}
