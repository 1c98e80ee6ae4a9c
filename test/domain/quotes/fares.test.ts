import { suite } from "node:test";
import type { Fare, Season, Zone } from "../../../src/domain/catalog/offer-schema.ts";
import type { PlaceFinder } from "../../../src/domain/places/place-finder.ts";
import { aMeasuredRoute } from "../../support/fake-router.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { type Setup, told } from "../../support/told.ts";

const ZONES: readonly Zone[] = [
  {
    ...{ id: "bern-area", places: ["thun"], country: "CH", postcodes: ["3780"] },
    circle: { lat: 46.948, lng: 7.4474, radiusKm: 5 },
  },
];
const REGIONS: readonly Zone[] = [
  { id: "lugano-zone", country: "CH", postcodes: ["6900"] },
  { id: "country", countries: ["CH"] },
  { id: "canton", cantons: ["GR"] },
];
const AIRPORT = "zurich-airport";

/** Zurich Airport to Bern for 250 francs in a sedan. */
function aFare(overrides: Partial<Fare> = {}): Fare {
  const routes = [{ from: AIRPORT, to: "bern" }];
  return { id: "airport-bern", label: "Fixed fare", routes, rappen: { sedan: 25_000 }, includes: [], ...overrides };
}

function aSeason(overrides: Partial<Season> = {}): Season {
  return { id: "season", label: "High season", percent: 25, ...overrides };
}

/** 100 km in an hour, with tolls of 40 francs. */
function selling(fares: readonly Fare[], seasons: readonly Season[] = []): Setup {
  return { measured: { feesRappen: 4_000 }, rules: { zones: ZONES, fares, seasons } };
}

