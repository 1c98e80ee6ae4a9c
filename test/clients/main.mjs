// Arguments: the project's folder, then `--write` or words of the clients to run.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { packagePath } from "./server.mjs";

/** Files of `checks`, in the order of the table. */
const FILES = [
  ...["sdks", "inspector", "inspector-web", "mcpjam", "mcp-remote", "hosts", "frameworks", "bridges", "extension"],
];
/** For what hangs; a busy machine takes several times as long as an idle one. */
const LONGEST_MS = 300_000;
const TABLE = /(?<=<!-- clients -->\n)[\s\S]*?(?=<!-- \/clients -->)/;
/** Packages with a program for one platform have it in their version. */
const PLATFORM = "-linux-x64";
const DATE = / \d{4}-\d\d-\d\d \|$/gm;

const [root, ...words] = process.argv.slice(2);
const project = { root, cli: join(root, "dist/cli.js") };
const document = join(root, "docs/maintainers/clients.md");
const isNamed = ({ client }) => words.some((word) => client.toLowerCase().includes(word));
const isPart = words.some((word) => !word.startsWith("--"));
const all = (await Promise.all(FILES.map((file) => import(`./${file}.mjs`)))).flatMap(({ checks }) => checks);
const wanted = isPart ? all.filter(isNamed) : all;
if (wanted.length === 0) throw new Error(`no client is called ${words.join(", ")}`);
const rows = [];
let failed = 0;
/** The table has them in their order, whichever ends first. */
const left = [...wanted.entries()];
await Promise.all(Array.from({ length: availableParallelism() }, runOnAndOn));
if (failed === 0 && !isPart) compare();
process.exit(failed === 0 ? 0 : 1);

/**
 * Each client has a server and a home of its own, and mostly waits: as many run at once as there are cores.
 */
async function runOnAndOn() {
  for (let next = left.shift(); next; next = left.shift()) await check(...next);
}

async function check(row, { client, from, does, run }) {
  const started = performance.now();
  const { version } = JSON.parse(readFileSync(packagePath(`${from}/package.json`), "utf8"));
  try {
    const result = await Promise.race([run(project), tooLate()]);
    const date = new Date().toISOString().slice(0, 10);
    rows[row] = { client: `${client} | ${version.replace(PLATFORM, "")}`, does, result: result ?? "passed", date };
    process.stdout.write(`✔ ${client}: ${does} (${Math.round(performance.now() - started)} ms)\n`);
  } catch (error) {
    failed += 1;
    process.stdout.write(`✖ ${client}: ${does}\n${error.stack}\n`);
  }
}

function compare() {
  const clients = [...new Set(rows.map(({ client }) => client))].map((client) => {
    const its = rows.filter((row) => row.client === client);
    const one = (name) => [...new Set(its.map((row) => row[name]))].join("; ");
    return `| ${client} | ${one("does")} | ${one("result")} | ${its.map(({ date }) => date).sort()[0]} |\n`;
  });
  const table = `| Client | Version | What was run | Result | Date |\n| --- | --- | --- | --- | --- |\n${clients.join("")}`;
  const text = readFileSync(document, "utf8");
  if (words.includes("--write"))
    return writeFileSync(
      document,
      text.replace(TABLE, () => table),
    );
  const [written = ""] = TABLE.exec(text) ?? [];
  if (written.replace(DATE, "") === table.replace(DATE, "")) return;
  process.stdout.write(`✖ the table in docs/maintainers/clients.md differs; write it with --write:\n${table}`);
  failed += 1;
}

function tooLate() {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`not done after ${LONGEST_MS} ms`)), LONGEST_MS).unref();
  });
}
