import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { access, chmod } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { claimFolder, FolderInUse } from "./claim-folder.ts";
import { localDisk, makeFolder } from "./disk.ts";

const CHECK_MILLISECONDS = 5_000;
/** Bytes of a socket's path that every system accepts; Node truncates a longer one. */
const MAX_SOCKET_PATH = 103;
const MAX_SLOTS = 64;

/**
 * Takes the folder for this process until the returned function is called; throws FolderInUse if a process has it. The
 * owner listens on a socket, which the operating system closes with the process: where connections are refused, there
 * is no owner. Processes of other machines that share the folder over a network are not detected. `onLost` is called
 * once if the lock's files are removed, because another process can take the folder then.
 */
export async function lockFolder(folder: string, who: string, onLost: (cause: Error) => void) {
  const absolute = resolve(folder);
  await makeFolder(localDisk, absolute);
  const socket = socketFor(absolute);
  const server = createServer((peer) => peer.destroy()).unref();
  await once(server.listen(socket), "listening");
  if (process.platform !== "win32") await chmod(socket, 0o600);
  // A connection that cannot be accepted does no harm: to whoever asks, being connected is the answer.
  server.on("error", () => {});
  // Relative, because containers mount the folder under different paths.
  const claim = await claimFolder(absolute, who, relative(absolute, socket)).catch((error) => {
    server.close();
    throw error;
  });
  const check = () =>
    Promise.all([access(claim), access(socket)]).catch((cause) => {
      // Released while the files were looked at.
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

/** A path for a socket that only this user can reach: below the folder, or in a new one where that path is too long. */
export function socketFor(folder: string): string {
  const name = `lock-${randomBytes(6).toString("hex")}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  const path = join(folder, name);
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH ? path : join(mkdtempSync(join(tmpdir(), "transfer-quote-")), name);
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
