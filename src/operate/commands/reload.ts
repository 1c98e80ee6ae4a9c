import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { basename, join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { findingText } from "../../domain/catalog/finding.ts";
import { createFolder } from "../../ops/create-folder.ts";
import { MINUTE } from "../../ops/durations.ts";
import { listenPrivately } from "../../ops/private-socket.ts";
import type { Service } from "../compose/compose.ts";
import type { Config } from "../config/config.ts";
import type { Arguments } from "./command.ts";

/** What a process answers to `reload`. */
type ReloadAnswer = Awaited<ReturnType<typeof answerOf>>;

/** What the command sends to a process, by whether that is to accept a catalog with faults. */
const RELOAD = "reload\n";
const FORCED = "reload --force\n";
const ANSWER_MILLISECONDS = MINUTE;

/**
 * Listens for the `reload` command on a socket that only this user can open. A file in `<dataDir>/control` names the
 * socket. Resolves to a function that stops listening.
 */
export async function openControl(dataDir: string, service: Service): Promise<() => Promise<void>> {
  const folder = resolve(dataDir, "control");
  await createFolder(folder);
  const { server, socket } = await listenPrivately(folder, (peer) => {
    peer.on("error", () => {});
    peer.once("data", async (request) => {
      const isForced = String(request) === FORCED;
      const isKnown = isForced || String(request) === RELOAD;
      peer.end(isKnown ? JSON.stringify(await answerOf(service, isForced)) : "");
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

/** `undefined` where the process has ended; its files are then removed. */
async function reloadAt(folder: string, file: string, isForced = false): Promise<ReloadAnswer | undefined> {
  const { socket } = JSON.parse(await readFile(file, "utf8"));
  const peer = connect(resolve(folder, socket));
  if (!(await once(peer, "connect").catch(() => undefined))) {
    await Promise.all([file, resolve(folder, socket)].map((path) => rm(path, { force: true })));
    return undefined;
  }
  peer.setTimeout(ANSWER_MILLISECONDS, () => peer.destroy(new Error(`no answer within ${ANSWER_MILLISECONDS} ms`)));
  peer.write(isForced ? FORCED : "reload\n");
  return JSON.parse(await text(peer));
}

/** The version in use after the reload, and why that is still the old one where it failed. */
async function answerOf({ reload, catalogInUse }: Service, isForced: boolean) {
  const outcome = await reload(isForced).then(
    (changes) => ({ mistake: undefined, warnings: changes.map(findingText) }),
    (error) => ({ mistake: error instanceof Error ? error.message : String(error), warnings: [] }),
  );
  const { version, tariffVersion } = catalogInUse();
  return { pid: process.pid, version, tariffVersion, ...outcome };
}

export const options = { force: { meaning: "accepts a catalog in which check finds faults" } } as const;

/** The `reload` command: exits with 1 where a server keeps its old catalog, and where no server runs. */
export async function run({ dataDir }: Config, { values }: Arguments<typeof options>): Promise<number> {
  const folder = resolve(dataDir, "control");
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
  const reloads = files.map((file) => reloadAt(folder, join(folder, file), values.force));
  const answers = (await Promise.all(reloads)).filter((answer) => answer !== undefined);
  if (answers.length === 0) {
    process.stderr.write(`no server uses the data folder ${dataDir}; give reload the same --data as the server\n`);
    return 1;
  }
  for (const { pid, version, tariffVersion, mistake, warnings } of answers) {
    const inUse = `catalog ${version} (tariff ${tariffVersion})`;
    if (mistake === undefined) process.stdout.write(`process ${pid} uses ${inUse}\n`);
    else process.stderr.write(`process ${pid} keeps ${inUse}: ${mistake}\n`);
    for (const warning of warnings) process.stderr.write(`process ${pid} warns: ${warning}\n`);
  }
  return answers.every(({ mistake }) => mistake === undefined) ? 0 : 1;
}
