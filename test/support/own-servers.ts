import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { accessSync, chownSync, constants, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { TestContext } from "node:test";
import { aFreePort } from "./machines.ts";
import { aFolder } from "./temporary-folder.ts";

/** A server that only this test uses and may kill. */
export interface OwnServer {
  readonly url: string;
  /** Of the process that runs now. */
  pid(): number;
  /** Kills it with all calls in flight and leaves its port closed. */
  kill(): Promise<void>;
  /** Starts it again on its old port and data; resolves when it takes connections. */
  start(): Promise<void>;
}

interface Program {
  readonly path: string;
  readonly args: readonly string[];
  /** The line of its log after which it accepts connections. */
  readonly isReady: RegExp;
  readonly killedBy: NodeJS.Signals;
  /** User and group it runs as. */
  readonly as?: { readonly uid: number; readonly gid: number };
}

/** Why this machine cannot start servers of its own, or `undefined` where it can. */
export function whyNoOwnServers(): string | undefined {
  if (!postgresProgram("initdb")) return "no PostgreSQL is installed here that a test could start";
  if (!programOnPath("redis-server")) return "no redis-server is installed here that a test could start";
  if (process.getuid?.() === 0 && !postgresUser())
    return "PostgreSQL does not run as root, and there is no user postgres";
  return undefined;
}

/**
 * PostgreSQL with a cluster of its own. `kill` is an immediate shutdown, as in a crash; with "SIGKILL" it kills every
 * process of the cluster.
 */
export async function ownPostgres(
  t: Pick<TestContext, "after">,
  killedBy: "SIGQUIT" | "SIGKILL" = "SIGQUIT",
): Promise<OwnServer> {
  const as = process.getuid?.() === 0 ? postgresUser() : undefined;
  const folder = aFolder(t);
  if (as) chownSync(folder, as.uid, as.gid);
  const data = join(folder, "data");
  const options = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(postgresProgram("initdb") ?? "initdb", options, { stdio: "pipe", ...as });
  const port = await aFreePort();
  const server = await started(t, {
    path: postgresProgram("postgres") ?? "postgres",
    args: ["-D", data, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    isReady: /database system is ready to accept connections/,
    killedBy,
    ...(as && { as }),
  });
  return { ...server, url: `postgres://postgres@127.0.0.1:${port}/postgres` };
}

/** Redis that keeps nothing on disk. */
export async function ownRedis(t: Pick<TestContext, "after">): Promise<OwnServer> {
  const dir = join(aFolder(t), "redis");
  mkdirSync(dir);
  const port = await aFreePort();
  const server = await started(t, {
    path: programOnPath("redis-server") ?? "redis-server",
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir],
    isReady: /Ready to accept connections/,
    killedBy: "SIGKILL",
  });
  return { ...server, url: `redis://127.0.0.1:${port}` };
}

async function started(t: Pick<TestContext, "after">, program: Program): Promise<Omit<OwnServer, "url">> {
  let child: ChildProcess | undefined;
  t.after(kill);
  await start();
  return { kill, start, pid: () => child?.pid ?? 0 };

  async function start(): Promise<void> {
    const born = spawn(program.path, program.args, { stdio: ["ignore", "pipe", "pipe"], ...program.as });
    child = born;
    const said: string[] = [];
    const ready = new Promise<void>((resolve, reject) => {
      for (const stream of [born.stdout, born.stderr] as readonly Readable[]) {
        createInterface(stream).on("line", (line) => {
          said.push(line);
          if (program.isReady.test(line)) resolve();
        });
      }
      born.once("error", reject);
      born.once("exit", (code) => reject(new Error(`${program.path} ended with ${code}: ${said.join("\n")}`)));
    });
    await ready;
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    const others = program.killedBy === "SIGKILL" ? childrenOf(child.pid) : [];
    child.kill(program.killedBy);
    for (const pid of others) killIfThere(pid);
    await exited;
  }
}

/** Backends of PostgreSQL, which would otherwise finish what they do before they notice. */
function childrenOf(pid = 0): readonly number[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return stdout.split("\n").map(Number).filter(Boolean);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

function postgresUser(): Program["as"] {
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, "postgres"]).stdout || Number.NaN));
  return uid && gid ? { uid, gid } : undefined;
}

/** Debian installs them outside PATH. */
function postgresProgram(name: string): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = isThere(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const candidates = versions.map((version) => join(debian, version, "bin", name));
  return candidates.find(isThere) ?? programOnPath(name);
}

function programOnPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(":");
  return folders.map((folder) => join(folder, name)).find(isThere);
}

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
