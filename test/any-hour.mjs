// Runs tests at four instants: during the clock change in autumn, at the end of a year, on a leap day and at a summer noon.
// Needs faketime. The built program has the clock of its machine, so its journeys run at each of them. The others have a clock
// of their own, in December: one instant in another season shows whether any code reads the machine's clock instead.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const SUMMER_NOON = "2027-07-15T10:00:00Z";
const INSTANTS = [
  // Ten seconds before the clocks change.
  "2027-10-31T00:59:50Z",
  "2026-12-31T22:50:00Z",
  "2028-02-29T10:00:00Z",
  SUMMER_NOON,
];
const BUILT = ["process/smoke"];
const WITH_OWN_CLOCK = [
  ...["pricing/", "routing/seasons", "mcp/two-surfaces", "quotes/quoting", "quotes/journeys"],
  ...["rest-shim/journey", "rest-shim/estimates", "rest-shim/operations"],
];
const runner = fileURLToPath(new URL("run.ts", import.meta.url));
const failed = [];

if (spawnSync("faketime", ["--version"]).error) {
  const isCi = process.env.CI === "true";
  process.stderr.write(`${isCi ? "failed" : "skipped"}: faketime is not installed\n`);
  process.exit(isCi ? 1 : 0);
}
const left = [[SUMMER_NOON, WITH_OWN_CLOCK], ...INSTANTS.map((instant) => [instant, BUILT])];
// As many at once as there are cores: one run waits little.
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let next = left.shift(); next; next = left.shift()) await run(...next);
  }),
);
if (failed.length > 0) process.stderr.write(`\nfailed at ${failed.join(", ")}\n`);
process.exit(failed.length > 0 ? 1 : 0);

/** Runs tests at an instant, and prints what they have printed once they have ended. */
async function run(instant, tests) {
  const now = Number(execFileSync(...at(instant, ["-p", "Date.now()"]), { encoding: "utf8" }));
  const isFaked = Math.abs(now - Date.parse(instant)) < 60_000;
  const child = spawn(...at(instant, ["--import", "tsx", runner, ...tests]), { stdio: ["ignore", "pipe", "pipe"] });
  const [[code], ...printed] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  process.stdout.write(`\n# ${instant}: ${tests.join(" ")}\n${printed.join("")}`);
  if (!isFaked) process.stderr.write(`Node ignores faketime: its time is ${now}\n`);
  if (!isFaked || code !== 0) failed.push(instant);
}

/** The command that runs Node at an instant. An offset, because an absolute time would begin anew in each process. */
function at(instant, args) {
  const offset = Math.round((Date.parse(instant) - Date.now()) / 1_000);
  const time = `${offset < 0 ? "" : "+"}${offset}s`;
  const command = ["faketime", "--exclude-monotonic", "-f", time, process.execPath, ...args];
  // A process that was killed leaves a semaphore, with which no later one of its number starts.
  return ["sh", ["-c", 'rm -f /dev/shm/*faketime_*_$$; exec "$@"', "sh", ...command]];
}
