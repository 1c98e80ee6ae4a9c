import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/**
 * Copies a folder with a package.json and its lock file to a temporary folder and installs its packages there, once for
 * each version of the lock file, so that the project's own install stays light. Returns that folder.
 */
export function installPackages(source) {
  const lock = createHash("sha256")
    .update(readFileSync(join(source, "package-lock.json")))
    .digest("hex");
  const folder = join(tmpdir(), `transfer-quote-${basename(source)}-${lock.slice(0, 16)}`);
  cpSync(source, folder, { recursive: true });
  if (!existsSync(join(folder, "node_modules", ".package-lock.json"))) {
    const install = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    execFileSync("npm", install, { cwd: folder, stdio: "inherit" });
  }
  return folder;
}
