import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_CATALOG } from "./default-catalog.ts";

/**
 * Keeps the packaged catalog in one style, so that a diff shows records: lists the files that are not in it, or rewrites
 * them with `--write`. Numbers stay as they are written, since the version of the road data depends on it.
 */
const LINE_WIDTH = 110;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/** Members as they are printed on one line; `key` is empty in a list. */
interface Container {
  readonly isList: boolean;
  readonly members: readonly { readonly key: string; readonly value: Json }[];
}
type Json = string | Container;

const write = process.argv.includes("--write");
for (const file of readdirSync(DEFAULT_CATALOG, { recursive: true, encoding: "utf8" })) {
  if (!file.endsWith(".json") || file.startsWith("schemas")) continue;
  const path = join(DEFAULT_CATALOG, file);
  const text = readFileSync(path, "utf8");
  const formatted = `${expanded(parse(text), "")}\n`;
  if (formatted === text) continue;
  if (write) writeFileSync(path, formatted);
  else {
    process.stderr.write(`${path}: not formatted (npm run format:catalog)\n`);
    process.exitCode = 1;
  }
}

/** One member per line. A record, which is an item of a list or a member of an object of objects, takes one line. */
function expanded(value: Json, indent: string): string {
  if (typeof value === "string") return value;
  const inner = `${indent}  `;
  const areRecords =
    value.isList || value.members.every((member) => typeof member.value === "object" && !member.value.isList);
  const lines = value.members.map(({ key, value: member }) => {
    const line = inner + key + onOneLine(member);
    return areRecords || (isFlat(member) && line.length < LINE_WIDTH) ? line : inner + key + expanded(member, inner);
  });
  const [open, close] = bracketsOf(value);
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function onOneLine(value: Json): string {
  if (typeof value === "string") return value;
  const [open, close] = bracketsOf(value);
  return open + value.members.map(({ key, value: member }) => key + onOneLine(member)).join(", ") + close;
}

function isFlat(value: Json): boolean {
  return typeof value === "string" || value.members.every((member) => typeof member.value === "string");
}

function bracketsOf({ isList }: Container): readonly [string, string] {
  return isList ? ["[", "]"] : ["{", "}"];
}

function parse(text: string): Json {
  JSON.parse(text);
  const tokens = text.match(TOKEN) ?? [];
  let position = 0;
  return next();

  function next(): Json {
    const token = tokens[position++] ?? "";
    if (token !== "{" && token !== "[") return token;
    const isList = token === "[";
    const members: Container["members"][number][] = [];
    while (!/^[}\]]$/.test(tokens[position] ?? "}")) {
      const key = isList ? "" : `${tokens[position]}: `;
      if (!isList) position += 2;
      members.push({ key, value: next() });
      if (tokens[position] === ",") position += 1;
    }
    position += 1;
    return { isList, members };
  }
}
