import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { installedPeers, withSqlite } from "./installed-peers.ts";
import { type CleanUp, type Measurement, medians, quotient, type Side } from "./measurement.ts";

const WRITERS = [1, 128];
const RUN_MS = 2_000;
const QUOTES = 100_000;
const MEMORY = "memory of a live quote with its key, kB";

/** The embedded store against SQLite with the same promise (WAL, synchronous FULL), on the disk of temporary files. */
export async function storeRows(
  t: CleanUp,
  { part, rounds }: { readonly part: string; readonly rounds: number },
): Promise<readonly Measurement[]> {
  const measured: Measurement[] = [];
  for (const writers of WRITERS) {
    const path = `embedded store, durable quotes, writers: ${writers}`;
    if (!path.includes(part)) continue;
    const peers = withSqlite(installedPeers());
    const runs: { ours: Side; theirs: Side }[] = [];
    while (runs.length < rounds) {
      const ours = run(["--import", "tsx", file("store-writers.ts"), "write", aFolder(t), `${writers}`, `${RUN_MS}`]);
      const theirs = run([join(peers, "sqlite-writer.mjs"), aFolder(t), `${RUN_MS}`, `${writers}`]);
      runs.push({ ours, theirs });
    }
    const [ours, theirs] = [medians(runs.map((each) => each.ours)), medians(runs.map((each) => each.theirs))];
    const ratio = quotient(ours.perSecond, theirs.perSecond);
    const cpuRatio = quotient(theirs.cpuMs, ours.cpuMs);
    measured.push({ path, peer: "better-sqlite3", goal: writers === 1 ? 1 : 6, ratio, cpuRatio, ours, theirs });
  }
  if (MEMORY.includes(part)) measured.push(memoryRow(t));
  return measured;
}

/** After a restart, which reads them all. */
function memoryRow(t: CleanUp): Measurement {
  const folder = aFolder(t);
  const script = ["--expose-gc", "--import", "tsx", file("store-writers.ts")];
  const filled = run([...script, "fill", folder, `${QUOTES}`]);
  const reloaded = run([...script, "load", folder]);
  const kilobytes = Math.max(filled.bytesEach, reloaded.bytesEach) / 1000;
  const ours = { memoryMb: (kilobytes * QUOTES) / 1000, cpuMs: reloaded.cpuMs };
  return { path: MEMORY, peer: "1 kB", goal: 0.5, less: true, ratio: kilobytes, ours };
}

function run(args: readonly string[]): Side & { readonly bytesEach: number } {
  return JSON.parse(execFileSync(process.execPath, args, { cwd: packageRoot, encoding: "utf8" }));
}

function file(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
