import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { packageRoot } from "../src/ops/package-root.ts";
import { extensionManifest } from "./docs/listing.ts";

/** `npm run mcpb`: writes the folder that becomes the extension for desktop hosts, anew. */
const [folder = "extension"] = process.argv.slice(2);
const target = resolve(folder);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
cpSync(join(packageRoot, "dist"), join(target, "dist"), { recursive: true, filter: (path) => !path.endsWith(".map") });
cpSync(join(packageRoot, "LICENSE"), join(target, "LICENSE"));
cpSync(join(packageRoot, "docs/images/icon.png"), join(target, "icon.png"));
writeFileSync(join(target, "manifest.json"), `${JSON.stringify(extensionManifest(), undefined, 2)}\n`);