suite("a fixed fare", () => {
  told(
    "has its free minutes at the pickup alone",
    selling([aFare({ freeWaitingMinutes: 75, includes: ["fees"] })]),
    `Zurich Airport > Bern 30' > Bern; wait 75 -> pays 25000 Fixed fare + 1500 Waiting at stops 15 min = 26500`,
  );

  const KM = "30000 Transfer 100 km + 4000 Tolls = 34000";
  const FIXED = "25000 Fixed fare + 4000 Tolls = 29000";
  told(
    "takes precedence over kilometers, for the classes it names, in the direction it names",
    selling([aFare()]),
    `Zurich Airport > Bern -> pays ${FIXED}
      -> van pays 36500 Transfer 100 km + 4000 Tolls = 40500
     Bern > Zurich Airport -> pays ${KM}
     Zurich Airport > Bern; back 2026-12-10 14:00 -> pays 25000 Outbound: Fixed fare + 4000 Outbound: Tolls + 30000 Return: Transfer 100 km + 4000 Return: Tolls = 63000`,
  );
  told(
    "both ways holds in the other direction",
    selling([aFare({ routes: [{ from: AIRPORT, to: "bern", bothWays: true }] })]),
    `Bern > Zurich Airport -> pays ${FIXED}`,
  );

  told(
    "that includes nothing has night, waiting and tolls beside it",
    selling([aFare()]),
    `at 03:00; wait 90 -> pays 25000 Fixed fare + 5000 Night surcharge + 3000 Waiting 30 min + 4000 Tolls = 37000`,
  );
  told(
    "includes what it says, and the traveler is told",
    selling([aFare({ includes: ["fees", "night", "holidays", "seasons"], freeWaitingMinutes: 90 })], [aSeason()]),
    `at 03:00; wait 90 -> pays 25000 Fixed fare = 25000
      -> says Fixed fare (Sedan) includes tolls, the night surcharge, seasonal surcharges, 1 h 30 min of waiting at the pickup.
      -> van pays 36500 Transfer 100 km + 7300 Night surcharge + 9125 High season + 3600 Waiting 30 min + 4000 Tolls = 60525`,
  );

  for (const [validity, isValid] of [
    [{ validFrom: "2026-12-08", validTo: "2026-12-08" }, true],
    [{ validFrom: "2026-12-09" }, false],
    [{ validTo: "2026-12-07" }, false],
    [{ weekdays: ["tuesday"], hours: { from: 14, to: 15 } }, true],
    [{ weekdays: ["monday"] }, false],
    [{ hours: { from: 15, to: 14 } }, false],
    [{ hours: { from: 14, to: 3 } }, true],
    [{ dates: [{ from: "12-01", to: "01-31" }] }, true],
    [{ dates: [{ from: "2027-12-01", to: "2028-01-31" }] }, false],
  ] as const)
    told(
      `is ${isValid ? "" : "not "}valid on Tuesday, 8 December 2026, at 14:00 with ${JSON.stringify(validity)}`,
      selling([aFare(validity as Partial<Fare>)]),
      `at 14:00 -> pays ${isValid ? FIXED : KM}`,
    );

  /** 96 km between the ends, and 100 km with a stop. */
  const offItsWay = (fare: Fare): Setup => ({
    ...selling([fare]),
    measured: async ([from, to, another]) => {
      const distanceKm = another ? 100 : from?.name === "Zurich Airport" && to?.name === "Bern" ? 96 : 50;
      return aMeasuredRoute({ distanceKm, feesRappen: another ? 4_000 : 2_000 });
    },
  });
  told(
    "is the least that is charged with stops off its way",
    offItsWay(aFare({ rappen: { sedan: 40_000 }, includes: ["fees"] })),
    "Zurich Airport > Olten > Bern -> pays 40000 Transfer 100 km, minimum fare + 4000 Tolls = 44000",
  );
  told(
    "that is lower changes nothing with stops off its way",
    offItsWay(aFare()),
    `Zurich Airport > Olten > Bern -> pays ${KM}`,
  );

  /** By the Vereina car train, which does not run at night: then the way over the Julier is three times as long. */
  const byTrain = aFare({ rappen: { sedan: 18_000 }, routes: [{ from: "klosters", to: "scuol" }], includes: ["fees"] });
  told(
    "is the least that is charged where no train runs, so that the way is far longer",
    { rules: { fares: [byTrain], seasons: [] } },
    `Klosters > Scuol; at 2027-01-20 12:00 -> costs 18000
     Klosters > Scuol; at 2027-01-20 02:00 -> pays 44950 Transfer 153.4 km + 8990 Night surcharge = 53940
       -> says Fixed fare applies only to the usual way, on which a road may be closed or a train does not run
     Klosters > Ardez > Scuol; at 2027-01-20 12:00 -> costs 18000`,
  );

  const places: PlaceFinder = {
    ...defaultCatalog.places,
    async find(text, signal) {
      const found = await defaultCatalog.places.find(text, signal);
      if (!text.includes("Palace") || found.kind !== "found") return found;
      return { ...found, place: { ...found.place, id: null, kind: "position", country: "CH", postcode: "3780" } };
    },
  };
  told(
    "between zones holds for their places, postcodes and circles",
    { ...selling([aFare({ routes: [{ from: AIRPORT, to: "bern-area" }] })]), places },
    `Zurich Airport > Thun                        -> pays ${FIXED}
     Zurich Airport > Gstaad                      -> pays ${FIXED}
     Zurich Airport > Bern                        -> pays ${FIXED}
     Zurich Airport > A house @ 46.96, 7.44       -> pays ${FIXED}
     Zurich Airport > Gstaad Palace, 3780 Gstaad  -> pays ${FIXED}
     Zurich Airport > A farm @ 47.05, 7.44        -> pays ${KM}
     Zurich Airport > Spiez                       -> pays ${KM}`,
  );

  const toEach = (...ids: readonly string[]): Setup => ({
    measured: {},
    rules: {
      zones: [...REGIONS, ...defaultCatalog.catalog.zones],
      fares: ids.map((id) => aFare({ id, label: id, routes: [{ from: AIRPORT, to: id }], rappen: { sedan: 20_000 } })),
    },
  });
  told(
    // 6900 is a postcode of Bregenz, too, in Austria.
    "of postcodes is in one country",
    toEach("lugano-zone"),
    `Zurich Airport > Lugano  -> pays 20000 lugano-zone = 20000
     Zurich Airport > Bregenz -> pays 30000 Transfer 100 km = 30000`,
  );
  told(
    "of a town is that of its parts",
    toEach("davos"),
    ["Davos", "Davos Platz", "Davos Dorf", "Davos Platz Station", "46.7945, 9.822"]
      .map((part) => `Zurich Airport > ${part} -> pays 20000 davos = 20000`)
      .join("\n"),
  );
  told(
    "of a part of a town comes before that of the town, and that before one of the valley",
    toEach("davos-valley", "davos", "davos-dorf"),
    `Zurich Airport > Davos Dorf  -> pays 20000 davos-dorf = 20000
     Zurich Airport > Davos Platz -> pays 20000 davos = 20000
     Zurich Airport > Schatzalp   -> pays 20000 davos-valley = 20000`,
  );

  const wideFirst = ["country", "canton", "davos-valley", "davos"];
  for (const ids of [wideFirst, wideFirst.toReversed()])
    told(
      `of a valley comes before that of its canton, and that before its country's: ${ids.join()}`,
      toEach(...ids),
      `Zurich Airport > Davos Dorf -> pays 20000 davos = 20000
       Zurich Airport > Schatzalp  -> pays 20000 davos-valley = 20000
       Zurich Airport > Chur       -> pays 20000 canton = 20000
       Zurich Airport > Bern       -> pays 20000 country = 20000`,
    );

  const area = [{ from: AIRPORT, to: "bern-area" }];
  const ranked = [
    aFare({ id: "zone", label: "zone", routes: area }),
    aFare({ id: "place", label: "place" }),
    aFare({ id: "peak", label: "peak", routes: area, hours: { from: 2, to: 4 }, includes: ["night"] }),
  ];
  for (const [order, fares] of Object.entries({ first: ranked, last: ranked.toReversed() }))
    told(
      `of certain days comes before one of all days, and one between places before one of a zone, which is listed ${order}`,
      selling(fares),
      `Zurich Airport > Bern           -> pays 25000 place + 4000 Tolls = 29000
       Zurich Airport > Bern; at 03:00 -> pays 25000 peak + 4000 Tolls = 29000
       Zurich Airport > Thun           -> pays 25000 zone + 4000 Tolls = 29000`,
    );
});

