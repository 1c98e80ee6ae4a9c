// Runs every test file, or those whose path contains one of the arguments. Fails when none ran.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const wanted = process.argv.slice(2);
const files = readdirSync(join(root, "test"), { recursive: true })
  .map((file) => join("test", file.toString()))
  .filter(
    (file) =>
      file.endsWith(".test.ts") && (wanted.length === 0 || wanted.some((part) => file.includes(part))),
  )
  .sort();
if (files.length === 0) fail(`no test file matches ${wanted.join(", ") || "test/**/*.test.ts"}`);

// A report of its own for the machine, beside the one for people: the exit code alone would not show that no test ran.
const folder = mkdtempSync(join(tmpdir(), "transfer-quote-run-"));
const report = join(folder, "report.tap");
const { status, signal } = spawnSync(
  process.execPath,
  [
    ...["--import", "tsx", "--test", "--test-reporter=spec", "--test-reporter-destination=stdout"],
    ...["--test-reporter=tap", `--test-reporter-destination=${report}`],
    ...files,
  ],
  { cwd: root, stdio: "inherit" },
);
const tap = readFileSync(report, "utf8");
rmSync(folder, { recursive: true, force: true });
const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(tap)?.[1] ?? 0);

if (signal) fail(`ended by ${signal}`);
if (count("pass") === 0) fail("no test ran");
if (process.env.CI === "true" && count("skipped") > 0)
  fail(`${count("skipped")} tests were skipped, which CI does not allow`);
process.exit(status ?? 1);

function fail(why) {
  process.stderr.write(`${relative(root, fileURLToPath(import.meta.url))}: ${why}\n`);
  process.exit(1);
}
