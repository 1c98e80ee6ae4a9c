import assert from "node:assert/strict";
import { test } from "node:test";
import { createEmbeddedPlaceFinder } from "../../src/domain/places/embedded-place-finder.ts";
import { createGazetteer } from "../../src/domain/places/gazetteer.ts";
import { namesOf } from "../../src/domain/places/names.ts";
import type { Location } from "../../src/domain/places/place-finder.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../support/seed.ts";

const TEXTS = RUNS;
/** The longest text that a request may contain. */
const LONGEST = 512;
const MOST_WORDS = 16;
// biome-ignore format: several fit on a line
const WORDS = [
  "hotel", "the", "at", "near", "to", "from", "nach", "à", "airport", "station", "Bahnhof", "gare", "Street", "via", "lake",
  "please", "pick up", "arrivals", "terminal 1", "8001", "Switzerland", "VS", "main entrance", "restaurant", "und", "Hôtel de",
];
const SEPARATORS = [" ", " ", " ", ", ", ",", " - ", "  ", "/"];

const catalog = defaultCatalog.catalog;
const finder = createEmbeddedPlaceFinder(createGazetteer(catalog), catalog.serviceArea);
const { signal } = new AbortController();
const names = [
  ...catalog.places.flatMap(namesOf),
  ...catalog.sites.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
];
const { random, anyOf, seed } = randomOf("texts of places");

function aText(): string {
  const words = Array.from({ length: 1 + Math.floor(random() * MOST_WORDS) }, () =>
    random() < 0.6 ? anyOf(names) : anyOf(WORDS),
  );
  const count = random() < 0.7 ? 3 : MOST_WORDS;
  const text = words.slice(0, count).reduce((all, word) => `${all}${anyOf(SEPARATORS)}${word}`);
  return text.slice(0, LONGEST);
}

/** Without the text itself, which is part of notices and of some candidates. */
function meaningOf(location: Location): unknown {
  if (location.kind === "found") return [location.place.id, location.place.lat, location.place.lng];
  return location.kind === "question" ? location.candidates.map((each) => each.toLowerCase()) : location.kind;
}

test("a random text is read alike in upper case and with spaces, and its candidates are found", async () => {
  let candidates = 0;
  for (let count = 0; count < TEXTS; count += 1) {
    const text = aText();
    const context = `${seed}: ${text}`;
    const location = await finder.find(text, signal);
    for (const written of [text.toUpperCase(), ` ${text}  `])
      assert.deepEqual(meaningOf(await finder.find(written, signal)), meaningOf(location), context);
    if (location.kind !== "question") continue;
    for (const candidate of location.candidates) {
      candidates += 1;
      assert.equal((await finder.find(candidate, signal)).kind, "found", `${context}: ${candidate}`);
    }
  }
  assert.ok(candidates > TEXTS / 10, `${candidates} candidates`);
});
