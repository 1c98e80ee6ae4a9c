import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packagedCatalog } from "../src/ops/package-root.ts";

/**
 * Keeps the packaged catalog in one style, so that a diff shows records: lists the files that are not in it, or
 * rewrites them with `--write`.
 */
const LINE_WIDTH = 110;

const write = process.argv.includes("--write");
for (const file of readdirSync(packagedCatalog, { recursive: true, encoding: "utf8" })) {
  if (!file.endsWith(".json") || file.startsWith("schemas")) continue;
  const path = join(packagedCatalog, file);
  const text = readFileSync(path, "utf8");
  const formatted = `${expanded(JSON.parse(text), "")}\n`;
  if (formatted === text) continue;
  if (write) writeFileSync(path, formatted);
  else {
    process.stderr.write(`${path}: not formatted (npm run format:catalog)\n`);
    process.exitCode = 1;
  }
}

/** Prints one member per line. A record (an item of a list, or a member of an object of objects) is one line. */
function expanded(value: unknown, indent: string): string {
  if (!isContainer(value)) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const areRecords = isList || Object.values(value).every((each) => isContainer(each) && !Array.isArray(each));
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(([name, member]) => {
    const key = isList ? "" : `${JSON.stringify(name)}: `;
    const line = inner + key + onOneLine(member);
    const isFlat = !isContainer(member) || !Object.values(member).some(isContainer);
    return areRecords || (isFlat && line.length < LINE_WIDTH) ? line : inner + key + expanded(member, inner);
  });
  const [open, close] = isList ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

/** Line breaks in strings are escaped, so that each is one of the layout. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replace(/,\n */g, ", ").replace(/\n */g, "");
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
