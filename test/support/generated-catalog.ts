import type { Catalog } from "../../src/domain/catalog/catalog.ts";
import type { Client, Fare, PlaceFee, Season } from "../../src/domain/catalog/offer-schema.ts";
import { fareConflicts } from "../../src/operate/audit/fares.ts";
import { defaultCatalog } from "./quoting-fixture.ts";
import type { Random } from "./random.ts";

export const AN_AGENCY = "agency";

const ENDS = ["zurich-airport", "geneva-airport", "zermatt", "davos", "verbier", "lucerne", "annecy", "st-moritz"];
const ZONES: Catalog["zones"] = [
  { id: "oberland", places: ["interlaken", "grindelwald", "wengen", "lauterbrunnen"] },
  { id: "lake-geneva", circle: { lat: 46.2, lng: 6.15, radiusKm: 8 } },
  { id: "lower-valais", places: ["verbier", "martigny", "sion", "crans-montana"] },
];

/** The packaged catalog with another tariff, fixed fares, seasons and a client, all of them random. */
export function aGeneratedCatalog({ random, upTo, anyOf }: Random): Catalog {
  const { catalog } = defaultCatalog;
  const { tariff } = catalog;
  const areas = [...ENDS, ...ZONES.map(({ id }) => id)];
  const some = <T>(list: readonly T[], share = 0.5) => list.filter(() => random() < share);
  const classes = Object.keys(tariff.rates);
  const fares: Fare[] = [];
  for (let index = 0; index < 12; index++) {
    const [from, to] = [anyOf(areas), anyOf(areas)];
    const rappen = Object.fromEntries(some(classes, 0.7).map((id) => [id, 10_000 + upTo(90_000)]));
    const fare: Fare = {
      ...{
        id: `fare-${index}`,
        label: `Fixed fare ${index}`,
        routes: [{ from, to, bothWays: random() < 0.7 }],
        rappen,
      },
      includes: some(["fees", "place_fees", "night", "holidays", "seasons"] as const),
      ...(random() < 0.5 && { freeWaitingMinutes: upTo(120) }),
    };
    const rivals = [...fares, fare];
    if (from !== to && fareConflicts({ ...catalog, zones: ZONES, fares: rivals }).length === 0) fares.push(fare);
  }
  // Several overlap, and discounts that meet may reach the limit of what is sold.
  const seasons: Season[] = Array.from({ length: 5 }, (_, index) => ({
    ...{ id: `season-${index}`, label: `Season ${index}`, percent: random() < 0.4 ? -upTo(30) : upTo(60) },
    ...(random() < 0.6 ? { routes: [{ to: anyOf(areas), bothWays: random() < 0.7 }] } : {}),
    ...(random() < 0.3 ? { replacesHolidays: true } : random() < 0.3 ? { classes: ["sedan", "van"] } : {}),
    ...(random() < 0.5 ? { dates: [{ from: "12-20", to: "03-31" }] } : {}),
    ...(random() < 0.3 ? { hours: { from: upTo(23), to: 24 } } : {}),
  }));
  const client: Client = {
    ...{ id: AN_AGENCY, percent: upTo(40) - 20 },
    ...(random() < 0.6 && { label: "Agency price" }),
  };
  const placeFees: PlaceFee[] = Array.from({ length: 5 }, (_, index) => ({
    ...{ id: `fee-${index}`, label: `Fee ${upTo(3)}`, places: [anyOf(areas), anyOf(areas)], rappen: 1 + upTo(3_000) },
    ...(random() < 0.6 && { at: anyOf(["pickup", "drop_off"] as const) }),
    ...(random() < 0.3 && { classes: ["sedan", "van"] }),
  }));
  return {
    ...catalog,
    ...{ zones: ZONES, fares, seasons, placeFees, clients: [client] },
    tariff: {
      ...tariff,
      roundingRappen: anyOf([1, 5, 100]),
      rates: Object.fromEntries(
        Object.entries(tariff.rates).map(([id, rate]) => {
          const scaled = (rappen: number) => Math.round(rappen * (0.5 + random()));
          return [id, Object.fromEntries(Object.entries(rate).map(([name, rappen]) => [name, scaled(rappen)]))];
        }),
      ) as typeof tariff.rates,
      night: {
        ...{ fromHour: anyOf([0, 20, 22]), toHour: anyOf([5, 6, 7]), percent: anyOf([0, 20, 50]) },
        ...(random() < 0.5 && { rappen: upTo(6_000) }),
      },
      waiting: { freeMinutesAtAirports: upTo(90), freeMinutes: upTo(30), stepMinutes: anyOf([5, 15, 30]) },
      hourly: { includedKmPerHour: upTo(40) },
      holidays: { ...tariff.holidays, percent: upTo(50) },
      returnDiscount: { percent: upTo(30), ...(random() < 0.5 && { withinDays: upTo(7) }) },
    },
  };
}
