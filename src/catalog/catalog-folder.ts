import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod/v3";

/** A mistake in the catalog; the message names the file and the path in it. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
}

/** The JSON files of a catalog folder, read once. */
export interface CatalogFolder {
  /** Changes with every change of a file. */
  readonly hash: string;
  /** The content of a file, checked against its schema; `$schema` is left out. Throws CatalogError. */
  read<S extends z.ZodTypeAny>(file: string, schema: S): z.output<S>;
  /** Whether there is such a file. */
  has(file: string): boolean;
  /** The text of a file. Throws CatalogError. */
  text(file: string): string;
  /** The files of a sub-folder in the order of their names, e.g. `roads/central.json`. */
  filesIn(subfolder: string): readonly string[];
  /** A mistake at a path in a file. */
  error(file: string, path: string, mistake: string): CatalogError;
}

const SUBFOLDERS = ["places", "roads"];

/** Reads the texts of a catalog folder. Throws CatalogError. */
export function openCatalogFolder(folder: string): CatalogFolder {
  const contents = new Map(["", ...SUBFOLDERS].flatMap(jsonFilesIn).map((file) => [file, readContent(file)]));
  const digest = createHash("sha256");
  // The lengths tell where a file ends.
  for (const [file, content] of contents) digest.update(`${file} ${content.length}\n`).update(content);
  return { hash: digest.digest("hex"), read, has: (file) => contents.has(file), text, filesIn, error };

  function read<S extends z.ZodTypeAny>(file: string, schema: S): z.output<S> {
    const parsed = schema.safeParse(contentOf(file));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const unknown = issue?.code === "unrecognized_keys" ? `: ${issue.keys.join(", ")}` : "";
    throw error(file, issue?.path.join(".") ?? "", `${issue?.message ?? "invalid"}${unknown}`);
  }

  function contentOf(file: string): unknown {
    try {
      const content: unknown = JSON.parse(text(file));
      if (typeof content === "object" && content !== null) Reflect.deleteProperty(content, "$schema");
      return content;
    } catch (cause) {
      if (cause instanceof CatalogError) throw cause;
      throw error(file, "", `invalid JSON (${messageOf(cause)})`);
    }
  }

  function text(file: string): string {
    const content = contents.get(file);
    if (content === undefined) throw error(file, "", "missing");
    return content.toString("utf8");
  }

  function filesIn(subfolder: string): readonly string[] {
    return [...contents.keys()].filter((file) => file.startsWith(`${subfolder}/`));
  }

  function error(file: string, path: string, mistake: string): CatalogError {
    return new CatalogError(`${join(folder, file)}${path && ` at ${path}`}: ${mistake}`);
  }

  function jsonFilesIn(subfolder: string): readonly string[] {
    try {
      const names = readdirSync(join(folder, subfolder)).filter((name) => name.endsWith(".json"));
      return names.sort().map((name) => (subfolder ? `${subfolder}/${name}` : name));
    } catch (cause) {
      throw error(subfolder, "", `cannot be read (${messageOf(cause)})`);
    }
  }

  function readContent(file: string): Buffer {
    try {
      return readFileSync(join(folder, file));
    } catch (cause) {
      throw error(file, "", `cannot be read (${messageOf(cause)})`);
    }
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
