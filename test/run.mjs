// Runs every test file, or those whose path contains one of the arguments, after building what has changed. Fails when
// a file ran no test, and on CI when a test was skipped.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import "../src/prepare.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const reporter = new URL("support/run-reporter.mjs", import.meta.url).href;
/** Tests that start processes or use an outside service mostly wait, so they run beside others. */
const WAITS = /node:child_process|support\/(built-process|machines|own-servers|postgres|redis)\.ts/;
/** Those of a folder share one browser. */
const NEEDS_A_BROWSER = /\.browser\.test\.ts$/;
/** What takes longest begins first, so that nothing long is left for the end. */
const SLOWEST = [
  ...["test/checkout/browser", "test/mcp/browser", "test/http/browser", "test/quotes/waits", "test/mcp/waits"],
  ...["test/process/outages.test.ts", "test/process/embedded-store-faults.test.ts", "test/routing", "test/rest-shim"],
  ...["test/property", "test/property/waits", "test/quotes", "test/evidence"],
  ...["check", "check-against", "events", "dashboard", "drain", "serve", "hostile-clients", "lost-lock", "reload"].map(
    (name) => `test/process/${name}.test.ts`,
  ),
  ...["events-kill", "several-machines", "tracing"].map((name) => `test/process/${name}.test.ts`),
  "test/commands",
];
/** For the files of `test/process` that are not among the slowest: loading modules costs each process 0.3 s of CPU time. */
const PROCESSES_OF_THE_REST = 4;

const wanted = process.argv.slice(2);
const files = readdirSync(join(root, "test"), { recursive: true })
  .map((file) => join("test", file.toString()))
  .filter((file) => file.endsWith(".test.ts") && (wanted.length === 0 || wanted.some((part) => file.includes(part))))
  .sort()
  .map((file) => ({ file, path: join(root, file), source: readFileSync(join(root, file), "utf8") }));
if (files.length === 0) fail(`no test file matches ${wanted.join(", ") || "test/**/*.test.ts"}`);

// Not before `prepare.mjs`, which may have to install the compiler.
await (await import("./compile.mjs")).compileTests(root);
const folder = mkdtempSync(join(tmpdir(), "transfer-quote-run-"));
const report = join(folder, "report.json");
const { status, signal } = spawnSync(
  process.execPath,
  [
    // Processes of tests wait for half of their time; by default Node leaves one core free.
    ...["--enable-source-maps", "--test", `--test-concurrency=${availableParallelism() * 2}`],
    ...["--test-reporter=spec", "--test-reporter-destination=stdout"],
    ...[`--test-reporter=${reporter}`, `--test-reporter-destination=${report}`],
    ...entries(),
  ],
  { cwd: root, stdio: "inherit" },
);
const { ran, skipped } = JSON.parse(readFileSync(report, "utf8") || '{ "ran": [], "skipped": [] }');
rmSync(folder, { recursive: true, force: true });

if (signal) fail(`ended by ${signal}`);
const empty = files.filter((each) => !definers(each).some((path) => ran.includes(path)));
if (empty.length > 0) fail(`no test ran in ${empty.map(({ file }) => file).join(", ")}`);
if (process.env.CI === "true" && skipped.length > 0)
  fail(`CI does not allow skipped tests:\n  ${skipped.join("\n  ")}`);
process.exit(status ?? 1);

/** What Node runs in this order, each in a process of its own: a file, or those of a folder one after the other. */
function entries() {
  const groups = new Map();
  const dealt = [];
  for (const each of files) {
    const name = groupOf(each, dealt);
    groups.set(name, [...(groups.get(name) ?? []), compiled(each.path)]);
  }
  return [...groups].map(([name, paths]) => {
    const rank = SLOWEST.includes(name) ? SLOWEST.indexOf(name) : SLOWEST.length;
    // Node sorts its files.
    const entry = join(folder, `${String(rank).padStart(2, "0")}-${name.replaceAll(/\W+/g, "-")}.test.mjs`);
    writeFileSync(entry, paths.map((path) => `await import(${JSON.stringify(pathToFileURL(path).href)});\n`).join(""));
    return entry;
  });
}

function groupOf({ file, source }, dealt) {
  const folder = dirname(file);
  if (NEEDS_A_BROWSER.test(file)) return `${folder}/browser`;
  if (!WAITS.test(source)) return folder;
  if (folder !== "test/process") return `${folder}/waits`;
  return SLOWEST.includes(file) ? file : `${folder}/rest-${dealt.push(file) % PROCESSES_OF_THE_REST}`;
}

/** What Node runs for a source; it reports the source, thanks to source maps. */
function compiled(path) {
  return join(root, "dist", relative(root, path)).replace(/\.ts$/, ".js");
}

/** Where a file's tests can be defined: in itself, or in a contract suite or fixture that it imports. */
function definers({ path, source }) {
  const imports = [...source.matchAll(/"(\.\.\/(?:ports|support)\/[^"]+)"/g)];
  return [path, ...imports.map(([, specifier]) => join(dirname(path), specifier))];
}

function fail(why) {
  process.stderr.write(`${relative(root, fileURLToPath(import.meta.url))}: ${why}\n`);
  process.exit(1);
}
