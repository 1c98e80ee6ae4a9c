import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { BIN, cleanEnvironment, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { cpuSecondsOf } from "./cpu-time.ts";
import { installedPeers } from "./installed-peers.ts";

/**
 * From the start of a process over stdio to its first answer to a tool call, in turns with the MCP reference server for
 * files, each with a data folder that has been used before; and the memory of the HTTP server at rest: `npm run
 * bench:start [-- --rounds 9]`. Other load changes CPU time less than time. Linux.
 */
const { values } = parseArgs({ options: { rounds: { type: "string", default: "9" } } });
const AT_REST_MS = 5_000;

const cleanUps: (() => unknown)[] = [];
const t = { after: (clean: unknown) => void cleanUps.unshift(clean as () => unknown) };
try {
  const folder = aFolder(t);
  const files = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
  const ours = { args: [BIN, "stdio"], name: "create_transfer_quote", input: aRealJourney() };
  const theirs = { args: [join(installedPeers(), files), folder], name: "list_allowed_directories", input: {} };
  await firstCall(ours, folder);
  await firstCall(theirs, folder);
  const runs: { a: Start; b: Start }[] = [];
  while (runs.length < Number(values.rounds))
    runs.push({ a: await firstCall(ours, folder), b: await firstCall(theirs, folder) });
  for (const unit of ["milliseconds", "cpuMs"] as const) {
    const [a, b] = [median(runs.map((run) => run.a[unit])), median(runs.map((run) => run.b[unit]))];
    process.stdout.write(
      `${unit} to the first call: ${a.toFixed(0)} / ${b.toFixed(0)} = ${(a / b).toFixed(2)} (goal 0.6)\n`,
    );
  }
  const { child } = await startBuiltServer(t, { TRANSFER_LOG_LEVEL: "warn" });
  await pause(AT_REST_MS);
  process.stdout.write(`memory of the HTTP server at rest: ${memoryMb(child.pid).toFixed(0)} MB (goal 120)\n`);
} finally {
  for (const clean of cleanUps) await clean();
}

interface Program {
  readonly args: readonly string[];
  /** The tool that is called first, and its arguments. */
  readonly name: string;
  readonly input: object;
}

interface Start {
  readonly milliseconds: number;
  readonly cpuMs: number;
}

async function firstCall({ args, name, input }: Program, dataDir: string): Promise<Start> {
  const began = performance.now();
  const env = cleanEnvironment({ TRANSFER_DATA_DIR: dataDir });
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout });
  const send = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "bench", version: "1.0.0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  send({ id: 1, method: "initialize", params });
  await once(lines, "line");
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name, arguments: input } });
  const [answer] = await once(lines, "line");
  const milliseconds = performance.now() - began;
  const cpuMs = cpuSecondsOf(child.pid ?? 0) * 1000;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  const { result } = JSON.parse(answer);
  if (!result || result.isError) throw new Error(`the first call failed: ${answer}`);
  return { milliseconds, cpuMs };
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function memoryMb(pid = 0): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1000;
}
