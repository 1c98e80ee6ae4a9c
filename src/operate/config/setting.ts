import type { z } from "zod/v3";

/** A wrong setting; the message is one line that names the variable, what was read and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads the text of a variable. Its description is for people: "an http or https URL". */
export type SettingSchema<V> = z.ZodType<V, z.ZodTypeDef, string>;

/** One environment variable; `D` is `V` where it has a default and `undefined` otherwise. */
export interface Setting<V, D extends V | undefined = V | undefined> {
  readonly variable: string;
  readonly schema: SettingSchema<V>;
  readonly meaning: string;
  readonly fallback: D;
  /** The default as docs/settings.md shows it. */
  readonly shown: string;
  /** True where the text may contain a password or key; it is never shown. */
  readonly isSecret?: boolean;
}

export function setting<V>(
  variable: string,
  schema: SettingSchema<V>,
  meaning: string,
  fallback: V,
  shown = String(fallback) || "none",
): Setting<V, V> {
  return { variable, schema, meaning, fallback, shown };
}

/** A variable without a default; `shown` describes what happens without it. */
export function optional<V>(
  variable: string,
  schema: SettingSchema<V>,
  meaning: string,
  shown = "none",
): Setting<V, undefined> {
  return { variable, schema, meaning, fallback: undefined, shown };
}

/** One whose text is never shown. */
export function secret<V>(...args: Parameters<typeof optional<V>>): Setting<V, undefined> {
  return { ...optional(...args), isSecret: true };
}

/** The setting's value, or its default where the variable is unset or empty. Throws ConfigError, which names the source. */
export function settingValue<V, D extends V | undefined>(
  { variable, schema, fallback, isSecret }: Setting<V, D>,
  env: NodeJS.ProcessEnv,
  source = "environment",
): V | D {
  const text = env[variable]?.trim();
  if (text === undefined || text === "") return fallback;
  const { success, data } = schema.safeParse(text);
  if (success) return data;
  const read = isSecret ? "set, but not valid" : JSON.stringify(text.slice(0, 200));
  const from = source === "environment" ? "" : ` (${source})`;
  throw new ConfigError(`${variable}${from} is ${read}; allowed: ${schema.description}`);
}
