/** "fleetId" as "fleet_id". */
type Wired<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Wired<Rest>}`
  : Name;

/** These fields of an object under their names on the wire; a field that is undefined is left out. */
export function wired<From extends object, Key extends keyof From & string>(from: From, ...keys: readonly Key[]) {
  const fields = keys.flatMap((key) => (from[key] === undefined ? [] : [[wireName(key), from[key]]]));
  return Object.fromEntries(fields) as { [Field in Key as Wired<Field>]: From[Field] };
}

const names = new Map<string, string>();

function wireName(key: string): string {
  const name = names.get(key) ?? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  names.set(key, name);
  return name;
}

/** Whole Rappen as a JSON number of francs with at most two decimals. */
export function francs(rappen: number): number {
  return rappen / 100;
}
