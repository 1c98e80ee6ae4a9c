import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Longest path of a socket that every system accepts, in bytes. Node truncates a longer one. */
const MAX_SOCKET_PATH = 103;

/**
 * Listens on a new socket that only this user can reach: below the folder, or in a new one where that path is too long.
 * It does not keep the process running.
 */
export async function listenPrivately(
  folder: string,
  onPeer: (peer: Socket) => void,
): Promise<{ readonly server: Server; readonly socket: string }> {
  const socket = newPath(folder);
  const server = createServer(onPeer).unref();
  await once(server.listen(socket), "listening");
  if (process.platform !== "win32") await chmod(socket, 0o600);
  return { server, socket };
}

function newPath(folder: string): string {
  const name = `socket-${randomBytes(6).toString("hex")}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  const path = join(folder, name);
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH ? path : join(mkdtempSync(join(tmpdir(), "transfer-quote-")), name);
}
