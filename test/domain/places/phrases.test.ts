import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import { createEmbeddedPlaceFinder } from "../../../src/domain/places/embedded-place-finder.ts";
import { createGazetteer } from "../../../src/domain/places/gazetteer.ts";
import { crowFliesKm } from "../../../src/domain/places/geo.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";

/** A place as a traveler writes it, and what a careful dispatcher would do; written without a look at the index. */
interface Phrase {
  readonly text: string;
  /** Where it is, in degrees, to about 300 m. */
  readonly at?: readonly [number, number];
  /** The journey is right where the car stops this near to it. */
  readonly withinKm?: number;
  /** Name of the car stop of a car-free place. */
  readonly carStop?: string;
  /** The dispatcher may ask, and offers one of these; empty where any question will do. */
  readonly ask?: readonly string[];
  /** Nobody can know it: it is placed nowhere. */
  readonly unknown?: true;
}

/**
 * The second file was written later, in five parts, and the third after it, by somebody who had read neither the code nor
 * the others; each was judged before any of it was tried.
 */
const phrases: readonly Phrase[] = ["phrases.jsonl", "phrases-more.jsonl", "phrases-unread.jsonl"].flatMap((name) =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line)),
);
const catalog = loadCatalog(packagedCatalog);
const finder = createEmbeddedPlaceFinder(createGazetteer(catalog), catalog.serviceArea);
const { signal } = new AbortController();

/** Where a phrase may at most be short of its place, with the traveler told that only the town is known. */
const TOWN_KM = 5;

type Verdict = "right" | "wrong" | "not found";

/** A right candidate is right for a place too: the traveler confirms it. */
async function verdict(text: string, phrase: Phrase): Promise<Verdict> {
  const { at, withinKm = 0, carStop, ask, unknown } = phrase;
  const location = await finder.find(text, signal);
  if (location.kind === "unknown") return unknown || ask?.length === 0 ? "right" : "not found";
  if (location.kind === "question") {
    if (unknown || ask?.length === 0) return "right";
    if (ask?.some((name) => location.candidates.some((each) => each.includes(name)))) return "right";
    const verdicts = await Promise.all(location.candidates.map((candidate) => verdict(candidate, phrase)));
    return verdicts.length > 0 && verdicts.every((each) => each === "right") ? "right" : "not found";
  }
  if (location.kind !== "found") return unknown ? "right" : "not found";
  if (carStop) return location.carStop.name.startsWith(carStop) ? "right" : "wrong";
  if (!at) return "wrong";
  const km = crowFliesKm(location.carStop, { lat: at[0], lng: at[1] });
  if (km <= withinKm) return "right";
  return km <= TOWN_KM && !location.place.isPosition ? "not found" : "wrong";
}

test("places as travelers write them are placed right, or asked with the right candidate, and none is placed wrong", async () => {
  const found = await Promise.all(
    phrases.map(async (phrase) => [phrase.text, await verdict(phrase.text, phrase)] as const),
  );
  const textsOf = (wanted: Verdict) => found.flatMap(([text, each]) => (each === wanted ? [text] : []));
  assert.ok(phrases.length >= 1000);
  assert.deepEqual(textsOf("wrong"), []);
  const missed = textsOf("not found");
  assert.ok(missed.length <= 0.02 * phrases.length, missed.join("\n"));
});
