import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { packageRoot } from "../../src/ops/package-root.ts";
import { BIN, cleanEnvironment, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { cpuMsOfThreads, memoryMbOf } from "./cpu-time.ts";
import { installedPeers } from "./installed-peers.ts";
import { at, type CleanUp, type Measurement, median, quotient, type Side } from "./measurement.ts";
import { startPeer } from "./rows-http.ts";

export const START = "stdio, spawn to first quote";
const OWN_CATALOG = "operator's own catalog, read and checked";
const AT_REST = "HTTP server, memory at rest";
const AT_REST_MS = 5_000;
const OWN_CATALOG_MS = 300;
const HERE = join(packageRoot, "test/bench");

/**
 * From the start of a process over stdio to its first answer to a tool call, in turns with the MCP reference server for
 * files, each with a data folder that has been used before; and the memory of the HTTP server at rest.
 */
export async function startRows(
  t: CleanUp,
  { part, rounds }: { readonly part: string; readonly rounds: number },
): Promise<readonly Measurement[]> {
  return [
    ...(START.includes(part) ? [await firstQuote(t, rounds)] : []),
    ...(OWN_CATALOG.includes(part) ? [ownCatalog(t, rounds)] : []),
    ...(AT_REST.includes(part) ? [await memoryAtRest(t)] : []),
  ];
}

async function firstQuote(t: CleanUp, rounds: number): Promise<Measurement> {
  const folder = aFolder(t);
  const files = "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js";
  const ours = (n: number) => ({
    ...{ args: [BIN, "stdio"], name: "create_transfer_quote" },
    input: aRealJourney({ passengers: 1 + (n % 6) }),
  });
  const theirs = { args: [join(installedPeers(), files), folder], name: "list_allowed_directories", input: {} };
  await firstCall(ours(0), folder);
  await firstCall(theirs, folder);
  const runs: { a: Start; b: Start }[] = [];
  while (runs.length < rounds)
    runs.push({ a: await firstCall(ours(runs.length), folder), b: await firstCall(theirs, folder) });
  const [a, b] = [sideOf(runs.map((run) => run.a)), sideOf(runs.map((run) => run.b))];
  const [ratio, cpuRatio] = [quotient(a.p50, b.p50), quotient(a.cpuMs, b.cpuMs)];
  return { path: START, peer: "server-filesystem", goal: 0.6, less: true, ratio, cpuRatio, ours: a, theirs: b };
}

/** An operator's own folder, which is read and checked at each start. */
function ownCatalog(t: CleanUp, rounds: number): Measurement {
  const folder = aFolder(t);
  cpSync(join(packageRoot, "fixtures/catalog"), folder, { recursive: true });
  appendFileSync(join(folder, "tariff.json"), "\n");
  const read = () => execFileSync(process.execPath, [join(HERE, "read-catalog.mjs"), folder], { encoding: "utf8" });
  const runs: readonly { milliseconds: number; cpuMs: number }[] = Array.from({ length: rounds }, () =>
    JSON.parse(read()),
  );
  const milliseconds = runs.map((run) => run.milliseconds);
  const ours = { p50: median(milliseconds), p99: at(milliseconds, 0.99), cpuMs: median(runs.map((run) => run.cpuMs)) };
  const [ratio, cpuRatio] = [ours.p50 / OWN_CATALOG_MS, ours.cpuMs / OWN_CATALOG_MS];
  return { path: OWN_CATALOG, peer: "300 ms", goal: 1, less: true, ratio, cpuRatio, ours };
}

async function memoryAtRest(t: CleanUp): Promise<Measurement> {
  const server = await startBuiltServer(t, { TRANSFER_LOG_LEVEL: "info" });
  const answers = join(aFolder(t), "answers.json");
  writeFileSync(answers, "{}");
  const express = await startPeer(t, "express", answers);
  await pause(AT_REST_MS);
  const ours = { memoryMb: memoryMbOf(server.child.pid ?? 0) };
  const theirs = { memoryMb: memoryMbOf(express.child.pid ?? 0) };
  const ratio = quotient(ours.memoryMb, theirs.memoryMb);
  return { path: AT_REST, peer: "express", goal: 1.2, less: true, ratio, ours, theirs };
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
  readonly memoryMb: number;
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
  const { pid = 0 } = child;
  const taken = { milliseconds, cpuMs: cpuMsOfThreads(pid), memoryMb: memoryMbOf(pid) };
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
  const { result } = JSON.parse(answer);
  if (!result || result.isError) throw new Error(`the first call failed: ${answer}`);
  return taken;
}

function sideOf(starts: readonly Start[]): Side {
  const milliseconds = starts.map((start) => start.milliseconds);
  const [cpuMs, memoryMb] = [median(starts.map((start) => start.cpuMs)), median(starts.map((start) => start.memoryMb))];
  return { p50: median(milliseconds), p99: at(milliseconds, 0.99), cpuMs, memoryMb };
}
