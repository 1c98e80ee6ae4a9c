/**
 * A value of a notice. A list is written as "2 golf bags, 1 pet", "CHF 15 (sedan, estate), CHF 18 (van)" or "sedan, van".
 * The quote card bundles this file.
 */
export type Value = string | number | readonly Part[];
export interface Part {
  readonly text?: string | undefined;
  /** How many there are of `text`. */
  readonly count?: number | undefined;
  /** Ids of the vehicle classes that it is about. */
  readonly classes?: readonly string[] | undefined;
}

/** Pages pass how they write the texts and the classes in it; both stand as they are by default. */
export function valueText(value: Value, textOf = asItIs, classOf = asItIs): string {
  if (typeof value !== "object") return textOf(String(value));
  const parts = value.map(({ text, count, classes = [] }) => {
    const things = [count ?? [], text === undefined ? [] : textOf(text)].flat().join(" ");
    const names = classes.map(classOf).join(", ");
    return things && names ? `${things} (${names})` : things || names;
  });
  return parts.join(", ");
}

function asItIs(text: string): string {
  return text;
}
