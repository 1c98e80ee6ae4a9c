import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { createFolder } from "../../ops/create-folder.ts";
import { MINUTE } from "../../ops/durations.ts";
import { CommandFailed } from "./command.ts";

const ANSWER_MILLISECONDS = MINUTE;
/** Longest path of a socket that every system accepts, in bytes. Node truncates a longer one. */
const MAX_SOCKET_PATH = 103;

/** What commands ask of a running server. */
export type ControlRequest =
  | { readonly command: "reload"; readonly isForced: boolean }
  | { readonly command: "confirm"; readonly id: string; readonly hours: number };

/**
 * Answers commands, with what `answerTo` returns as JSON, on a socket that only this user can open. A file in
 * `<dataDir>/control` names the socket. Resolves to a function that stops listening.
 */
export async function openControl(
  dataDir: string,
  answerTo: (request: ControlRequest) => Promise<object>,
): Promise<() => Promise<void>> {
  const folder = resolve(dataDir, "control");
  await createFolder(folder);
  const socket = newPath(folder);
  // It does not keep the process running.
  const server = createServer((peer) => {
    peer.on("error", () => {});
    peer.once("data", async (request) => {
      const answer = await answerTo(JSON.parse(String(request))).catch((error) => ({ mistake: messageOf(error) }));
      peer.end(JSON.stringify({ pid: process.pid, ...answer }));
    });
  }).unref();
  await once(server.listen(socket), "listening");
  if (process.platform !== "win32") await chmod(socket, 0o600);
  const file = join(folder, `${basename(socket)}.json`);
  // Relative, because containers mount the folder under different paths.
  await writeFile(file, JSON.stringify({ socket: relative(folder, socket) }));
  return async () => {
    server.close();
    await rm(file, { force: true });
  };
}

/** The path of a new socket: in the folder, or in a new one where that path is too long. */
function newPath(folder: string): string {
  const name = `socket-${randomBytes(6).toString("hex")}`;
  if (process.platform === "win32") return `\\\\.\\pipe\\${name}`;
  const path = join(folder, name);
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH ? path : join(mkdtempSync(join(tmpdir(), "transfer-quote-")), name);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An answer of a running server; `mistake` is why it did not do what was asked. */
export interface ControlAnswer {
  readonly pid: number;
  readonly mistake?: string | undefined;
}

/** The answers of the servers that use the data folder, asked one after the other. Throws CommandFailed where there is none. */
export async function* askServers<Answer>(
  dataDir: string,
  request: ControlRequest,
): AsyncGenerator<ControlAnswer & Answer> {
  const folder = resolve(dataDir, "control");
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
  let isAnswered = false;
  for (const file of files) {
    const answer = await ask(folder, join(folder, file), request);
    if (answer === undefined) continue;
    isAnswered = true;
    yield JSON.parse(answer);
  }
  if (isAnswered) return;
  const same = `give ${request.command} the same --data as the server`;
  throw new CommandFailed(`no server uses the data folder ${dataDir}; ${same}`);
}

/** `undefined` where the process has ended; its files are then removed. */
async function ask(folder: string, file: string, request: ControlRequest): Promise<string | undefined> {
  const { socket } = JSON.parse(await readFile(file, "utf8"));
  const peer = connect(resolve(folder, socket));
  if (!(await once(peer, "connect").catch(() => undefined))) {
    await Promise.all([file, resolve(folder, socket)].map((path) => rm(path, { force: true })));
    return undefined;
  }
  peer.setTimeout(ANSWER_MILLISECONDS, () => peer.destroy(new Error(`no answer within ${ANSWER_MILLISECONDS} ms`)));
  peer.write(JSON.stringify(request));
  return text(peer);
}
