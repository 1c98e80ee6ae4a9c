import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { packageRoot } from "../../src/ops/package-root.ts";
import { cellsOf, HEAD } from "../support/benchmark-table.ts";
import { type CleanUp, loadNow, type Measurement, quotient, type Results, thisMachine } from "./measurement.ts";
import { deploymentRows } from "./rows-deployment.ts";
import { GATED_PATHS, httpRows } from "./rows-http.ts";
import { START, startRows } from "./rows-start.ts";
import { storeRows } from "./rows-store.ts";

/**
 * The built server with all that it promises against bare frameworks and its own stores against others, in turns:
 * `npm run bench [-- part of a path] [--rounds 5] [--json] [--write] [--check]`. Clients and servers share this machine's
 * processors, so only the ratios mean something. `--write` updates the README's table. `--check` measures some rows
 * in less than a minute and fails where one is below 70 % of the README's ratio, by time and by CPU time, three times
 * in a row: what else the machine does changes one of the two, and not for long. Linux.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
  },
});
const RESULTS = join(packageRoot, "test/bench/results.json");
/** Of the ratio in the README. */
const LEAST = 0.7;
const ATTEMPTS = 3;

const loadBefore = loadNow();
const rounds = Number(values.rounds ?? (values.check ? 3 : 5));
const [part = ""] = positionals;
if (values.check) await check();
else {
  const rows = measured(await measureAll(part));
  if (values.json) process.stdout.write(`${JSON.stringify({ machine: thisMachine(), loadBefore, rows })}\n`);
  else process.stdout.write(`${tableOf(rows)}\n`);
  if (values.write) write(rows);
}

function measureAll(name: string): Promise<readonly Measurement[]> {
  return cleanly(async (t) => [
    ...(await httpRows(t, { part: name, rounds })),
    ...(await startRows(t, { part: name, rounds: rounds * 2 + 1 })),
    ...(await storeRows(t, { part: name, rounds })),
    ...(await deploymentRows(t, { part: name })),
  ]);
}

function measured(rows: readonly Measurement[]): readonly Measurement[] {
  if (rows.length === 0) throw new Error(`no row is named ${part}`);
  return rows;
}

async function check(): Promise<void> {
  const published = new Map(read().rows.map((row) => [keyOf(row), row]));
  const measure = (name: string) =>
    cleanly((t) =>
      name === START ? startRows(t, { part: START, rounds }) : httpRows(t, { part: name, rounds, short: true }),
    );
  for (const path of [...GATED_PATHS, START]) {
    const shares: number[] = [];
    while (shares.length < ATTEMPTS && !shares.some((share) => share >= LEAST)) {
      const [row] = await measure(path);
      const before = row && published.get(keyOf(row));
      if (!before) throw new Error(`results.json has no row for ${path}`);
      const share = (name: "ratio" | "cpuRatio") =>
        row.less ? quotient(before[name], row[name]) : quotient(row[name], before[name]);
      shares.push(Math.max(share("ratio"), share("cpuRatio")));
    }
    const percent = shares.map((share) => `${Math.round(share * 100)} %`).join(", ");
    process.stdout.write(`${path}: ${percent} of the README's ratio\n`);
    if (!shares.some((share) => share >= LEAST)) process.exitCode = 1;
  }
}

/** Rows that were not measured stay as they are. */
function write(rows: readonly Measurement[]): void {
  const fresh = new Map(rows.map((row) => [keyOf(row), row]));
  const kept = read().rows.map((row) => fresh.get(keyOf(row)) ?? row);
  const added = rows.filter((row) => !kept.includes(row));
  const date = new Date().toISOString().slice(0, 10);
  const results: Results = { date, machine: thisMachine(), loadBefore, rows: [...kept, ...added] };
  const digits = (_key: string, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
  writeFileSync(RESULTS, `${JSON.stringify(results, digits, 2)}\n`);
  execFileSync("npm", ["run", "--silent", "docs"], { cwd: packageRoot, stdio: "inherit" });
}

function read(): Results {
  return JSON.parse(readFileSync(RESULTS, "utf8"));
}

function keyOf({ path, peer }: Measurement): string {
  return `${path} / ${peer}`;
}

async function cleanly<R>(run: (t: CleanUp) => Promise<R>): Promise<R> {
  const cleanUps: (() => unknown)[] = [];
  try {
    return await run({ after: (clean) => void cleanUps.unshift(clean as () => unknown) });
  } finally {
    for (const clean of cleanUps) await clean();
  }
}

function tableOf(rows: readonly Measurement[]): string {
  const table = new Table({ head: [...HEAD], style: { head: [], border: [] } });
  table.push(...rows.map((row) => [...cellsOf(row)]));
  return table.toString();
}
