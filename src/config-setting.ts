/** A wrong setting; the message is one line that names the variable, what was read and what is allowed. */
export class ConfigMistake extends Error {
  override readonly name = "ConfigMistake";
}

/** One environment variable. */
export interface Setting<V> {
  readonly variable: string;
  /** Default as the README shows it. */
  readonly fallback: string;
  readonly meaning: string;
  readonly allowed: string;
  /** Never shown in an error. */
  readonly secret: boolean;
  /** The value, or `undefined` where the text is not allowed. */
  parse(text: string): V | undefined;
}

export function setting<V>(
  variable: string,
  fallback: string,
  meaning: string,
  allowed: string,
  parse: (text: string) => V | undefined,
  { secret = false } = {},
): Setting<V> {
  return { variable, fallback, meaning, allowed, parse, secret };
}

/** The setting's value, or `undefined` where the variable is unset or empty. Throws ConfigMistake. */
export function settingValue<V>(
  { variable, allowed, parse, secret }: Setting<V>,
  env: NodeJS.ProcessEnv,
): V | undefined {
  const text = env[variable]?.trim();
  if (text === undefined || text === "") return undefined;
  const value = parse(text);
  if (value !== undefined) return value;
  const read = secret ? "set, but not valid" : JSON.stringify(text.slice(0, 200));
  throw new ConfigMistake(`${variable} is ${read}; allowed: ${allowed}`);
}
