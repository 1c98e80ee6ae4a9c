import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { basename, join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { Service } from "../compose/compose.ts";
import type { Config } from "../config/config.ts";
import { listenPrivately } from "../ops/private-socket.ts";
import { defineCommand } from "./command.ts";

/** What a process answers to `reload`. */
export interface ReloadAnswer {
  readonly pid: number;
  /** Version in use after the reload, whether it succeeded or not. */
  readonly version: string;
  readonly tariffVersion: string;
  /** Why the old catalog stays in use; absent where the new one is. */
  readonly mistake?: string;
  readonly warnings?: readonly string[];
}

const RELOAD = "reload\n";
const ANSWER_MILLISECONDS = 60_000;

/**
 * Listens for the `reload` command on a socket that only this user can open. A file in `<dataDir>/control` names the
 * socket. Resolves to a function that stops listening.
 */
export async function openControl(dataDir: string, service: Service): Promise<() => Promise<void>> {
  const folder = controlFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { server, socket } = await listenPrivately(folder, (peer) => {
    peer.on("error", () => {});
    peer.once("data", async (request) => {
      peer.end(String(request) === RELOAD ? JSON.stringify(await answerOf(service)) : "");
    });
  });
  const file = join(folder, `${basename(socket)}.json`);
  // Relative, because containers mount the folder under different paths.
  await writeFile(file, JSON.stringify({ socket: relative(folder, socket) }));
  return async () => {
    server.close();
    await rm(file, { force: true });
  };
}

/** Makes every process with this data folder reload its catalog. */
export async function reloadAll(dataDir: string): Promise<readonly ReloadAnswer[]> {
  const folder = controlFolder(dataDir);
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
  const answers = await Promise.all(files.map((file) => reloadAt(folder, join(folder, file))));
  return answers.filter((answer) => answer !== undefined);
}

/** `undefined` where the process has ended; its files are then removed. */
async function reloadAt(folder: string, file: string): Promise<ReloadAnswer | undefined> {
  const { socket } = JSON.parse(await readFile(file, "utf8"));
  const peer = connect(resolve(folder, socket));
  const isRunning = await once(peer, "connect").then(
    () => true,
    () => false,
  );
  if (!isRunning) {
    await Promise.all([file, resolve(folder, socket)].map((path) => rm(path, { force: true })));
    return undefined;
  }
  peer.setTimeout(ANSWER_MILLISECONDS, () => peer.destroy(new Error(`no answer within ${ANSWER_MILLISECONDS} ms`)));
  peer.write(RELOAD);
  return JSON.parse(await text(peer));
}

async function answerOf({ reload, catalogInUse }: Service): Promise<ReloadAnswer> {
  const outcome = await reload().then(
    (changes) => ({ warnings: changes.map(({ file, path, text }) => `${file} at ${path}: ${text}`) }),
    (error) => ({ mistake: error instanceof Error ? error.message : String(error) }),
  );
  const { version, tariffVersion } = catalogInUse();
  return { pid: process.pid, version, tariffVersion, ...outcome };
}

function controlFolder(dataDir: string): string {
  return resolve(dataDir, "control");
}

/** The `reload` command: exits with 1 where a server keeps its old catalog, and where no server runs. */
async function run({ dataDir }: Config): Promise<number> {
  const answers = await reloadAll(dataDir);
  if (answers.length === 0) {
    process.stderr.write(`no server uses the data folder ${dataDir}; give reload the same --data as the server\n`);
    return 1;
  }
  for (const { pid, version, tariffVersion, mistake, warnings = [] } of answers) {
    const inUse = `catalog ${version} (tariff ${tariffVersion})`;
    if (mistake === undefined) process.stdout.write(`process ${pid} uses ${inUse}\n`);
    else process.stderr.write(`process ${pid} keeps ${inUse}: ${mistake}\n`);
    for (const warning of warnings) process.stderr.write(`process ${pid} warns: ${warning}\n`);
  }
  return answers.every(({ mistake }) => mistake === undefined) ? 0 : 1;
}

export const reload = defineCommand({ operands: [], options: {}, run });
