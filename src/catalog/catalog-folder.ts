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
  const texts = new Map(["", ...SUBFOLDERS].flatMap(jsonFilesIn).map((file) => [file, readText(file)]));
  const hash = createHash("sha256")
    .update(JSON.stringify([...texts]))
    .digest("hex");
  return { hash, read, text, filesIn, error };

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
    const found = texts.get(file);
    if (found === undefined) throw error(file, "", "missing");
    return found;
  }

  function filesIn(subfolder: string): readonly string[] {
    return [...texts.keys()].filter((file) => file.startsWith(`${subfolder}/`));
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

  function readText(file: string): string {
    try {
      return readFileSync(join(folder, file), "utf8");
    } catch (cause) {
      throw error(file, "", `cannot be read (${messageOf(cause)})`);
    }
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
