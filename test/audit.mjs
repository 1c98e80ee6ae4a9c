// Known vulnerabilities of what is installed with the package: fails on high and critical ones. Where the registry has no
// audit endpoint, as many mirrors, the lock file is checked instead: a package whose authors have withdrawn their support,
// which is how most unpatched vulnerabilities begin, or one that is installed without a checksum.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { stdout, error } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8" });
const report = parsed(stdout ?? "");
const counts = report?.metadata?.vulnerabilities;
if (error || !counts) {
  const why = error?.message ?? report?.message ?? "npm audit returned no report";
  process.stdout.write(`no known vulnerabilities to compare with (${why}); the lock file is checked instead\n`);
  const findings = findingsIn(process.argv[2] ?? "package-lock.json");
  process.stdout.write(`${findings.join("\n") || "no package is deprecated or without a checksum"}\n`);
  process.exit(findings.length > 0 ? 1 : 0);
}
const bad = (counts.high ?? 0) + (counts.critical ?? 0);
const named = Object.entries(counts).map(([severity, count]) => `${severity} ${count}`);
process.stdout.write(`vulnerabilities: ${named.join(", ")}\n`);
for (const [name, { severity, range }] of Object.entries(report.vulnerabilities ?? {}))
  process.stdout.write(`${severity}: ${name} ${range}\n`);
process.exit(bad > 0 ? 1 : 0);

function findingsIn(lockFile) {
  const installed = Object.entries(JSON.parse(readFileSync(lockFile, "utf8")).packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, entry]) => ({ name: path.split("node_modules/").at(-1), ...entry }));
  return installed.flatMap(({ name, version, deprecated, integrity = "" }) => [
    ...(deprecated ? [`deprecated: ${name} ${version}: ${deprecated}`] : []),
    ...(integrity.startsWith("sha512-") ? [] : [`without a checksum: ${name} ${version}`]),
  ]);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
