import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod/v3";
import { isPlainlyValid } from "./plainly-valid.ts";

/** A mistake in the catalogue; the message names the file and the path in it. */
export class CatalogueMistake extends Error {
  override readonly name = "CatalogueMistake";
}

/** Reads a catalogue file and checks it. Throws CatalogueMistake. */
export function readCatalogueFile<S extends z.ZodTypeAny>(
  folder: string,
  file: string,
  schema: S,
): z.output<S> {
  return parseCatalogueFile(folder, file, schema, catalogueText(folder, file));
}

/** What stands in a catalogue file. Throws CatalogueMistake. */
export function catalogueText(folder: string, file: string): string {
  const path = join(folder, file);
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw mistake(path, "", `cannot be read (${messageOf(cause)})`);
  }
}

/** Checks what stands in a catalogue file. Throws CatalogueMistake. */
export function parseCatalogueFile<S extends z.ZodTypeAny>(
  folder: string,
  file: string,
  schema: S,
  text: string,
): z.output<S> {
  const path = join(folder, file);
  const content = jsonOf(path, text);
  if (isPlainlyValid(schema, content)) return content;
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? `: ${issue.keys.join(", ")}` : "";
  throw mistake(path, issue?.path.join(".") ?? "", `${issue?.message ?? "not valid"}${unknown}`);
}

/** The JSON files of a sub-folder of the catalogue, in the order of their names, as paths relative to `folder`. */
export function catalogueFilesIn(folder: string, subfolder: string): readonly string[] {
  try {
    const files = readdirSync(join(folder, subfolder)).filter((name) => name.endsWith(".json"));
    return files.sort().map((name) => join(subfolder, name));
  } catch (cause) {
    throw mistake(join(folder, subfolder), "", `cannot be read (${messageOf(cause)})`);
  }
}

export function mistake(path: string, where: string, what: string): CatalogueMistake {
  return new CatalogueMistake(`${path}${where && ` at ${where}`}: ${what}`);
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw mistake(path, "", `no JSON (${messageOf(cause)})`);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
