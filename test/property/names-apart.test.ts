import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlaceEntry } from "../../src/domain/catalog/places-schema.ts";
import { createEmbeddedPlaceFinder } from "../../src/domain/places/embedded-place-finder.ts";
import { createGazetteer } from "../../src/domain/places/gazetteer.ts";
import { crowFliesKm, type Position } from "../../src/domain/places/geo.ts";
import { fold } from "../../src/domain/places/names.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../support/random.ts";

const TEXTS_OF_EACH = RUNS / 5;
/** Names this far from each other are of different places, however large they are. */
const APART_KM = 60;
/** Sites this far from each other are different ones of one city. */
const NEARBY_KM = [2.5, 10] as const;
/** A place that is found this near to a named one is that place. */
const AT_KM = 15;

const catalog = defaultCatalog.catalog;
const gazetteer = createGazetteer(catalog);
const finder = createEmbeddedPlaceFinder(gazetteer, catalog.serviceArea);
const { signal } = new AbortController();
const { anyOf, seed } = randomOf("names apart");

interface Named extends Position {
  readonly name: string;
}
interface Names {
  readonly town: Named;
  /** Far from the town, as are the others. */
  readonly other: Named;
  readonly site: Named;
  readonly otherSite: Named;
  /** Beside the site, but not at it. */
  readonly siteNearby: Named;
  readonly station: Named;
  readonly postcode: string;
  readonly canton: string;
}

/** What must not come of a text, with the names of it that count. */
type Never =
  | { readonly found: true }
  /** Found at none of these, nor anywhere else: only at the places that may be meant. */
  | { readonly elsewhereThan: readonly (keyof Names)[] }
  | { readonly at: readonly (keyof Names)[] };

const FOUND = { found: true } as const;
const JOINING =
  "to|and|or|then|until|till|via|->|→|-|–|/|;|+|&|nach|bis|und|oder|über|dann|jusqu'à|jusqu’au|vers|et|puis|ou|à|fino a|e poi|verso|a|o|per".split(
    "|",
  );
// biome-ignore format: several fit on a line
const FRAMES = [
  ["from ", " to "], ["pick up at ", ", drop off at "], ["transfer ", " - "], ["leaving ", " arriving "],
  ["von ", " bis nach "], ["ab ", " nach "], ["Fahrt von ", " zu "], ["depuis ", " jusqu'à "],
  ["de ", " à "], ["départ ", " arrivée "], ["da ", " fino a "], ["partenza da ", " arrivo a "],
] as const;
const CORRECTIONS = ["anzi", "actually", "non finalement", "ich meinte", "quatsch", "xyz"];
const PREFIXES = ["New", "Neu", "Old", "Port", "Fort", "Upper", "Lower", "Lake", "Nouvelle", "Nuova", "Bad", "San"];
const STREETS = "Rue de|Avenue de|Route de|Chemin de|Via|Via di|Viale|Place de|Quai de|Piazza".split("|");

/** The texts of a kind, and what must never come of one. */
// biome-ignore format: a row for each pattern
const PATTERNS: readonly { readonly name: string; readonly text: (names: Names) => string; readonly never: Never }[] = [
  { name: "a site, a town elsewhere", text: ({ site, other }) => `${site.name}, ${other.name}`, never: FOUND },
  { name: "a site and a town elsewhere", text: ({ site, other }) => `${site.name} ${other.name}`, never: FOUND },
  { name: "a town and a site elsewhere", text: ({ site, other }) => `${other.name} ${site.name}`, never: FOUND },
  { name: "a site near a town elsewhere", text: ({ site, other }) => `${site.name}, near ${other.name}`, never: FOUND },
  { name: "two towns", text: ({ town, other }) => `${town.name} ${other.name}`, never: FOUND },
  { name: "two towns with a comma", text: ({ town, other }) => `${town.name}, ${other.name}`, never: FOUND },
  { name: "two towns with a joining word", text: ({ town, other }) => `${town.name} ${anyOf(JOINING)} ${other.name}`, never: FOUND },
  { name: "a town corrected by another", text: ({ town, other }) => `${town.name}${anyOf([", ", " "])}${anyOf(CORRECTIONS)} ${other.name}`, never: FOUND },
  { name: "two towns in a frame", text: ({ town, other }) => anyOf(FRAMES).map((word, at) => word + [town, other][at]?.name).join(""), never: FOUND },
  { name: "a site and a town in a frame", text: ({ site, other }) => anyOf(FRAMES).map((word, at) => word + [site, other][at]?.name).join(""), never: FOUND },
  { name: "a town in brackets", text: ({ town, other }) => `${town.name} (${other.name})`, never: FOUND },
  { name: "a site in brackets", text: ({ site, other }) => `${other.name} (${site.name})`, never: FOUND },
  { name: "a town in a longer name", text: ({ town, other }) => `${anyOf(["Grand", "Hotel", "Pension", "Haus"])} ${town.name} ${anyOf(["Palace", "Lodge", "Residence", "Inn"])}, ${other.name}`, never: { elsewhereThan: ["other"] } },
  { name: "a town in the name of a street", text: ({ town, other }) => `${anyOf(STREETS)} ${town.name} 12, ${other.name}`, never: { elsewhereThan: ["other"] } },
  { name: "a town before a word for street", text: ({ town, other }) => `${town.name}${anyOf(["strasse", "-Strasse", " Street", "gasse"])} 5, ${other.name}`, never: { elsewhereThan: ["other"] } },
  { name: "a prefix that makes another name", text: ({ town }) => `${anyOf(PREFIXES)} ${town.name}`, never: { at: ["town"] } },
  { name: "a street before its town", text: ({ town }) => `Dorfstrasse 7, ${town.name}`, never: { elsewhereThan: ["town"] } },
  { name: "a town before a street", text: ({ town }) => `${town.name}, Dorfstrasse 7`, never: { elsewhereThan: ["town"] } },
  { name: "a postcode of another town", text: ({ postcode, other }) => `${postcode} ${other.name}`, never: FOUND },
  { name: "a canton of another town", text: ({ canton, other }) => `${other.name} ${canton}`, never: { at: ["other"] } },
  { name: "a station and a town elsewhere", text: ({ station, other }) => `${station.name}, ${other.name}`, never: FOUND },
  { name: "stations of two towns", text: ({ town, other }) => `Bahnhof ${town.name} - gare de ${other.name}`, never: FOUND },
  { name: "a site and an airport", text: ({ site, other }) => `${site.name}, ${other.name} airport`, never: FOUND },
  { name: "two sites", text: ({ site, otherSite }) => `${site.name} ${anyOf([...JOINING, ","])} ${otherSite.name}`, never: FOUND },
  { name: "two sites of one city", text: ({ site, siteNearby }) => `${site.name}, ${siteNearby.name}`, never: FOUND },
  { name: "a stay and a way", text: ({ site, other }) => `we stay at ${site.name} and want to go to ${other.name} please`, never: FOUND },
  { name: "three languages", text: ({ town, site, other }) => `bitte Abholung ${town.name}, puis ${site.name}, poi ${other.name}`, never: FOUND },
];

