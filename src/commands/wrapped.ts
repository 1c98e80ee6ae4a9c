/** Columns of a terminal that every output fits. */
export const WIDTH = 80;

/** A text in lines that fit; those after the first are indented. Words that are too long stay whole. */
export function wrapped(text: string, indent = 0): string {
  const lines = text.match(new RegExp(`\\S.{0,${WIDTH - indent - 1}}(?= |$)|\\S+`, "g")) ?? [];
  return `${lines.join(`\n${" ".repeat(indent)}`)}\n`;
}
