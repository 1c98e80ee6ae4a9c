import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Table from "cli-table3";
import { packageRoot } from "../../src/ops/package-root.ts";
import { sendLoad } from "../support/raw-load.ts";
import { rows, service } from "./contestants.ts";
import { heaviest } from "./heaviest.ts";

/**
 * Profiles the built server under the load of one row of `npm run bench` and prints its ten heaviest functions:
 * `npm run bench:profile [-- part of a path]`. The profile stays and opens in Chrome's and Visual Studio Code's viewers.
 */
const part = process.argv[2] ?? "POST /quotes";
const CONNECTIONS = 16;
const WARM_MS = 3_000;
const RUN_MS = 5_000;

const row = rows.find(({ path }) => path.includes(part));
if (!row) throw new Error(`no path contains "${part}": ${rows.map(({ path }) => path).join(", ")}`);
const file = join(tmpdir(), `transfer-quote-${row.path.replace(/\W+/g, "-")}.cpuprofile`);
const cleanUps: (() => unknown)[] = [];
const t = { after: (clean: unknown) => void cleanUps.unshift(clean as () => unknown) };
try {
  const recorder = pathToFileURL(join(packageRoot, "test/bench/record-profile.mjs"));
  const ours = await service(t, { PROFILE_FILE: file, NODE_OPTIONS: `--import ${recorder}` });
  const { port, requests } = ours.contestant(row);
  await load(WARM_MS);
  await signal(/profile started/);
  await load(RUN_MS);
  await signal(/profile written/);

  async function load(milliseconds: number) {
    const { statuses } = await sendLoad(t, { port, connections: CONNECTIONS, milliseconds, settleMs: 0, requests });
    if (Object.keys(statuses).some((status) => !status.startsWith("2"))) throw new Error(JSON.stringify(statuses));
  }
  async function signal(answer: RegExp) {
    ours.server.child.kill("SIGUSR2");
    await ours.server.says(answer);
  }
} finally {
  for (const clean of cleanUps) await clean();
}
const table = new Table({ head: ["%", "function", "where"], style: { head: [], border: [] } });
for (const { name, where, percent } of heaviest(file, 10)) table.push([percent.toFixed(1), name, where]);
process.stdout.write(`${row.path}\n${table}\n${file}\n`);
