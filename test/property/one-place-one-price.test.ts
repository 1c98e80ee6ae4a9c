import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fare } from "../../src/domain/catalog/offer-schema.ts";
import type { PlaceEntry } from "../../src/domain/catalog/places-schema.ts";
import { crowFliesKm } from "../../src/domain/places/geo.ts";
import { createLocations } from "../../src/domain/places/locations.ts";
import type { PricedJourney } from "../../src/domain/quotes/quote.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../support/random.ts";
import { quotes } from "../support/told.ts";

/** Of each kind of journey. */
const CASES = Math.ceil(RUNS / 3);
const FARTHEST_IN_EXTENT_DEGREES = 1 / 111;
/** Nearer places may be one town, whose streets are driven from position to position. */
const NEAREST_KM = 10;

const aFare = (from: string, to: string, sedan: number): Fare => ({
  ...{ id: to, label: `Fixed fare ${to}`, routes: [{ from, to, bothWays: true }], includes: ["fees"] },
  ...{ rappen: { sedan, van: sedan + 5_000 }, freeWaitingMinutes: 75 },
});
const rules = {
  zones: [
    { id: "oberland", places: ["interlaken", "grindelwald", "wengen"] },
    { id: "upper-valais", country: "CH", postcodes: ["3920", "3900", "3930"] },
    { id: "lake-geneva", circle: { lat: 46.2, lng: 6.15, radiusKm: 8 } },
  ],
  fares: [
    ...[aFare("geneva-airport", "verbier", 39_000), aFare("zurich-airport", "davos", 42_000)],
    ...[aFare("zurich-airport", "oberland", 45_000), aFare("lake-geneva", "upper-valais", 60_000)],
  ],
};
const catalog = { ...defaultCatalog.catalog, ...rules };
const locations = createLocations(catalog);
const price = quotes({ rules });
const { random, anyOf, upTo, seed } = randomOf("one place, one price");

/** A position in the extent of a place; its own where few others are. */
function positionIn(place: PlaceEntry): string {
  for (let tries = 0; tries < 20; tries++) {
    const center = anyOf([place, ...(place.otherPositions ?? [])]);
    const near = (degrees: number) => Number((degrees + (2 * random() - 1) * FARTHEST_IN_EXTENT_DEGREES).toFixed(5));
    const at = { lat: near(center.lat), lng: near(center.lng) };
    if (locations.at(at, "").place.id === place.id) return `${at.lat}, ${at.lng}`;
  }
  return `${place.lat}, ${place.lng}`;
}

/** A place as people write it: by coordinates, by its code or another name, or as an address in it. */
async function written(place: PlaceEntry): Promise<string> {
  const isTown = place.kind !== "airport" && place.kind !== "station";
  const names = [place.iata, ...place.aliases, isTown ? `Hotel Alpenblick 7, ${place.name}` : undefined];
  const text = anyOf([
    positionIn(place),
    `${place.lat}, ${place.lng}`,
    anyOf(names.filter((name) => name !== undefined).concat(place.name)),
  ]);
  return (await finds(text ?? "", place)) ? (text ?? "") : positionIn(place);
}

async function finds(text: string, { id, lat, lng }: PlaceEntry): Promise<boolean> {
  const found = await defaultCatalog.places.find(text, new AbortController().signal);
  const isThere = found.kind === "found" && found.place.id === id;
  return isThere && locations.at({ lat, lng }, "").place.id === id;
}

/** The charges; stays name their places as they were written. */
const chargesOf = ({ options }: PricedJourney) =>
  options.map(({ vehicleClass, charges }) => [
    vehicleClass,
    charges.map((each) => ({ ...each, values: { ...each.values, places: null } })),
  ]);

/** Places that their name and their own coordinates find. */
const isFound = await Promise.all(catalog.places.map((place) => finds(place.name, place)));
const places = catalog.places.filter((_, index) => isFound[index]);
const byId = new Map(places.map((place) => [place.id, place]));
const pairs = [
  ...catalog.corridors.map(({ origin, destination }) => [origin, destination]),
  ...[
    ["geneva-airport", "verbier"],
    ["zurich-airport", "davos"],
    ["zurich-airport", "wengen"],
    ["geneva", "zermatt"],
  ],
].map((ends) => ends.flatMap((id) => byId.get(id) ?? []));

for (const [what, tourOf] of [
  ["journeys", (ends: readonly PlaceEntry[]) => (upTo(1) ? ends : ends.toReversed())],
  [
    "journeys with stops",
    ([from, end]: readonly PlaceEntry[]) => [from, anyOf(places), ...(upTo(2) ? [] : [anyOf(places)]), end],
  ],
  ["round trips", ([from, end]: readonly PlaceEntry[]) => [from, anyOf(places), end, from]],
] as const)
  test(`one place has one price by name, code, coordinates or address, in ${CASES} ${what}`, async () => {
    for (let compared = 0; compared < CASES; ) {
      const tour = tourOf(upTo(1) ? anyOf(pairs) : [anyOf(places), anyOf(places)]).filter(
        (place) => place !== undefined,
      );
      const [first, ...stops] = tour.slice(0, -1);
      const end = tour.at(-1);
      const isNear = (a: PlaceEntry | undefined, b: PlaceEntry | undefined) =>
        !a || !b || crowFliesKm(a, b) < NEAREST_KM;
      if (tour.some((place, index) => index > 0 && isNear(place, tour[index - 1]))) continue;
      if (stops.some((stop) => isNear(stop, first)) || stops.slice(0, -1).some((stop) => isNear(stop, end))) continue;
      compared += 1;
      const stays = tour.map((_, index) =>
        index > 0 && index < tour.length - 1 ? anyOf(["", " 0'", " 20'", " 300'"]) : "",
      );
      const rest = `; wait 80${upTo(4) ? "" : "; hire 5"}`;
      const wayOf = (names: readonly string[]) =>
        `${names.map((name, index) => `${name}${stays[index]}`).join(" > ")}${rest}`;
      const words = [wayOf(tour.map(({ name }) => name)), wayOf(await Promise.all(tour.map(written)))];
      const [expected, actual] = await Promise.allSettled(words.map((each) => price(each)));
      const context = `${seed}: ${words.join("\n")}`;
      assert.equal(actual?.status, expected?.status, context);
      if (actual?.status === "fulfilled" && expected?.status === "fulfilled")
        assert.deepEqual(chargesOf(actual.value), chargesOf(expected.value), context);
    }
  });
