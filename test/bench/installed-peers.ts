import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packageRoot } from "../../src/ops/package-root.ts";

/** Their packages are installed into a temporary folder, so that the project's own install stays light. */
export function installedPeers(): string {
  const here = join(packageRoot, "test/bench");
  const folder = join(tmpdir(), "transfer-quote-bench-peers");
  const isCurrent =
    existsSync(join(folder, "node_modules")) &&
    readFileSync(join(folder, "package.json"), "utf8") === readFileSync(join(here, "package.json"), "utf8");
  for (const file of ["package.json", "peers.mjs", "sqlite-writer.mjs"]) cpSync(join(here, file), join(folder, file));
  const install = ["install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  if (!isCurrent) execFileSync("npm", install, { cwd: folder, stdio: ["ignore", 2, 2] });
  return folder;
}

/** Compiles SQLite there, which takes two minutes the first time: its package's script is not run by the install. */
export function withSqlite(folder: string): string {
  if (existsSync(join(folder, "node_modules/better-sqlite3/build/Release/better_sqlite3.node"))) return folder;
  const nodedir = dirname(dirname(process.execPath));
  const env = { ...process.env, npm_config_nodedir: nodedir };
  const options = { cwd: folder, env, stdio: ["ignore", 2, 2] as ["ignore", 2, 2] };
  execFileSync("npm", ["rebuild", "better-sqlite3", "--foreground-scripts", "--ignore-scripts=false"], options);
  return folder;
}
