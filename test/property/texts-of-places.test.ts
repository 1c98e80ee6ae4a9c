import assert from "node:assert/strict";
import { Session } from "node:inspector/promises";
import { test } from "node:test";
import { loadCatalog } from "../../src/domain/catalog/catalog.ts";
import { createEmbeddedPlaceFinder } from "../../src/domain/places/embedded-place-finder.ts";
import { createGazetteer } from "../../src/domain/places/gazetteer.ts";
import { namesOf } from "../../src/domain/places/names.ts";
import type { Location } from "../../src/domain/places/place-finder.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { RUNS, randomOf } from "../support/random.ts";

/** The longest text that a request may contain. */
const LONGEST = 512;
/** Of functions of the search; a text that people write takes some hundreds, and 25,000 take about 5 ms. */
const MOST_CALLS = 25_000;
const ROUNDS = 8;
const TRIES = 12;
// biome-ignore format: several fit on a line
const WORDS = [
  "hotel", "the", "at", "near", "to", "from", "nach", "à", "a", "-", "airport", "station", "Bahnhof", "gare", "Street",
  "via", "lake", "please", "8001", "CH", "VS", "12", "t1", "la", "le", "de", "chalet", "Hôpital", "bahn", "lift", "xy",
  "Palazzo dei Congressi", "main entrance", "Universität", "Kantonsspital", "Rue de", "schweizerhof", "kulm", "terminal 1",
];
const SEPARATORS = [" ", " ", " ", " ", ", ", ",", " - ", " to ", "/"];

const catalog = loadCatalog(packagedCatalog);
const gazetteer = createGazetteer(catalog);
const names = [
  ...catalog.places.flatMap(namesOf),
  ...catalog.sites.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
];
const finder = createEmbeddedPlaceFinder(gazetteer, catalog.serviceArea);
const { signal } = new AbortController();
const shortNames = names.filter(({ length }) => length <= 6);
const { random, anyOf, seed } = randomOf("hostile texts");

const aPiece = () => anyOf(anyOf([names, shortNames, WORDS])) + anyOf(SEPARATORS);
const textOf = (pieces: readonly string[]) => pieces.join("").slice(0, LONGEST);

/** The pieces with a few of them replaced, left out or added. */
function changed(pieces: readonly string[]): readonly string[] {
  const at = Math.floor(random() * pieces.length);
  const added = random() < 0.7 ? [aPiece()] : [];
  return [...pieces.slice(0, at), ...added, ...pieces.slice(at + (random() < 0.7 ? 1 : 0))];
}

for (const [name, read] of [
  ["a text", gazetteer.geocode],
  ["a label", (text: string) => gazetteer.namesInLabel(text, { lat: 46.948, lng: 7.447 })],
] as const)
  test(`${name} of many words and names takes bounded work, however it is put together`, async (t) => {
    const counter = await createCallCounter((url) => url.includes("/domain/places/") || url.includes("/leven/"));
    t.after(counter.stop);
    const callsFor = (pieces: readonly string[]) => counter.callsOf(() => read(textOf(pieces)));
    for (let round = 0; round < ROUNDS; round += 1) {
      let worst = Array.from({ length: 1 + Math.floor(random() * 60) }, aPiece) as readonly string[];
      let most = await callsFor(worst);
      for (let count = 0; count < TRIES; count += 1) {
        const other = changed(worst);
        const calls = await callsFor(other);
        if (calls >= most) [worst, most] = [other, calls];
      }
      assert.ok(most <= MOST_CALLS, `${seed}: ${most} calls for ${JSON.stringify(textOf(worst))}`);
    }
    for (const text of ["to my xy ".repeat(56), "lac,".repeat(128), "Bern - ".repeat(73), "Hotel Zug to ".repeat(39)])
      assert.ok((await callsFor([text])) <= MOST_CALLS, text);
  });

/** Counts how often functions are called, so that a test of how much work something is does not depend on the machine. */
async function createCallCounter(isCounted: (url: string) => boolean) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

  return { callsOf, stop };

  /** While calls are counted, no function of the process is optimized. */
  async function stop(): Promise<void> {
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }

  /** The calls of functions in the counted files while `run` runs. */
  async function callsOf(run: () => void): Promise<number> {
    await session.post("Profiler.takePreciseCoverage");
    run();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const counted = result.filter(({ url }) => isCounted(url));
    return counted.flatMap(({ functions }) => functions).reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  }
}

/** Without the text itself, which is part of notices and of some candidates. */
function meaningOf(location: Location): unknown {
  if (location.kind === "found") return [location.place.id, location.place.lat, location.place.lng];
  return location.kind === "question" ? location.candidates.map((each) => each.toLowerCase()) : location.kind;
}

test("a random text is read alike in upper case and with spaces, and its candidates are found", async () => {
  let candidates = 0;
  for (let count = 0; count < RUNS; count += 1) {
    const text = textOf(Array.from({ length: random() < 0.7 ? 1 + Math.floor(random() * 3) : 16 }, aPiece));
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
  assert.ok(candidates > RUNS / 10, `${candidates} candidates`);
});
