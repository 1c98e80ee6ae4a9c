import { type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aFolder } from "./lifetime.ts";
import type { Fields } from "./mcp-client.ts";

/** What `npm test` builds. */
const BUILT = join(packageRoot, "dist", "cli.js");
/** The command line under test: the built one, or the installed one that `npm run release` names. */
export const BIN = process.env.TEST_PROGRAM ?? BUILT;

type Environment = Readonly<Record<string, string>>;

interface ProcessLimits {
  /** How many files, connections included, the process can open. Default: as many as this one. */
  readonly openFiles?: number;
  /** What Node runs. Default: the built program. */
  readonly program?: readonly string[];
  /** The working folder, whose `.env` is read. Default: an empty one. */
  readonly cwd?: string;
}

/** Variables that started processes inherit: where to find programs, and the fake time of `test/any-hour.mjs`. */
const PASSED_ON = ["PATH", "HOME", "LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"];

/** The environment of a started process, without the developer's own settings. */
export function cleanEnvironment(env: Environment): Record<string, string> {
  const passedOn = Object.entries(process.env).filter(([name]) => PASSED_ON.includes(name));
  return { ...(Object.fromEntries(passedOn) as Environment), ...env };
}

/** Starts the built command in an empty folder, with a data folder of its own unless `TRANSFER_DATA_DIR` is given. */
export function startBuilt(
  t: Pick<TestContext, "after">,
  args: readonly string[],
  env: Environment = {},
  { openFiles, cwd = aFolder(t), program = [BIN] }: ProcessLimits = {},
): RunningProgram {
  requireFreshBuild();
  let running: RunningProgram | undefined;
  // Registered before the removal of the folder, so that it runs first.
  t.after(() => running?.kill());
  const settings = env.TRANSFER_DATA_DIR ? env : { TRANSFER_DATA_DIR: aFolder(t), ...env };
  const shell = openFiles === undefined ? [] : ["sh", "-c", `ulimit -n ${openFiles}; exec "$0" "$@"`];
  const command = [...shell, process.execPath, ...program, ...args];
  running = startProgram(command, { cwd, env: cleanEnvironment(settings) });
  return running;
}

let isFresh = false;

/** Throws where a source is newer than the build: what is tested would not be what is read. */
export function requireFreshBuild(): void {
  const folders = ["src", "tools", "rest-shim", "fixtures/catalog"].map((folder) => join(packageRoot, folder));
  const newer = isFresh ? undefined : newerSource(BUILT, folders);
  if (newer) throw new Error(`${newer} is newer than the build in dist: run node scripts/prepare.mjs`);
  isFresh = true;
}

export type RunningProgram = ReturnType<typeof startProgram>;

/** Starts a program; the caller has to end it. */
export function startProgram([path = "", ...args]: readonly string[], options: SpawnOptionsWithoutStdio = {}) {
  const child = spawn(path, args, options);
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      said[name] += chunk;
    });
  }
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return {
    child,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    /** Resolves when the process has ended and all its output has been read. */
    ended,
    /** Resolves with the first match in stdout or stderr; rejects where the process ends without one. */
    says(pattern: RegExp): Promise<RegExpExecArray> {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(said.stdout) ?? pattern.exec(said.stderr);
          if (!match) return;
          for (const stream of [child.stdout, child.stderr]) stream.off("data", look);
          resolve(match);
        };
        for (const stream of [child.stdout, child.stderr]) stream.on("data", look);
        ended.then(
          ({ code }) => reject(new Error(`${path} ended with ${code} and never said ${pattern}: ${said.stderr}`)),
          reject,
        );
        look();
      });
    },
    /** Sends a signal and waits as `ended` does. */
    stop(signal: NodeJS.Signals = "SIGTERM") {
      child.kill(signal);
      return ended;
    },
    /** Ends the process if it still runs. */
    async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    },
  };
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How long `runBuilt` waits for answers: a busy machine takes long to start a process. */
const MOST_ANSWER_MS = 50_000;

/**
 * Runs the built command to its end, with `input` on its stdin. The input ends once all its requests are answered; the
 * program then has 2 s to end.
 */
export async function runBuilt(
  t: Pick<TestContext, "after">,
  args: readonly string[],
  env: Environment = {},
  input = "",
  limits: ProcessLimits = {},
): Promise<Finished> {
  const { child, stdout, stderr, ended } = startBuilt(t, args, env, limits);
  child.stdin.write(input === "" || input.endsWith("\n") ? input : `${input}\n`);
  const lines = input.split("\n").filter((line) => line.startsWith('{"jsonrpc"'));
  const canceled = lines.filter((line) => line.includes('"notifications/cancelled"')).length;
  const requests = lines.filter((line) => line.includes('"id":')).length - canceled;
  const until = performance.now() + MOST_ANSWER_MS;
  while (
    requests > 0 &&
    stdout().split("\n").length <= requests &&
    child.exitCode === null &&
    performance.now() < until
  )
    await sleep(20);
  child.stdin.end();
  const { code } = await ended;
  return { code, stdout: stdout(), stderr: stderr() };
}

export type BuiltServer = Awaited<ReturnType<typeof startBuiltServer>>;

/**
 * Starts the built server on a free port; resolves when it is ready. `welcome` is everything that it prints at the start,
 * `token` what the file contains that the printed request reads.
 */
export async function startBuiltServer(
  t: Pick<TestContext, "after">,
  env: Environment = {},
  limits: ProcessLimits = {},
) {
  const settings = { TRANSFER_HTTP_PORT: "0", TRANSFER_DRAIN_SECONDS: "0", ...env };
  const server = startBuilt(t, ["serve"], settings, limits);
  const [welcome, publicUrl = ""] = await server.says(/ready\.[\s\S]*?REST +(http:\/\/[^/\s]+)[\s\S]*\n\n$/);
  const [, tokenFile] = /Authorization: Bearer \$\(cat '([^']+)'\)"/.exec(welcome) ?? [];
  const token = tokenFile === undefined ? "" : readFileSync(tokenFile, "utf8").trim();
  return { ...server, publicUrl, token, welcome };
}

/** The log lines about calls. */
export function callLines(stderr: string): Fields[] {
  const lines = stderr.split("\n").filter((line) => line.endsWith("}"));
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "call");
}

/** A file of the folders that was changed after `built` was written; `undefined` if there is none. */
function newerSource(built: string, folders: readonly string[]): string | undefined {
  const builtAt = statSync(built).mtimeMs;
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    ),
  );
  return files.find((file) => statSync(file).mtimeMs > builtAt);
}
