import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceFinder } from "../../../src/domain/places/place-finder.ts";
import { calledFrom } from "../../support/told.ts";

/**
 * Tests of what texts mean, "text => meaning" on each line: the name of the place that is found, its id where the text is
 * a position, "in" its town where only that is known, or a question such as "similar? Bern | Thun".
 */
export function createReads(find: (text: string) => ReturnType<PlaceFinder["find"]>) {
  return (title: string, table: string): void => {
    const where = calledFrom();
    test(title, async () => {
      for (const line of table.trim().split("\n")) {
        const [text = "", meaning] = line.split(" => ").map((part) => part.trim());
        assert.equal(await meaningOf(text), meaning, `${text} ${where}`);
      }
    });
  };

  async function meaningOf(text: string): Promise<string> {
    const location = await find(text);
    if (location.kind === "question") return `${location.reason}? ${location.candidates.join(" | ")}`.trim();
    if (location.kind !== "found") return location.kind;
    const { id, name, town } = location.place;
    if (location.isOnlyTownKnown) return `in ${town.name}`;
    return /^[\d.]+, ?[\d.]+$/.test(name) ? `@ ${id}` : name;
  }
}
