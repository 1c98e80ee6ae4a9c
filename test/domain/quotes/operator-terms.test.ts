import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Client, Fare, PlaceFee } from "../../../src/domain/catalog/offer-schema.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { aClock } from "../../support/fake-clock.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { aService } from "../../support/service.ts";
import { type Setup, told } from "../../support/told.ts";

const { tariff, policies } = defaultCatalog.catalog;
/** Zurich Airport to Bern for 300 francs. */
const FARE: Fare = {
  ...{ id: "bern", label: "To Bern", routes: [{ from: "zurich-airport", to: "bern" }] },
  ...{ rappen: { sedan: 30_000 }, includes: ["place_fees"] },
};

/** 124 km in every test. */
function withRules(rules: Setup["rules"], rest: Setup = {}): Setup {
  return { measured: { distanceKm: 124, durationMinutes: 90 }, ...rest, rules: { seasons: [], ...rules } };
}

suite("fees of places", () => {
  const fee = (label: string, rest: Partial<PlaceFee> = {}): PlaceFee => {
    return { id: label, label, places: ["zurich-airport"], rappen: 600, ...rest };
  };
  told(
    "are lines of their own, by direction, class and vehicle",
    withRules({
      placeFees: [
        fee("Parking", { at: "pickup" }),
        fee("Access", { at: "drop_off", rappen: 500 }),
        fee("Station", { places: ["bern"], classes: ["van"], rappen: 300 }),
      ],
    }),
    `Zurich Airport > Bern -> pays 36720 Transfer 124 km + 600 Parking = 37320
      -> van pays 44660 Transfer 124 km + 600 Parking + 300 Station = 45560
     Zurich Airport > Bern; back 2026-12-10 14:00 -> pays 36720 Outbound: Transfer 124 km + 600 Outbound: Parking + 36720 Return: Transfer 124 km + 500 Return: Access = 74540`,
  );
  told(
    "are charged at a stop once, without surcharge",
    withRules({ placeFees: [fee("Parking", { places: ["olten"] })] }),
    "Zurich Airport > Olten 0' > Bern; at 03:00 -> costs 36720 + 7344 of night + 600 = 44664 rounded = 44665",
  );
  told(
    "are no part of a fixed fare that includes them, which is said",
    withRules({ placeFees: [fee("Parking")], fares: [FARE] }),
    `Zurich Airport > Bern -> pays 30000 To Bern = 30000
      -> says includes parking and access fees, 60 min`,
  );
});

suite("a client's percentage", () => {
  const client = (rest: Partial<Client> = {}): readonly Client[] => [{ id: "agency", percent: 7, ...rest }];
  told(
    "without a label changes the rates, so that no line and no sentence names it",
    withRules({ clients: client() }, { client: "agency" }),
    // Rates of the sedan plus 7 %: 21.40 and 3.00 a km; waiting is not part of the fare.
    `Zurich Airport > Bern; wait 75 -> pays 39340 Transfer 124 km + 1500 Waiting 15 min = 40840
      -> never 7 %
     Zurich Airport > Bern; hire 6 -> says Each started hour beyond 6 h is charged at CHF 77.04 (Sedan)`,
  );
  told(
    "with a label is a line and a sentence",
    withRules({ clients: client({ label: "Agency price" }) }, { client: "agency" }),
    `Zurich Airport > Bern -> pays 36720 Transfer 124 km + 2570 Agency price = 39290
      -> says Agency price: 7 % on the fare.`,
  );
  told(
    "without a label changes a fixed fare",
    withRules({ fares: [FARE], clients: client() }, { client: "agency" }),
    "Zurich Airport > Bern -> pays 32100 To Bern = 32100",
  );
  told(
    "is not that of another caller",
    withRules({ fares: [FARE], clients: client() }),
    "Zurich Airport > Bern -> pays 30000 To Bern = 30000",
  );
});

suite("tiers of cancellation", () => {
  const partialRefunds = [
    { hours: 12, percent: 50 },
    { hours: 4, percent: 25 },
  ];
  const tiered = (rest: object = {}) =>
    withRules({ policies: policies.map((policy) => ({ ...policy, partialRefunds, ...rest })) });

  told(
    "are sentences with the instants of each direction, and those that have passed are not named",
    tiered(),
    `at 14:00 -> says Canceled until 8 December 2026, 02:00: 50 % of the price is refunded.
      -> says Canceled until 8 December 2026, 10:00: 25 % of the price is refunded.
      -> says Canceled after 8 December 2026, 10:00: nothing is refunded.
     at 14:00; back 2026-12-10 14:00 -> says Return: Canceled until 10 December 2026, 02:00: 50 % of the price is refunded.
     at 2026-12-01 21:00 -> says Canceled until 1 December 2026, 17:00: 25 % of the price is refunded.
      -> never 50 %`,
  );
  told(
    "are those of the outbound journey where both are canceled together",
    tiered({ legsSeparately: false }),
    `at 14:00; back 2026-12-10 14:00 -> says Canceled until 8 December 2026, 02:00: 50 % of the price is refunded.
      -> never Canceled …10 December
      -> says Outbound and return journey can only be canceled together, at no charge until 24 h before the outbound pickup.
      -> never separately
     at 14:00 -> never together`,
  );
});

