import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ConfigError } from "./setting.ts";

/** The texts of settings by variable, and where each comes from. */
export type FoundSettings = ReturnType<typeof findSettings>;

/** The texts of settings of one source. */
export interface SettingLayer {
  readonly texts: Readonly<Record<string, string | undefined>>;
  /** For people: `--port`, `environment`, or the path of the `.env` file. */
  sourceOf(variable: string): string;
}

/** The first text that is not blank; earlier layers win. */
export function findSettings(layers: readonly SettingLayer[]) {
  const layerOf = (variable: string) => layers.find(({ texts }) => texts[variable]?.trim());
  const found = layers
    .flatMap(({ texts }) => Object.keys(texts))
    .filter((each) => each.startsWith(PREFIX) && layerOf(each));
  return {
    texts: Object.fromEntries(found.map((variable) => [variable, layerOf(variable)?.texts[variable]])),
    sourceOf: (variable: string) => layerOf(variable)?.sourceOf(variable),
  };
}

const PREFIX = "TRANSFER_";

/** The settings in `.env` in a folder; `undefined` where there is none. Throws ConfigError where it cannot be read. */
export function dotEnv(folder: string): SettingLayer | undefined {
  const file = join(folder, ".env");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder named .env is not an error.
    if (code === "ENOENT" || code === "EISDIR") return undefined;
    throw new ConfigError(`${file} cannot be read (${code}); allowed: a readable file, or none`);
  }
  const settings = Object.entries(parseEnv(text)).filter(([variable]) => variable.startsWith(PREFIX));
  return settings.length > 0 ? { texts: Object.fromEntries(settings), sourceOf: () => file } : undefined;
}

/** The option that sets a variable: `--port` is TRANSFER_HTTP_PORT, `--data` TRANSFER_DATA_DIR. */
export function optionOf(variable: string): string {
  return variable
    .slice(PREFIX.length)
    .replace(/^HTTP_|_DIR$/g, "")
    .toLowerCase()
    .replaceAll("_", "-");
}
