// Runs the tests of journeys, in-process and against the built program, at six instants: late at night in Switzerland,
// during both clock changes, at the end of a year, on a leap day and at a summer noon. Needs faketime.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const INSTANTS = [
  "2026-11-23T22:05:00Z",
  // Ten seconds before the clocks change.
  "2027-03-28T00:59:50Z",
  "2027-10-31T00:59:50Z",
  "2026-12-31T22:50:00Z",
  "2028-02-29T10:00:00Z",
  "2027-07-15T10:00:00Z",
];
const TESTS = [
  ...["process/smoke", "process/serve", "pricing/", "routing/seasons", "mcp/two-surfaces"],
  ...["quotes/quoting", "quotes/journeys"],
  ...["rest-shim/journey", "rest-shim/estimates", "rest-shim/end-of-v1"],
];
const runner = fileURLToPath(new URL("run.ts", import.meta.url));
const failed = [];

if (spawnSync("faketime", ["--version"]).error) {
  const isCi = process.env.CI === "true";
  process.stderr.write(`${isCi ? "failed" : "skipped"}: faketime is not installed\n`);
  process.exit(isCi ? 1 : 0);
}
for (const instant of INSTANTS) {
  process.stdout.write(`\n# ${instant}\n`);
  const now = at(instant, ["-p", "Date.now()"], "pipe").stdout;
  const isFaked = Math.abs(Number(now) - Date.parse(instant)) < 60_000;
  if (!isFaked) process.stderr.write(`Node ignores faketime: its time is ${now}\n`);
  if (!isFaked || at(instant, ["--import", "tsx", runner, ...TESTS], "inherit").status !== 0) failed.push(instant);
}
if (failed.length > 0) process.stderr.write(`\nfailed at ${failed.join(", ")}\n`);
process.exit(failed.length > 0 ? 1 : 0);

/** Runs Node at an instant. An offset, because an absolute time would begin anew in each process. */
function at(instant, args, stdio) {
  const offset = Math.round((Date.parse(instant) - Date.now()) / 1_000);
  const time = `${offset < 0 ? "" : "+"}${offset}s`;
  return spawnSync("faketime", ["--exclude-monotonic", "-f", time, process.execPath, ...args], {
    stdio,
    encoding: "utf8",
  });
}