for (const [name, now, earliest, early] of [
  ["within them", "2026-12-01T12:00:00Z", "2026-12-01T15:00:00+01:00", "2026-12-01T14:59:00+01:00"],
  ["over the night", "2026-12-01T16:00:00Z", "2026-12-02T09:00:00+01:00", "2026-12-02T08:59:00+01:00"],
  ["asked at night", "2026-12-01T22:30:00Z", "2026-12-02T10:00:00+01:00", "2026-12-02T09:59:00+01:00"],
  ["over a change of the clocks", "2027-03-27T17:30:00Z", "2027-03-28T10:00:00+02:00", "2027-03-28T09:59:00+02:00"],
] as const)
  told(
    `the lead time of 2 h passes in office hours from 8 to 18 alone: ${name}`,
    { ...withRules({ tariff: { ...tariff, leadTimeHours: 2, officeHours: { from: 8, to: 18 } } }), clock: aClock(now) },
    `at ${earliest} -> drives 124 km
     at ${early}    -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says Accepted from ${earliest} to `,
  );

type Hours = Readonly<Record<string, number>>;

/** With the least hours of each class that has some. */
function least(hours: Hours, changed: Partial<typeof tariff> = {}): Setup {
  const rates = Object.entries(tariff.rates).map(([id, rate]) => [id, { ...rate, minimumHours: hours[id] }]);
  const rules = { fares: [], seasons: [], tariff: { ...tariff, ...changed, rates: Object.fromEntries(rates) } };
  return { measured: { distanceKm: 60 }, rules };
}

const LEAST = least({ sedan: 2, van: 3 });

suite("a class with a least number of hours", () => {
  told(
    "is not offered for a shorter hire, and is said to be hired for longer",
    LEAST,
    `hire 1.5 -> offers sedan, estate, first_class, first_class_van
       -> says Not offered: Van. It is hired for at least 3 h.
       -> says Not offered: Minibus, Coach. For larger parties.
       -> never Not offered: Sedan
     hire 3   -> offers sedan, estate, first_class, van, first_class_van
       -> never hired for at least
     hire 2.5 -> offers sedan, estate, first_class, van, first_class_van`,
  );
  told(
    "costs nothing more for hours of which no hire is sold, where an hour costs less than its kilometers",
    {
      ...least({ sedan: 4 }, { hourly: { includedKmPerHour: 40 } }),
      measured: { distanceKm: 300, durationMinutes: 200 },
    },
    "hire 4 -> pays 29600 Hire 4 h + 39200 Extra 140 km + 17200 Difference to the price of the transfer = 86000",
  );
  told(
    "is offered for a hire that takes so long",
    { ...LEAST, measured: { distanceKm: 60, durationMinutes: 150 } },
    "hire 1 -> offers sedan, estate, first_class, van, first_class_van",
  );
  told(
    "is offered for a transfer, and for a round trip that a hire limits",
    LEAST,
    `Zurich Airport > Bern -> offers sedan, estate, first_class, van, first_class_van
     Zurich Airport > Olten 45' > Zurich Airport -> offers sedan, estate, first_class, van, first_class_van`,
  );
  told(
    "that is the shortest of all refuses a shorter hire, and says what to ask",
    least(Object.fromEntries(Object.keys(tariff.rates).map((id) => [id, id === "sedan" ? 4 : 3]))),
    `hire 1 -> refuses NO_ELIGIBLE_VEHICLE
       -> says No vehicle class that fits is hired for 1 h; the shortest hire is 3 h.
       -> says Ask the traveler whether 3 h will do, and resend with a duration_hours of 3.`,
  );

  test("is known before a quote is asked for", async (t) => {
    const folder = aCatalogFolder(t);
    changeCatalog(folder, "tariff.json", ({ rates }) => (rates.van.minimumHours = 3));
    const service = await aService(t, { env: { TRANSFER_CATALOG_DIR: folder, TRANSFER_ACCEPT_FAULTS: "true" } });
    const { body } = await service.api("/quote-requirements");
    assert.match(body.notes, /Shortest hires: Van 3 h\.$/);
  });
});
