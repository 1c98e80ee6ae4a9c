// Makes a fresh clone ready to run: installs what package-lock.json asks for and builds what has changed.
// Plain JavaScript without dependencies, because it runs before there are any.
import { execSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (...path) => join(root, ...path);
const INSTALLED = at("node_modules", ".package-lock.json");
const BUILT = at("dist", ".built");

if (existsSync(at("package-lock.json")) && !isInstalled()) run("npm ci --no-audit --no-fund");
// A package from the registry brings its build and no sources.
if (
  existsSync(at("tools")) &&
  changedSince(BUILT, [at("src"), at("scripts"), at("tools"), at("rest-shim"), at("fixtures"), INSTALLED])
) {
  run("npm run --silent build");
  writeFileSync(BUILT, "");
}

function run(command) {
  process.stderr.write(`> ${command}\n`);
  // stdout may be the protocol's or a table's; what npm says goes to stderr.
  try {
    execSync(command, { cwd: root, stdio: ["ignore", 2, 2], env: { ...process.env, NODE_ENV: "development" } });
  } catch ({ status }) {
    // The command has said itself what is wrong.
    process.stderr.write(`${command} failed.\n`);
    process.exit(status || 1);
  }
}

/**
 * Whether npm has recorded as installed what package-lock.json asks for. Times say nothing: a checkout makes every file
 * new. Optional packages for other platforms are not installed.
 */
function isInstalled() {
  if (!existsSync(INSTALLED)) return false;
  const packagesIn = (file) => Object.entries(JSON.parse(readFileSync(file, "utf8")).packages);
  const installed = Object.fromEntries(packagesIn(INSTALLED));
  return packagesIn(at("package-lock.json")).every(
    ([name, { version, optional }]) =>
      name === "" || (installed[name] ? installed[name].version === version : optional),
  );
}

function changedSince(marker, paths) {
  return !existsSync(marker) || newest(paths) > statSync(marker).mtimeMs;
}

/** Time of the last change of a file, or of a folder and all in it. */
function newest(paths) {
  const times = paths.map((path) => {
    const stat = statSync(path);
    if (!stat.isDirectory()) return stat.mtimeMs;
    return Math.max(stat.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))));
  });
  return Math.max(0, ...times);
}
