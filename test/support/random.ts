/** Numbers that look random and are the same at every run. */
export function createRandom() {
  let seed = 1;
  return { random, upTo, anyOf };

  /** From 0, below 1. */
  function random(): number {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  }

  /** A whole number from 0 up to and with `most`. */
  function upTo(most: number): number {
    return Math.floor(random() * (most + 1));
  }

  function anyOf<T>(list: readonly T[]): T {
    const [item] = list.slice(upTo(list.length - 1));
    if (item === undefined) throw new Error("an empty list");
    return item;
  }
}
