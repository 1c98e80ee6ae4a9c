/** A document with `content` in place of what stands between its markers `<!-- name -->` and `<!-- /name -->`. */
export function withMarked(document: string, name: string, content: string): string {
  const marked = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);
  if (!marked.test(document)) throw new Error(`the document has no markers named ${name}`);
  return document.replace(marked, (_all, before: string, after: string) => `${before}${content}\n${after}`);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