suite("a season", () => {
  told(
    "adds its percentage of the fare, beside night and holiday, on lines and in sentences of their own",
    selling([], [aSeason(), aSeason({ id: "b", label: "Early discount", percent: -10, classes: ["sedan"] })]),
    `at 2026-12-25 03:00 -> pays 30000 Transfer 100 km + 6000 Night surcharge + 3000 Holiday surcharge + 7500 High season - 3000 Early discount + 4000 Tolls = 47500
      -> says Night surcharge of 20 % on the fare, by the dearest time from pickup to departure, from 00:00 to 06:00.
      -> says Holiday surcharge of 10 % on the fare (Christmas Day).
      -> says High season: 25 % on the fare.
      -> says Early discount (Sedan): 10 % off the fare.
      -> van pays 36500 Transfer 100 km + 7300 Night surcharge + 3650 Holiday surcharge + 9125 High season + 4000 Tolls = 60575`,
  );

  const peak: Partial<Season> = { label: "Peak", weekdays: ["tuesday"] };
  const twoPeaks = [
    aSeason({ ...peak, id: "sedans", percent: 30, classes: ["sedan"] }),
    aSeason({ ...peak, id: "vans", classes: ["van"] }),
  ];
  told(
    "of a class that is not offered is not said",
    selling([], twoPeaks),
    `at 03:00; people 6 -> says Peak (Van): 25 % on the fare.
      -> never 30 %`,
  );
  told(
    "that a fixed fare of the same label includes is not said",
    selling([aFare({ label: "Peak", rappen: { sedan: 25_000, van: 40_000 }, includes: ["seasons"] })], twoPeaks),
    `at 03:00 -> never 30 % on the fare
      -> never 25 % on the fare
      -> says Peak (Sedan, Van) includes seasonal surcharges`,
  );

  told(
    "is of its route, its days, weekdays and hours, by the pickup of each direction",
    selling(
      [],
      [
        aSeason({ routes: [{ from: "bern-area" }], dates: [{ from: "2026-12-10", to: "2026-12-10" }] }),
        aSeason({ id: "elsewhere", label: "Congress", routes: [{ to: "davos", bothWays: true }] }),
        aSeason({ id: "fridays", label: "Friday evening", weekdays: ["friday"], hours: { from: 18, to: 24 } }),
      ],
    ),
    `at 2026-12-09 14:00; back 2026-12-10 14:00 -> pays 30000 Outbound: Transfer 100 km + 4000 Outbound: Tolls + 30000 Return: Transfer 100 km + 7500 Return: High season + 4000 Return: Tolls = 75500
     at 2026-12-11 18:00; back 2026-12-12 19:00 -> pays 30000 Outbound: Transfer 100 km + 7500 Outbound: Friday evening + 4000 Outbound: Tolls + 30000 Return: Transfer 100 km + 4000 Return: Tolls = 75500`,
  );
  told(
    "of a hire is charged on the hours that begin within it",
    { measured: { distanceKm: 90 }, rules: { seasons: [aSeason({ hours: { from: 15, to: 17 } })], fares: [] } },
    `at 14:00; hire 4 -> pays 29600 Hire 4 h + 3600 High season = 33200
      -> says High season: 25 % on 2 of 4 h.`,
  );
});
