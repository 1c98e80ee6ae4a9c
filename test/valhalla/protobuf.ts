/** A field by its number: a varint, or bytes. */
export type Field = readonly [number, number | Buffer];

export function message(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([field, value]) =>
      typeof value === "number"
        ? [varint(field * 8), varint(value)]
        : [varint(field * 8 + 2), varint(value.length), value],
    ),
  );
}

export function packed(values: readonly number[]): Buffer {
  return Buffer.concat(values.map(varint));
}

/** A signed number as a varint has it. */
export function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** Seven bits a byte, the least first; in division, because shifting ends at 32 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
