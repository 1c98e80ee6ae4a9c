import type { InTurn } from "./in-turn.ts";

/** Bounds what one write holds in memory. */
const MOST_IN_A_GROUP = 500;

interface Waiting<T> {
  readonly item: T;
  resolve(): void;
  reject(cause: unknown): void;
}

/**
 * Saves items in groups: one write in flight, and what arrives meanwhile goes into the next, in order. lowdb's own
 * writer lets the first that waits starve. An item's promise settles with the write that carried it.
 */
export function createGroupCommit<T>(
  inTurn: InTurn,
  write: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  const waiting: Waiting<T>[] = [];

  return function submit(item) {
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length === 1) void inTurn(commit);
    });
  };

  async function commit(): Promise<void> {
    const group = waiting.splice(0, MOST_IN_A_GROUP);
    if (waiting.length > 0) void inTurn(commit);
    try {
      await write(group.map(({ item }) => item));
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
