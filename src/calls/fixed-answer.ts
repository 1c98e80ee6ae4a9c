import { type JsonBytes, jsonBytes } from "../contract/json-bytes.ts";

const fixed = new WeakSet<object>();
const texts = new WeakMap<object, JsonBytes>();

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
    fixed.add(answer);
    return answer;
  };
}

export function isFixed(answer: object): boolean {
  return fixed.has(answer);
}

/** The JSON of an answer, which does not change any more if it is fixed or kept; `write` where that is not yet known. */
export function jsonOf(answer: object, write: (answer: object) => JsonBytes = jsonBytes): JsonBytes {
  return texts.get(answer) ?? (isFixed(answer) ? keptJsonOf(answer, write) : write(answer));
}

/** Kept for a second reader. */
function keptJsonOf(answer: object, write: (answer: object) => JsonBytes = jsonBytes): JsonBytes {
  const text = texts.get(answer) ?? write(answer);
  texts.set(answer, text);
  return text;
}
