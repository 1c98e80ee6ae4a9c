import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packageRoot } from "../../src/ops/package-root.ts";
import { extensionManifest } from "./listing.ts";

/** What the built program reads; docs are for people. */
const FILES = [
  "dist",
  "fixtures",
  "rest-shim/reference",
  "src/checkout/page",
  "src/http/site",
  "package.json",
  "LICENSE",
];

/** `npm run mcpb`: writes the folder that becomes the extension for desktop hosts, anew. */
const [folder = "extension"] = process.argv.slice(2);
const target = resolve(folder);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const isNeeded = (path: string) => !path.endsWith(".map");
for (const file of FILES) cpSync(join(packageRoot, file), join(target, file), { recursive: true, filter: isNeeded });
cpSync(join(packageRoot, "docs/images/icon.png"), join(target, "icon.png"));
writeFileSync(join(target, "manifest.json"), `${JSON.stringify(extensionManifest(), undefined, 2)}\n`);
