import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type RunningProgram, startProgram } from "./built-process.ts";
import { aFolder } from "./lifetime.ts";
import { aFreePort } from "./machines.ts";

/** A server that only this test uses and may kill. */
export type OwnServer = Awaited<ReturnType<typeof ownRedis>>;

interface Program {
  readonly path: string;
  readonly args: readonly string[];
  /** Log line after which the server accepts connections. */
  readonly isReady: RegExp;
  readonly killedBy: NodeJS.Signals;
  readonly as?: { readonly uid: number; readonly gid: number };
}

/** Why this machine cannot start servers of its own, or `undefined` where it can. */
export function whyNoOwnServers(): string | undefined {
  if (!programPath("initdb")) return "no PostgreSQL is installed here that a test could start";
  if (!programPath("redis-server")) return "no redis-server is installed here that a test could start";
  if (process.getuid?.() === 0 && !postgresUser())
    return "PostgreSQL does not run as root, and there is no user postgres";
  return undefined;
}

/**
 * PostgreSQL with a cluster of its own. `kill` is an immediate shutdown, as in a crash; with "SIGKILL" it kills every
 * process of the cluster.
 */
export async function ownPostgres(t: Pick<TestContext, "after">, killedBy: "SIGQUIT" | "SIGKILL" = "SIGQUIT") {
  const as = process.getuid?.() === 0 ? postgresUser() : undefined;
  const folder = aFolder(t);
  if (as) chownSync(folder, as.uid, as.gid);
  const data = join(folder, "data");
  const options = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(programPath("initdb") ?? "initdb", options, { stdio: "pipe", ...as });
  const port = await aFreePort();
  const server = await started(t, {
    path: programPath("postgres") ?? "postgres",
    args: ["-D", data, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    isReady: /database system is ready to accept connections/,
    killedBy,
    ...(as && { as }),
  });
  return { ...server, url: `postgres://postgres@127.0.0.1:${port}/postgres` };
}

/** Redis that keeps nothing on disk. */
export async function ownRedis(t: Pick<TestContext, "after">) {
  const dir = join(aFolder(t), "redis");
  mkdirSync(dir);
  const port = await aFreePort();
  const server = await started(t, {
    path: programPath("redis-server") ?? "redis-server",
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir],
    isReady: /Ready to accept connections/,
    killedBy: "SIGKILL",
  });
  return { ...server, url: `redis://127.0.0.1:${port}` };
}

async function started(t: Pick<TestContext, "after">, { path, args, isReady, killedBy, as }: Program) {
  let running: RunningProgram | undefined;
  t.after(kill);
  await start();
  return { kill, start, pid };

  function pid(): number {
    return running?.child.pid ?? 0;
  }

  /** Restarts the server with its port and data; resolves when it accepts connections. */
  async function start(): Promise<void> {
    running = startProgram([path, ...args], as);
    await running.says(isReady);
  }

  /** Kills the server with all calls in flight; its port stays closed. */
  async function kill(): Promise<void> {
    if (!running) return;
    const others = killedBy === "SIGKILL" ? childrenOf(running.child) : [];
    const ended = running.kill(killedBy);
    for (const other of others) killIfThere(other);
    await ended;
  }
}

/** Child processes, such as PostgreSQL's backends, which would otherwise finish their work before they notice. */
function childrenOf({ pid }: RunningProgram["child"]): readonly number[] {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  return stdout.split("\n").map(Number).filter(Boolean);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended meanwhile.
  }
}

function postgresUser(): Program["as"] {
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, "postgres"]).stdout || Number.NaN));
  return uid && gid ? { uid, gid } : undefined;
}

/** Debian installs PostgreSQL outside PATH. */
function programPath(name: string): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...(process.env.PATH ?? "").split(":")];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
