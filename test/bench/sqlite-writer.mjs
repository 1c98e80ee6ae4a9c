// SQLite under the same load as `store-writers.ts`: a quote and the answer under its key in one durable transaction.
// Its calls block, so that many writers wait in turn. Arguments: a folder, milliseconds, the number of writers.
import { join } from "node:path";
import Database from "better-sqlite3";

const [folder, milliseconds, writers] = process.argv.slice(2);
const cpuBefore = process.cpuUsage();
const database = new Database(join(folder, "quotes.db"));
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.exec(
  "CREATE TABLE quotes (id TEXT PRIMARY KEY, quote TEXT); CREATE TABLE keys (scope TEXT PRIMARY KEY, answer TEXT)",
);
const insertQuote = database.prepare("INSERT INTO quotes VALUES (?, ?)");
const insertKey = database.prepare("INSERT INTO keys VALUES (?, ?)");
const insert = database.transaction((id, text) => {
  insertQuote.run(id, text);
  insertKey.run(id, "{}");
});
// As long as a quote of the fixtures.
const rest = "x".repeat(1_700);
const took = [];
let inserted = 0;
const started = performance.now();
while (performance.now() < started + Number(milliseconds)) {
  inserted += 1;
  const began = performance.now();
  insert(`quote_${inserted}`, JSON.stringify({ id: inserted, rest }));
  took.push((performance.now() - began) * Number(writers));
}
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
took.sort((a, b) => a - b);
const at = (share) => took[Math.floor((took.length - 1) * share)];
const figures = {
  perSecond: inserted / seconds,
  p50: at(0.5),
  p99: at(0.99),
  cpuMs: (user + system) / 1000 / inserted,
};
process.stdout.write(JSON.stringify(figures));
database.close();
