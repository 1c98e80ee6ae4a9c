import { readFileSync } from "node:fs";
import { openApi } from "../../rest-shim/openapi.ts";
import { toolList } from "../../src/mcp/mcp-tools.ts";
import { tools } from "../../tools/tools.ts";
import { catalogJsonSchemas } from "./catalog-schemas.ts";
import { withTables } from "./readme-tables.ts";

/** The files that `npm run docs` writes: path from the package's root, and the content derived from the code. */
const DERIVED: Readonly<Record<string, (current: () => string) => string>> = {
  "README.md": (current) => withTables(current()),
  "test/mcp/tool-list.snapshot.json": () => json(toolList(tools)),
  "test/rest-shim/openapi.snapshot.json": () =>
    json(openApi("https://quotes.example.com", "https://login.example.com")),
  ...Object.fromEntries(Object.entries(catalogJsonSchemas).map(([path, schema]) => [path, () => json(schema)])),
};

export const derivedFiles = Object.entries(DERIVED).map(([path, derive]) => {
  const url = new URL(`../../${path}`, import.meta.url);
  const current = () => readFileSync(url, "utf8");
  return { path, url, current, derived: () => derive(current) };
});

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
