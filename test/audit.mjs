// Known vulnerabilities of what is installed with the package: fails on high and critical ones. A registry without the
// audit endpoint is reported and tolerated, because a mirror of packages alone is common.
import { spawnSync } from "node:child_process";

const { stdout, error } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const report = parsed(stdout ?? "");
const counts = report?.metadata?.vulnerabilities;
if (error || !counts) {
  const why = error?.message ?? report?.message ?? "npm audit returned no report";
  process.stdout.write(`not audited: ${why}\n`);
  process.exit(0);
}
const bad = (counts.high ?? 0) + (counts.critical ?? 0);
const named = Object.entries(counts).map(([severity, count]) => `${severity} ${count}`);
process.stdout.write(`vulnerabilities: ${named.join(", ")}\n`);
for (const [name, { severity, range }] of Object.entries(report.vulnerabilities ?? {}))
  process.stdout.write(`${severity}: ${name} ${range}\n`);
process.exit(bad > 0 ? 1 : 0);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
