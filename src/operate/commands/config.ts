import { publicUrlOf } from "../config/config.ts";
import { settings } from "../config/settings.ts";
import type { CommandCall } from "./command.ts";
import { formatOf, print } from "./print.ts";

export const options = { json: { meaning: "JSON" } } as const;

/** The `config` command: every setting with the value that the other commands use, and its source; secrets are hidden. */
export async function run({ config, values, sourceOf }: CommandCall<typeof options>): Promise<undefined> {
  const publicUrl = publicUrlOf(config, config.httpPort);
  const known = { ...config, publicUrl };
  const rows = Object.entries(settings).map(([key, { variable, isSecret, shown }]) => {
    const source = sourceOf(variable) ?? "default";
    const value = known[key as keyof typeof settings];
    // The default in the words of docs/settings.md.
    const words = shown.replaceAll("`", "").replace("<public url>", publicUrl);
    const text = value === undefined ? words : textOf(value);
    return { setting: variable, value: source !== "default" && isSecret ? "********" : text, source };
  });
  await print(rows, (row) => row, formatOf(values));
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(",") || "none";
  return value instanceof Date ? value.toISOString() : String(value);
}