const isFar = (one: Position, others: readonly Position[]) =>
  others.every((other) => crowFliesKm(one, other) > APART_KM);
const placeOf = (name: string) => {
  const location = gazetteer.geocode(name);
  return location.kind === "found" ? location.place : undefined;
};
const isPlace = ({ name, id }: PlaceEntry) =>
  placeOf(name)?.id === id && !placeOf(name)?.isSite && gazetteer.placesNamed(name).length === 1;
/** Beside a town the name may be that of another site: "Palexpo" and "Palexpo Locarno". */
const isInOther = (name: string) => catalog.sites.some((other) => other.name.startsWith(`${name} `));
/** Names that mean one place alone. */
const towns = gazetteer.locations.towns.filter(
  (town) => fold(town.name).length > 3 && isPlace(town) && !gazetteer.words.ordinary.has(town.name.toLowerCase()),
);
const swissTowns = towns.filter(({ canton, postcodes }) => canton && postcodes.length > 0);
const sites = catalog.sites.filter(({ name }) => placeOf(name)?.isSite && !isInOther(name));
const sitesNearby = new Map(
  sites.map((site) => {
    const nearby = sites.filter((other) => {
      const km = crowFliesKm(site, other);
      return km >= NEARBY_KM[0] && km <= NEARBY_KM[1];
    });
    return [site, nearby] as const;
  }),
);
const stations = catalog.places.filter((place) => place.kind === "station" && isPlace(place));

/** One of the list that `fits` and is far from the others. */
function farFrom<T extends Named>(list: readonly T[], others: readonly Position[], fits = (_: T) => true): T {
  for (;;) {
    const one = anyOf(list);
    if (isFar(one, others) && fits(one)) return one;
  }
}

function isRegionOf(region: string, { country, canton = "" }: PlaceEntry): boolean {
  const name = fold(region);
  return gazetteer.isQualifier(name) && gazetteer.areaSatisfies(name, country, [canton]);
}

function someNames(): Names {
  const town = anyOf(swissTowns);
  const site = anyOf(sites.filter((each) => sitesNearby.get(each)?.length));
  const { canton = "", postcodes } = town;
  const other = farFrom(
    towns,
    [town, site],
    (each) => each.canton !== canton && !isRegionOf(each.name, town) && !isRegionOf(canton, each),
  );
  const otherSite = farFrom(sites, [other, site]);
  const siteNearby = anyOf(sitesNearby.get(site) ?? []);
  const station = farFrom(stations, [other]);
  return { town, site, other, otherSite, siteNearby, station, postcode: postcodes[0] ?? "", canton };
}

function happened(never: Never, names: Names, at: Position): boolean {
  const isAt = (name: keyof Names) => crowFliesKm(at, names[name] as Named) <= AT_KM;
  if ("found" in never) return true;
  return "at" in never ? never.at.some(isAt) : !never.elsewhereThan.some(isAt);
}

for (const { name, text: textOf, never } of PATTERNS)
  test(`${name}: never ${JSON.stringify(never)}`, async () => {
    const wrong: string[] = [];
    for (let count = 0; count < TEXTS_OF_EACH; count += 1) {
      const names = someNames();
      const text = textOf(names);
      const location = await finder.find(text, signal);
      if (location.kind === "found" && happened(never, names, location.place))
        wrong.push(`${text} => ${location.place.name}`);
    }
    assert.deepEqual(wrong, [], seed);
  });
