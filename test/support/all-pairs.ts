/** How many values each feature has. */
type Sizes = readonly number[];

/**
 * Rows with the index of a value for each feature, so that any two values of two features stand in one of them. Greedy:
 * a row begins with a pair that is missing, and takes for each other feature the value with which most pairs are new.
 */
export function allPairs(sizes: Sizes): readonly (readonly number[])[] {
  const missing = new Set<string>();
  const key = (a: number, x: number, b: number, y: number) => (a < b ? `${a} ${x} ${b} ${y}` : `${b} ${y} ${a} ${x}`);
  sizes.forEach((size, a) => {
    sizes.forEach((other, b) => {
      if (a < b)
        for (let pair = 0; pair < size * other; pair++) missing.add(key(a, pair % size, b, Math.floor(pair / size)));
    });
  });
  const rows: number[][] = [];
  for (const [first] of iterated(missing)) {
    const [a = 0, x = 0, b = 0, y = 0] = first.split(" ").map(Number);
    const row = new Map([
      [a, x],
      [b, y],
    ]);
    sizes.forEach((size, feature) => {
      if (row.has(feature)) return;
      const gains = Array.from(
        { length: size },
        (_, value) => [...row].filter(([other, own]) => missing.has(key(feature, value, other, own))).length,
      );
      row.set(feature, gains.indexOf(Math.max(...gains)));
    });
    for (const [one, own] of row)
      for (const [two, other] of row) if (one < two) missing.delete(key(one, own, two, other));
    rows.push(sizes.map((_, feature) => row.get(feature) ?? 0));
  }
  return rows;
}

/** The first item of a set that shrinks, until it is empty. */
function* iterated(items: ReadonlySet<string>): Generator<readonly [string]> {
  for (let [first] = items; first !== undefined; [first] = items) yield [first];
}
