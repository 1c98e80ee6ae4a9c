const texts = new WeakMap<object, string | undefined>();

/** An answer that depends on its first argument, a part of the catalog, alone: made once for it, and serialized once. */
export function fixedAnswer<Part extends object, Rest extends readonly unknown[], Answer extends object>(
  make: (part: Part, ...rest: Rest) => Answer,
): (part: Part, ...rest: Rest) => Answer {
  const answers = new WeakMap<Part, Answer>();
  return (part, ...rest) => {
    const known = answers.get(part);
    if (known) return known;
    const answer = make(part, ...rest);
    answers.set(part, answer);
    texts.set(answer, undefined);
    return answer;
  };
}

export function isFixed(answer: object): boolean {
  return texts.has(answer);
}

/** The JSON text of an answer. */
export function jsonOf(answer: object): string {
  const text = texts.get(answer) ?? JSON.stringify(answer);
  if (texts.has(answer)) texts.set(answer, text);
  return text;
}
