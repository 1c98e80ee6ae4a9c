import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Catalog } from "../../src/domain/catalog/catalog.ts";
import type { Fare } from "../../src/domain/catalog/offer-schema.ts";
import type { PlaceEntry } from "../../src/domain/catalog/places-schema.ts";
import { createPlaceAt } from "../../src/domain/places/extents.ts";
import { crowFliesKm } from "../../src/domain/places/geo.ts";
import type { PricedJourney } from "../../src/domain/quotes/quote.ts";
import { aPoint, aStop, defaultCatalog, pricing, to } from "../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../support/seed.ts";

const FARTHEST_IN_EXTENT_KM = 1;
/** Nearer places may be one town, whose streets are driven from position to position. */
const NEAREST_KM = 10;

const aFare = (id: string, from: string, end: string, sedan: number): Fare => ({
  ...{ id, label: `Fixed fare ${id}`, routes: [{ from, to: end, bothWays: true }], includes: ["fees"] },
  rappen: { sedan, van: sedan + 5_000 },
  freeWaitingMinutes: 75,
});
const catalog: Catalog = {
  ...defaultCatalog.catalog,
  zones: [
    { id: "oberland", places: ["interlaken", "grindelwald", "wengen"] },
    { id: "upper-valais", country: "CH", postcodes: ["3920", "3900", "3930"] },
    { id: "lake-geneva", circle: { lat: 46.2, lng: 6.15, radiusKm: 8 } },
  ],
  fares: [
    aFare("verbier", "geneva-airport", "verbier", 39_000),
    aFare("davos", "zurich-airport", "davos", 42_000),
    aFare("oberland", "zurich-airport", "oberland", 45_000),
    aFare("valais", "lake-geneva", "upper-valais", 60_000),
  ],
};
const placeAt = createPlaceAt(catalog);
const price = pricing({ ...defaultCatalog, catalog });
const { random, anyOf: oneOf, seed } = randomOf("one place, one price");
const between = (low: number, high: number) => low + random() * (high - low);

/** A position in the extent of a place; its own where few others are. */
function positionIn(place: PlaceEntry): string {
  for (let tries = 0; tries < 20; tries++) {
    const reach = FARTHEST_IN_EXTENT_KM / 111;
    const center = oneOf([place, ...(place.otherPositions ?? [])]);
    const near = (degrees: number) => Number((degrees + between(-reach, reach)).toFixed(5));
    const at = { lat: near(center.lat), lng: near(center.lng) };
    if (placeAt(at)?.id === place.id) return `${at.lat}, ${at.lng}`;
  }
  return `${place.lat}, ${place.lng}`;
}

/** A place as people write it: by coordinates, by its code or another name, or as an address in it. */
async function written(place: PlaceEntry): Promise<string> {
  const { lat, lng, iata, name, kind, aliases } = place;
  const way = random();
  if (way < 0.5) return positionIn(place);
  if (way < 0.6) return `${lat}, ${lng}`;
  if (iata && random() < 0.5) return iata;
  const alias = aliases.length > 0 ? oneOf(aliases) : name;
  if (random() < 0.5 && (await finds(alias, place))) return alias;
  const address = `Hotel Alpenblick 7, ${name}`;
  const isTown = kind !== "airport" && kind !== "station";
  return isTown && (await finds(address, place)) ? address : positionIn(place);
}

async function finds(text: string, { id }: PlaceEntry): Promise<boolean> {
  const found = await defaultCatalog.places.find(text, new AbortController().signal);
  return found.kind === "found" && found.place.id === id;
}

/** The charges; stays name their places as they were written. */
const linesOf = ({ options }: PricedJourney) =>
  options.map(({ vehicleClass, charges }) => [
    vehicleClass,
    charges.map((each) => ({ ...each, values: { ...each.values, places: null } })),
  ]);

/** Places that their name and their own coordinates find. */
const isFound = await Promise.all(catalog.places.map((place) => finds(place.name, place)));
const places = catalog.places.filter((place, index) => isFound[index] && placeAt(place)?.id === place.id);
const byId = new Map(places.map((place) => [place.id, place]));
const pairs = [
  ...catalog.corridors.map(({ origin, destination }) => [origin, destination] as const),
  ["geneva-airport", "verbier"] as const,
  ["zurich-airport", "davos"] as const,
  ["zurich-airport", "wengen"] as const,
  ["geneva", "zermatt"] as const,
].map(([from, end]) => [byId.get(from), byId.get(end)] as const);

suite("one place has one price", () => {
  test(`in ${RUNS} journeys by name, code, coordinates or address`, async () => {
    let compared = 0;
    while (compared < RUNS) {
      const [from, end] = random() < 0.5 ? oneOf(pairs) : [oneOf(places), oneOf(places)];
      if (!from || !end || crowFliesKm(from, end) < NEAREST_KM) continue;
      compared += 1;
      const [origin, destination] = random() < 0.5 ? [from, end] : [end, from];
      const texts = [await written(origin), await written(destination)] as const;
      const byName = price({ points: [aPoint(origin.name), to(destination.name)], waitingMinutes: 80 });
      const other = price({ points: [aPoint(texts[0]), to(texts[1])], waitingMinutes: 80 });
      const [expected, actual] = await Promise.allSettled([byName, other]);
      const what = `${seed}: ${origin.name} to ${destination.name} as ${texts.join(" to ")}`;
      assert.equal(actual.status, expected.status, what);
      if (actual.status === "fulfilled" && expected.status === "fulfilled")
        assert.deepEqual(linesOf(actual.value), linesOf(expected.value), what);
    }
  });

  test(`in ${RUNS} journeys with stops and round trips, however each point is written`, async () => {
    let compared = 0;
    while (compared < RUNS) {
      const [from, end] = random() < 0.5 ? oneOf(pairs) : [oneOf(places), oneOf(places)];
      if (!from || !end) continue;
      const isRoundTrip = random() < 0.4;
      const all = [
        from,
        ...Array.from({ length: isRoundTrip ? 1 : 1 + Number(random() < 0.3) }, () => oneOf(places)),
        end,
      ];
      const tour = isRoundTrip ? [...all, from] : all;
      if (tour.some((place, index) => index > 0 && isNear(place, tour[index - 1]))) continue;
      if (tour.slice(1, -1).some((stop) => isNear(stop, tour[0]) || isNear(stop, tour[tour.length - 1]))) continue;
      compared += 1;
      const stays = tour.map(() => oneOf([null, 0, 20, 300]));
      const texts = await Promise.all(tour.map(written));
      const hireHours = random() < 0.2 ? 5 : null;
      const priced = (names: readonly string[]) =>
        price({ points: pointsOf(names, stays), waitingMinutes: 80, hireHours });
      const [expected, actual] = await Promise.allSettled([priced(tour.map(({ name }) => name)), priced(texts)]);
      const what = `${seed}: ${tour.map(({ name }) => name).join(" – ")} as ${texts.join(" – ")}`;
      assert.equal(actual.status, expected.status, what);
      if (actual.status === "fulfilled" && expected.status === "fulfilled")
        assert.deepEqual(linesOf(actual.value), linesOf(expected.value), what);
    }
  });
});

function isNear(a: PlaceEntry, b: PlaceEntry | undefined): boolean {
  return b !== undefined && crowFliesKm(a, b) < NEAREST_KM;
}

function pointsOf(names: readonly string[], stays: readonly (number | null)[]) {
  return names.map((name, index) => {
    if (index === 0) return aPoint(name);
    if (index === names.length - 1) return to(name);
    return { ...aStop(name, stays[index] ?? null), field: `waypoints.${index - 1}.name` };
  });
}
