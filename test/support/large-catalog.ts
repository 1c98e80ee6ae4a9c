import { crowFliesKm, type Position } from "../../src/domain/places/geo.ts";
import type { CatalogFiles } from "./catalog-folder.ts";
import { ownCatalog } from "./own-catalog.ts";
import { defaultCatalog } from "./quoting-fixture.ts";
import { createRandom } from "./random.ts";

/** How many records a catalog has beside those of the package. */
interface CatalogSize {
  readonly places: number;
  readonly corridors: number;
  readonly fares: number;
  readonly sites: number;
  /** Default: none. */
  readonly seasons?: number;
  /** Default: none. */
  readonly clients?: number;
}

const SYLLABLES = ["al", "bru", "chi", "dor", "en", "fel", "gra", "hin", "is", "kon", "lau", "mon", "ober", "schwan"];
const ZONES = 40;
/** A road is about so much longer than the straight line. */
const ROAD_KM = 1.35;

/** The files of `ownCatalog` with so many records more: villages beside the packaged road nodes, and what is sold there. */
export function largeCatalog({
  places: count,
  corridors,
  fares,
  sites,
  seasons = 0,
  clients = 0,
}: CatalogSize): CatalogFiles {
  const { random, upTo, anyOf } = createRandom(count);
  const { places: packaged, roads } = defaultCatalog.catalog;
  const towns = packaged.filter(({ id, kind, country }) => kind === "town" && country === "CH" && roads.nodes.has(id));
  const beside = ({ lat, lng }: Position) => ({ lat: near(lat), lng: near(lng) });
  const places = Array.from({ length: count }, (_, n) => {
    const town = anyOf(towns);
    const names = { name: nameOf(n), aliases: [`${nameOf(n)} Dorf`] };
    const area = { kind: "village", country: "CH", canton: town.canton, node: town.id };
    return { id: `place-${n}`, ...names, ...area, ...beside(town) };
  });
  const zones = Array.from({ length: ZONES }, (_, n) => {
    const { lat, lng } = anyOf(towns);
    return { id: `zone-${n}`, circle: { lat, lng, radiusKm: 2 + upTo(10) } };
  });
  const ends = Array.from({ length: corridors }, () => [anyOf(places), anyOf(places)] as const);
  const kmBetween = (from: Position, to: Position) => Math.max(1, Math.round(crowFliesKm(from, to) * ROAD_KM));
  const files = ownCatalog();
  const add = (file: string, list: string, records: readonly object[]) => {
    const content = files.get(file) ?? { [list]: [] };
    files.set(file, { ...(content as object), [list]: [...Reflect.get(content, list), ...records] });
  };
  add("places/villages.json", "places", places);
  add("zones.json", "zones", zones);
  add(
    "corridors.json",
    "corridors",
    ends.flatMap(([from, to], n) => {
      const distanceKm = kmBetween(from, to);
      const measured = { transferType: "city", distanceKm, durationMinutes: distanceKm + 1 };
      return [
        { key: `corridor-${n}-there`, origin: from.id, destination: to.id, ...measured },
        { key: `corridor-${n}-back`, origin: to.id, destination: from.id, ...measured },
      ].slice(0, n % 2 === 0 ? 2 : 0);
    }),
  );
  add(
    "fares.json",
    "fares",
    places.slice(0, fares).map((from, n) => {
      const zone = n % 2 === 0 ? anyOf(zones) : undefined;
      const to = anyOf(places);
      const km = kmBetween(from, zone?.circle ?? to);
      // Back from a zone it would be equal in rank to the fare of a place within it to a zone of this place.
      const routes = [{ from: from.id, to: zone?.id ?? to.id, bothWays: !zone }];
      return { id: `fare-${n}`, label: "Fixed fare", routes, rappen: { sedan: 8_000 + km * 300 }, includes: [] };
    }),
  );
  add(
    "sites.json",
    "sites",
    Array.from({ length: sites }, (_, n) => {
      const town = anyOf(towns);
      return { name: `Hotel ${nameOf(n)}`, town: town.id, ...beside(town) };
    }),
  );
  add(
    "seasons.json",
    "seasons",
    Array.from({ length: seasons }, (_, n) => {
      const routes = [{ to: anyOf(places).id, bothWays: true }];
      return { id: `season-${n}`, label: "Winter surcharge", percent: 1 + upTo(9), routes };
    }),
  );
  add(
    "clients.json",
    "clients",
    Array.from({ length: clients }, (_, n) => ({ id: `client-${n}`, percent: -1 - upTo(9) })),
  );
  return files;

  function near(degrees: number): number {
    return Number((degrees + (random() - 0.5) / 40).toFixed(5));
  }

  function nameOf(n: number): string {
    const name = `${anyOf(SYLLABLES)}${anyOf(SYLLABLES)}${anyOf(SYLLABLES)}`;
    return `${name[0]?.toUpperCase()}${name.slice(1)} ${n}`;
  }
}
