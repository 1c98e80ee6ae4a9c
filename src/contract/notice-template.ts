/**
 * Templates of sentences, for agents and for pages in every language. `{x}` is a value, `{x format}` a value that is
 * written in its own way, and `{x|one|other}` the word that the number x requires. `[a|b]` is the first alternative whose
 * values are all there, and nothing if there is none; `{x?}` is not written, but has to be there.
 */
export type Template = readonly (string | Placeholder | { readonly alternatives: readonly Template[] })[];

export interface Placeholder {
  readonly name: string;
  readonly format?: string | undefined;
  /** Words for one and for several. */
  readonly forms?: { readonly one: string; readonly other: string } | undefined;
}

const PIECES = /(\{[^}]+\}|\[[^\]]+\])/;

export function templateOf(text: string): Template {
  return text.split(PIECES).flatMap((piece) => {
    if (piece.startsWith("[")) {
      // A bar within braces separates the words of a placeholder.
      const alternatives = piece.slice(1, -1).match(/(?:[^|{]|\{[^}]*\})+/g) ?? [];
      return { alternatives: alternatives.map(templateOf) };
    }
    const [, name, format, condition, one, other] = /^\{(\w+)(?: (\w+)|(\?)|\|([^|]+)\|([^|]+))?\}$/.exec(piece) ?? [];
    if (name === undefined) return piece || [];
    return {
      name,
      format: format ?? condition,
      forms: one === undefined || other === undefined ? undefined : { one, other },
    };
  });
}

/** The parts of a sentence, with each value as `write` writes it; `undefined` if a value is missing. */
export function filled<Value, Part>(
  template: Template,
  values: Readonly<Record<string, Value>>,
  write: (placeholder: Placeholder, value: Value) => readonly Part[],
): readonly (string | Part)[] | undefined {
  const parts: (string | Part)[] = [];
  for (const piece of template) {
    if (typeof piece === "string") parts.push(piece);
    else if ("alternatives" in piece) {
      const chosen = piece.alternatives.map((each) => filled(each, values, write)).find((each) => each !== undefined);
      parts.push(...(chosen ?? []));
    } else {
      const value = values[piece.name];
      if (value === undefined) return undefined;
      parts.push(...write(piece, value));
    }
  }
  return parts;
}
