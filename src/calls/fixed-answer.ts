/** An answer that depends on its first argument, a part of the catalog, alone: made once for it. */
export function fixedAnswer<Part extends object, Rest extends readonly unknown[], Answer extends object>(
  make: (part: Part, ...rest: Rest) => Answer,
): (part: Part, ...rest: Rest) => Answer {
  const answers = new WeakMap<Part, Answer>();
  return (part, ...rest) => {
    const answer = answers.get(part) ?? make(part, ...rest);
    answers.set(part, answer);
    return answer;
  };
}
