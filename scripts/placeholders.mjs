// Before `npm pack` and `npm publish`: tells the packer what in package.json is still a placeholder.
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
for (const name of ["mcpName", "homepage", "repository"]) {
  const value = manifest[name]?.url ?? manifest[name];
  if (/\bexample\b/.test(value))
    process.stderr.write(`package.json: ${name} is a placeholder (${value}); set your own\n`);
}
