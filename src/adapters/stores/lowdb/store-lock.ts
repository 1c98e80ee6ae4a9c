import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { access, realpath } from "node:fs/promises";
import { connect } from "node:net";
import { hostname } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { z } from "zod/v3";
import { createFolder } from "../../../ops/create-folder.ts";
import { listenPrivately } from "../../../ops/private-socket.ts";
import { readOrCreateFile } from "../../../ops/read-or-create-file.ts";
import { UnusableStorage } from "../unusable-storage.ts";

const CHECK_MILLISECONDS = 5_000;
const MAX_SLOTS = 64;

/** Content of a claim: of the process that holds the folder, or the mark of one that has released it. */
const Owner = z.object({
  pid: z.number(),
  who: z.string(),
  since: z.string(),
  /** Relative to the folder if it is inside, since containers mount the folder under different paths. */
  socket: z.string(),
  host: z.string(),
  /** Different after each start of the machine. */
  boot: z.string(),
  /** Among the processes of one namespace an id is unique. */
  pidNamespace: z.string(),
});
type Owner = z.output<typeof Owner>;
const Claim = z.union([Owner, z.object({ releasedAt: z.string() })]);

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
  await createFolder(folder);
  // Another path to the folder, such as a symbolic link, leads to the same claim and the same socket.
  const real = await realpath(folder);
  const { server, socket } = await listenPrivately(real, (peer) => peer.destroy());
  // An error while accepting can be ignored: a peer only needs to be connected to see that there is an owner.
  server.on("error", () => {});
  const isInside = dirname(socket) === real;
  const since = new Date().toISOString();
  const owner = { pid: process.pid, who, since, socket: isInside ? relative(real, socket) : socket, ...thisMachine() };
  const claim = await claimFolder(real, owner).catch((error) => {
    server.close();
    throw error;
  });
  const check = () =>
    Promise.all([access(claim), access(socket)]).catch((cause) => {
      // The lock was released while the files were checked.
      if (!server.listening) return;
      stop();
      onLost(cause);
    });
  const timer = setInterval(check, CHECK_MILLISECONDS).unref();
  return function release() {
    if (server.listening) markReleased(claim);
    stop();
  };

  function stop(): void {
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
async function claimFolder(folder: string, owner: Owner): Promise<string> {
  const own = JSON.stringify(owner);
  const pathOf = (n: number) => join(folder, `lock-${n}.json`);
  for (let n = Math.max(1, ...claimsIn(folder)); ; n += 1) {
    const claim = await readOrCreateFile(pathOf(n), () => own);
    if (claim !== own) {
      await assertAbandoned(pathOf(n), claim);
      continue;
    }
    const others = claimsIn(folder).filter((other) => other !== n);
    // A slow process may create a number again that was superseded and removed meanwhile.
    const isSuperseded = others.some((other) => other > n);
    for (const each of isSuperseded ? [n] : others) rmSync(pathOf(each), { force: true });
    if (!isSuperseded) return pathOf(n);
  }
}

/** The socket is removed when its server closes, and a socket that cannot be found is not proof that its owner ended. */
function markReleased(claim: string): void {
  const draft = `${claim}.draft`;
  try {
    writeFileSync(draft, JSON.stringify({ releasedAt: new Date().toISOString() }), { mode: 0o600, flush: true });
    renameSync(draft, claim);
  } catch {
    // A full disk: the next process finds out that this one has ended.
    rmSync(draft, { force: true });
  }
}

/**
 * Throws FolderInUse unless the claim was released, the owner's socket refuses connections, or the socket cannot be
 * found and the owner's process has surely ended. A hanging process still accepts connections.
 */
async function assertAbandoned(path: string, content: string): Promise<void> {
  const folder = dirname(path);
  const claim = claimIn(path, content);
  if ("releasedAt" in claim) return;
  const { pid, who, since, host } = claim;
  const socket = resolve(folder, claim.socket);
  const peer = connect(socket);
  const user = `process ${pid} (${who}, since ${since})`;
  try {
    await once(peer, "connect");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ECONNREFUSED") return rmSync(socket, { force: true });
    if (code === "ENOENT") {
      if (hasEnded(claim)) return;
      const unseen = `${user} on ${host} may use data folder ${folder}; its socket ${socket} cannot be found from here`;
      throw new FolderInUse(`${unseen}; stop it, and delete ${path} if it has ended`);
    }
  } finally {
    peer.destroy();
  }
  throw new FolderInUse(`data folder ${folder} is in use by ${user}; stop it or set TRANSFER_DATA_DIR`);
}

function claimIn(path: string, content: string): z.output<typeof Claim> {
  try {
    return Claim.parse(JSON.parse(content));
  } catch {
    const repair = "delete it if no process uses the folder";
    throw new UnusableStorage(`lock file ${path} is damaged, so that the owner of its folder is unknown; ${repair}`);
  }
}

function thisMachine(): Pick<Owner, "host" | "boot" | "pidNamespace"> {
  // Systems other than Linux have neither; there the name of the host has to do.
  const isLinux = process.platform === "linux";
  return {
    host: hostname(),
    boot: isLinux ? readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() : "",
    pidNamespace: isLinux ? readlinkSync("/proc/self/ns/pid") : "",
  };
}

/** Whether the process ran on this machine and has ended; false where that cannot be known. */
function hasEnded({ pid, host, boot, pidNamespace }: Owner): boolean {
  const here = thisMachine();
  if (host !== here.host) return false;
  if (boot !== here.boot) return true;
  if (pidNamespace !== here.pidNamespace) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function claimsIn(folder: string): readonly number[] {
  return readdirSync(folder)
    .flatMap((name) => /^lock-(\d+)\.json$/.exec(name)?.[1] ?? [])
    .map(Number);
}
