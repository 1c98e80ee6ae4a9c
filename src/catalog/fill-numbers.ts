/** Replaces placeholders such as `{waiting.freeMinutes}` by numbers; throws what `unknown` returns for any other. */
export function fillNumbers(text: string, numbers: object, unknown: (name: string) => Error): string {
  return text.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const number = name.split(".").reduce<unknown>(memberOf, numbers);
    if (typeof number !== "number") throw unknown(name);
    return String(number);
  });
}

function memberOf(parent: unknown, key: string): unknown {
  return typeof parent === "object" && parent !== null && Object.hasOwn(parent, key)
    ? Reflect.get(parent, key)
    : undefined;
}
