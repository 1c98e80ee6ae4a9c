// Runs every test file, or those whose path contains one of the arguments; `--no-browser` leaves out those of Chromium.
// Fails when an argument matches no file, when an entry ran no test and, on CI, when a test was skipped.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const NO_BROWSER = "--no-browser";
const isBrowser = (file: string) => file.endsWith(".browser.test.ts");
const wanted = process.argv.slice(2).filter((argument) => argument !== NO_BROWSER);
const files = readdirSync(join(root, "test"), { recursive: true })
  .map((file) => join("test", file.toString()))
  .filter((file) => file.endsWith(".test.ts") && (wanted.length === 0 || wanted.some((part) => file.includes(part))))
  .filter((file) => !(process.argv.includes(NO_BROWSER) && isBrowser(file)))
  .sort();
const unmatched = wanted.filter((part) => !files.some((file) => file.includes(part)));
if (files.length === 0 || unmatched.length > 0)
  fail(`no test file matches ${unmatched.join(", ") || "test/**/*.test.ts"}`);

/** Among how many processes the files are dealt that start processes: those mostly wait, so several run at once. */
const PROCESS_GROUPS = 6;
/** How many of the other files share a process, because loading the modules takes longer than most tests. */
const FILES_OF_GROUP = 24;
const isProcess = (file: string) => dirname(file) === "test/process";
const inProcess = files.filter((file) => !isBrowser(file) && !isProcess(file));
// What takes longest starts first. The files of a browser share one browser and its services.
const groups = [
  files.filter(isBrowser),
  ...split(files.filter(isProcess), PROCESS_GROUPS, (index) => index % PROCESS_GROUPS),
  ...split(inProcess, Math.ceil(inProcess.length / FILES_OF_GROUP), (index) => Math.floor(index / FILES_OF_GROUP)),
].filter(({ length }) => length > 0);
// Node 22 and later keep what they have compiled for the next process.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled-tests");
// Node 24 runs the `after` hooks of a process when no test is left, even where a file is still loading: so all load first.
const LOAD_FIRST = `import { before } from "node:test";
let loaded;
const loading = new Promise((resolve) => { loaded = resolve; });
before(() => loading);
`;
const folder = mkdtempSync(join(tmpdir(), "transfer-quote-tests-"));
const entries = groups.map((members, index) => {
  const [first = ""] = members;
  const entry = join(folder, `${index}-${basename(first, ".test.ts")}-and-${members.length - 1}-more.mjs`);
  const imports = members.map((file) => `await import(${JSON.stringify(pathToFileURL(join(root, file)).href)});\n`);
  writeFileSync(entry, `${LOAD_FIRST}${imports.join("")}loaded();\n`);
  return entry;
});

/** How many of the slowest files are listed. */
const SLOWEST = 10;
/** The time of a file's tests, by its path. */
const seconds = new Map<string, number>();
const empty: string[] = [];
const skipped: string[] = [];
let failed = 0;
// Twice the cores, because tests that wait leave theirs idle. An entry that never ends fails after twenty minutes.
const events = run({ files: entries, concurrency: availableParallelism() * 2, timeout: 1_200_000 });
events.on("test:fail", (test) => {
  failed++;
  addTime(test);
});
events.on("test:pass", (test) => {
  const { name, file = "", skip } = test;
  addTime(test);
  // An entry without tests is reported as a test that is called like its file.
  if (name === file) empty.push(basename(file));
  if (skip !== undefined) skipped.push(`${name}: ${skip}`);
});
await pipeline(events, new spec(), process.stdout, { end: false });
rmSync(folder, { recursive: true, force: true });
const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
const lines = slowest.map(([file, each]) => `${each.toFixed(1).padStart(8)} s  ${relative(root, file)}\n`);
process.stdout.write(`slowest files:\n${lines.join("")}`);

if (failed > 0) fail(`${failed} failed`);
if (empty.length > 0) fail(`no test ran in ${empty.join(", ")}`);
if (process.env.CI === "true" && skipped.length > 0) fail(`CI allows no skipped tests:\n  ${skipped.join("\n  ")}`);

function addTime({
  file = "",
  nesting,
  details,
}: {
  file?: string;
  nesting: number;
  details: { duration_ms: number };
}) {
  if (nesting === 0) seconds.set(file, (seconds.get(file) ?? 0) + details.duration_ms / 1_000);
}

/** Splits files into `count` groups, each into the one of its index. */
function split(all: readonly string[], count: number, groupOf: (index: number) => number): string[][] {
  return Array.from({ length: count }, (_, group) => all.filter((_, index) => groupOf(index) === group));
}

function fail(why: string): never {
  process.stderr.write(`test/run.ts: ${why}\n`);
  process.exit(1);
}
