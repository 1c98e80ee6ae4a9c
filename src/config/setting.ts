/** A wrong setting; the message is one line that names the variable, what was read and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The values that a variable accepts. */
export interface Kind<V> {
  /** For people: "an http or https URL". */
  readonly allowed: string;
  /** True where the text may contain a password or key; it is never shown. */
  readonly isSecret?: boolean;
  /** The value, or `undefined` where the text is not allowed. */
  parse(text: string): V | undefined;
}

/** One environment variable; `D` is `V` where it has a default and `undefined` otherwise. */
export interface Setting<V, D extends V | undefined = V | undefined> {
  readonly variable: string;
  readonly kind: Kind<V>;
  readonly meaning: string;
  readonly fallback: D;
  /** The default as docs/settings.md shows it. */
  readonly shown: string;
}

export function setting<V>(
  variable: string,
  kind: Kind<V>,
  meaning: string,
  fallback: V,
  shown = String(fallback) || "none",
): Setting<V, V> {
  return { variable, kind, meaning, fallback, shown };
}

/** A variable without a default; `shown` describes what happens without it. */
export function optional<V>(variable: string, kind: Kind<V>, meaning: string, shown = "none"): Setting<V, undefined> {
  return { variable, kind, meaning, fallback: undefined, shown };
}

/** The setting's value, or its default where the variable is unset or empty. Throws ConfigError, which names the source. */
export function settingValue<V, D extends V | undefined>(
  { variable, kind, fallback }: Setting<V, D>,
  env: NodeJS.ProcessEnv,
  source = "environment",
): V | D {
  const text = env[variable]?.trim();
  if (text === undefined || text === "") return fallback;
  const value = kind.parse(text);
  if (value !== undefined) return value;
  const read = kind.isSecret ? "set, but not valid" : JSON.stringify(text.slice(0, 200));
  const from = source === "environment" ? "" : ` (${source})`;
  throw new ConfigError(`${variable}${from} is ${read}; allowed: ${kind.allowed}`);
}
