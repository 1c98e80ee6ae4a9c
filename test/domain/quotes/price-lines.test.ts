import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../../src/contract/charges.ts";
import { textsOf } from "../../../src/contract/notices.ts";
import type { Season } from "../../../src/domain/catalog/offer-schema.ts";
import { optionNotices } from "../../../src/domain/quotes/price-notices.ts";
import { aMeasuredRoute } from "../../support/fake-router.ts";
import { defaultCatalog, refusalOf } from "../../support/quoting-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { quotes, type Setup, told } from "../../support/told.ts";

const { tariff } = defaultCatalog.catalog;
const NO_SEASONS: Setup["rules"] = { seasons: [], fares: [] };

/** What a journey from an airport says first. */
const FROM_AIRPORT = [
  "Waiting counts from landing. Times exclude baggage claim. State the flight number.",
  "Meeting point at Zurich Airport: Example Transfers tells it after booking (+41 00 000 00 00).",
] as const;

/** The sentence about waiting for two people, who fit into every class up to the van: `free` says where how much is free. */
function waitingFree(free: string): string {
  return (
    `${free}; each started 15 min after that is charged at CHF 15 (Sedan, Estate car), CHF 25 (First-class sedan), ` +
    "CHF 18 (Van), CHF 28 (First-class van)."
  );
}

test("price lines carry no rate and no cost basis: amounts, and what they are for", async () => {
  const measured = { distanceKm: 257.4, feesRappen: 6_900, carTrainsRappen: 2_900 };
  const { options } = await quotes({ measured })("wait 555");
  assert.deepEqual(linesOf(options[0]?.charges ?? []), [
    { label: "Transfer 257.4 km", code: "transfer", count: 257.4, rappen: 74_070 },
    { label: "Waiting 8 h 15 min", code: "waiting", count: 495, rappen: 49_500 },
    { label: "Car train", code: "train", rappen: 2_900 },
    { label: "Tolls", code: "tolls", rappen: 4_000 },
  ]);
});

const byTrain = { distanceKm: 166.5, carTrainKm: 21.04, feesRappen: 3_800, carTrainsRappen: 3_800 };
told(
  "kilometers on car trains are charged",
  { measured: byTrain, rules: { tariff: { ...tariff, trainKilometers: "charged" } } },
  `Zurich Airport > Bern -> pays 48620 Transfer 166.5 km + 3800 Car train = 52420
    -> never on car trains`,
);
told(
  "kilometers on car trains are free where the operator says so, which is said",
  { measured: byTrain, rules: { tariff: { ...tariff, trainKilometers: "free" } } },
  `Zurich Airport > Bern -> pays 42740 Transfer 145.5 km + 3800 Car train = 46540
    -> says The 21 km on car trains are not charged.
   Zurich Airport > Bern; hire 3 -> costs 8000 + 2 × 7200 + 70.5 × 280 + 3800 = 45940, at least the transfer = 46540`,
);

suite("all that is said", () => {
  const returning = (km: string) =>
    `The price includes the return journey of ${km} km without stops. It is a separate journey: the car does not wait for it; on a hire by the hour it does.`;
  const separately =
    "Outbound and return journey can be canceled separately; the operator says what is refunded for one.";
  const [, meetingPoint] = FROM_AIRPORT;
  const overtime =
    "Each started hour beyond 4 h is charged at CHF 72 (Sedan), CHF 76 (Estate car), CHF 140 (First-class sedan), " +
    "CHF 86 (Van), CHF 150 (First-class van) and the surcharges of its time, with 25 km more, and each km beyond 100 km at " +
    "CHF 2.80 (Sedan), CHF 3 (Estate car), CHF 5.50 (First-class sedan), CHF 3.40 (Van), CHF 6 (First-class van).";
  const hire = (minutes: string) => [
    "The hours count from the landing at Zurich Airport, on time or late, and include baggage claim. State the flight number.",
    ...[`The hire ends at Bern at 18:00: the car does not bring the traveler back to Zurich Airport.${minutes}`],
  ];
  const atLeast =
    "The price is that of the same journey as a transfer with the stated stays and waiting, which is higher than that of " +
    "the hours: further hours and km cost only what exceeds CHF 4 (Sedan), CHF 7 (Estate car), CHF 20 (First-class sedan), CHF 12 (Van), CHF 35 (First-class van).";
  const included = "Hire of 4 h with 100 km included; car and driver stay with the traveler.";
  const thereFrom = (time: string) => `Without other stays than those stated, the car can be at Bern from ${time}.`;

  for (const [journey, durationMinutes, sentences] of [
    ["at 14:00", 60, [...FROM_AIRPORT, waitingFree("Waiting at the pickup is free for 60 min")]],
    [
      "at 2027-03-28 04:00; back 2027-03-29 12:00",
      60,
      [
        ...[...FROM_AIRPORT, separately, returning("100")],
        "Outbound: Night surcharge of 20 % on the fare, by the dearest time from pickup to departure, from 00:00 to 06:00.",
        "Outbound: Holiday surcharge of 10 % on the fare (Easter Sunday).",
        "Return: Holiday surcharge of 10 % on the fare (Easter Monday).",
        waitingFree("Waiting is free for 60 min at the outbound pickup and for 15 min at the return pickup"),
      ],
    ],
    ["at 14:00; hire 4", 60, [...hire(""), thereFrom("15:00"), meetingPoint, included, overtime, atLeast]],
    [
      "at 14:00; hire 2.5",
      181,
      [
        ...[...hire(" 4 h are not enough to drive back to Zurich Airport as well."), thereFrom("17:01"), meetingPoint],
        `${included} The journey takes longer than 2.5 h, so 4 h are charged.`,
        overtime,
        atLeast,
      ],
    ],
  ] as const)
    test(`${journey}, in its order, and no more`, async () => {
      const { limitations } = await quotes({ measured: { durationMinutes }, rules: NO_SEASONS })(journey);
      assert.deepEqual(limitations, sentences);
    });

  test("a note of both directions is said once", async () => {
    const measured = async () => aMeasuredRoute({ notes: ["Includes tolls: X."] });
    const { limitations } = await quotes({ measured })("at 14:00; back 20:00");
    assert.equal(limitations.filter((text) => text === "Includes tolls: X.").length, 1);
  });
});

told(
  "a discount is rounded once, and half a step of it is given",
  { measured: { distanceKm: 200.8, durationMinutes: 150 }, rules: NO_SEASONS },
  "Bern > Lenk; at 09:00; back 18:00 -> costs 2 × 58225 - 5825 = 110625",
);

told(
  "the next hour of a hire adds only what the kilometers that it includes do not replace",
  { measured: { distanceKm: 230, durationMinutes: 150 }, rules: NO_SEASONS },
  `at 09:00; hire 8 -> costs 8000 + 7 × 7200 + 30 × 280 = 66800
    -> says Each started hour beyond 8 h…. Its km replace extra km first: the next hour adds CHF 2 (Sedan), CHF 0 (Estate car, First-class sedan, Van, First-class van) and its surcharges in full.
   at 09:00; hire 9 -> costs 8000 + 8 × 7200 + 5 × 280 = 67000
    -> says the next hour adds CHF 58 (Sedan),
   at 09:00; hire 10 -> costs 8000 + 9 × 7200 = 72800
    -> never the next hour adds`,
);

told(
  "its surcharges are those of the whole hour",
  { measured: { distanceKm: 230, durationMinutes: 150 }, rules: NO_SEASONS },
  `at 22:00; hire 8 -> costs 8000 + 7 × 7200 + 30 × 280 + 6 × 1440 = 75440
    -> says the next hour adds CHF 2 (Sedan),
   at 22:00; hire 7 -> costs 8000 + 6 × 7200 + 55 × 280 + 5 × 1440 = 73800`,
);

test("the notices for one option name its price, and leave out what is about other classes", async () => {
  const route = { from: "zurich-airport", to: "bern" };
  const price = quotes({
    rules: {
      fares: [
        { id: "a", label: "Fixed (sedan)", routes: [route], rappen: { sedan: 30_000, van: 40_000 }, includes: [] },
      ],
      seasons: [{ id: "fair", label: "Fair (week)", percent: 10, classes: ["sedan", "van"] }],
      stopSales: [{ id: "marathon", reason: "R.", classes: ["estate"], offer: "none" }],
      bookingWindows: [{ id: "soon", leadTimeHours: 720, classes: ["first_class"] }],
    },
  });
  const { notices, options } = await price("people 3; bags 3");
  const van = options.find(({ vehicleClass }) => vehicleClass === "van") ?? assert.fail("no van");
  const said = textsOf(optionNotices(notices, van)).join("\n");
  assert.match(said, /^Fixed \(sedan\) includes/m);
  assert.match(said, /^Fair \(week\): 10 % on the fare\.$/m);
  assert.match(said, /each started 15 min after that is charged at CHF 18\.$/m);
  assert.doesNotMatch(said, /^Not offered|can be booked|may be large/m);
  assert.match(
    textsOf(notices).join("\n"),
    /may be large[\s\S]*Not offered|Not offered[\s\S]*may be large/,
    "they are said of the journey",
  );
  const hire = textsOf(optionNotices((await price("hire 4")).notices, van)).join("\n");
  assert.match(
    hire,
    /^Each started hour beyond 4 h is charged at CHF [\d.]+ and the surcharges of its time, with \d+ km more, and each km beyond [\d.]+ km at CHF [\d.]+\. Its km replace extra km first: the next hour adds CHF 1 and its surcharges in full\.$/m,
  );
});

const clients = [{ id: "agency", label: "Agency price", percent: -50 }];

/** Seasons of these percentages on the packaged roads. */
function withSeasons(percents: readonly number[], rest: Setup = {}): Setup {
  const seasons: readonly Season[] = percents.map((percent, n) => ({
    id: `s-${n}`,
    label: `Spring offer ${n}`,
    percent,
  }));
  return { ...rest, rules: { fares: [], seasons, clients } };
}

suite("discounts", () => {
  told(
    "lower the fare, and are said as discounts",
    withSeasons([-30], { measured: {} }),
    `Zurich Airport > Bern -> pays 30000 Transfer 100 km - 9000 Spring offer 0 = 21000
      -> says Spring offer 0: 30 % off the fare.
     Zurich Airport > Bern; hire 4 -> says Spring offer 0: 30 % off 4 of 4 h.`,
  );
  told(
    "of a client are said as one",
    withSeasons([], { measured: {}, client: "agency" }),
    `Zurich Airport > Bern -> pays 30000 Transfer 100 km - 15000 Agency price = 15000
      -> says Agency price: 50 % off the fare.`,
  );
  told(
    "of a client are on the extra kilometers of a hire too",
    withSeasons([], { measured: { distanceKm: 300 }, client: "agency" }),
    "Bern > Thun > Bern; hire 8 -> pays 58400 Hire 8 h + 28000 Extra 100 km - 43200 Agency price = 43200",
  );
  told(
    "end at the minimum fare of the class",
    withSeasons([-30, -20], { measured: { distanceKm: 10 } }),
    `Zurich Airport > Bern -> costs 8000
      -> says 30 % off the fare, but not below the minimum fare.`,
  );

  for (const [percents, client] of [
    [[-30, -30, -30, -30], undefined],
    [[-30, -30], undefined],
    [[-30], "agency"],
  ] as const)
    test(`that lower a price by 60 % or more leave it unsold, and are logged: ${percents} ${client ?? ""}`, async () => {
      const { log, records } = aRecordingLog();
      const price = quotes({ ...withSeasons(percents, { log }), ...(client && { client }) });
      for (const journey of ["wait 0", "hire 4"]) await refusalOf(price(journey), "QUOTE_UNAVAILABLE");
      assert.equal(records.filter(({ message }) => message.includes("60 %")).length, 2, JSON.stringify(records));
    });
  told(
    "that lower a price by less are sold",
    withSeasons([-30, -29], { measured: {} }),
    "Zurich Airport > Bern -> costs 30000 - 9000 - 8700 = 12300",
  );

  told(
    "end at the minimum fare of the class on a hire too",
    withSeasons([-30, -29]),
    `Bern > Bern; hire 1 -> costs 8000
      -> says 30 % off 1 of 1 h, but not below the minimum fare.
     Bern > Bern; hire 8 -> pays 58400 Hire 8 h - 17520 Spring offer 0 - 16935 Spring offer 1 = 23945`,
  );

  for (const [withinDays, name] of [
    [0, "Same-day return discount"],
    [7, "Return discount"],
  ] as const) {
    const tariff = { ...defaultCatalog.catalog.tariff, returnDiscount: { percent: 10, withinDays } };
    told(
      `of a return within ${withinDays} days are named ${name}`,
      { measured: {}, rules: { fares: [], tariff } },
      `Zurich Airport > Bern; back 20:00
        -> pays 30000 Outbound: Transfer 100 km + 30000 Return: Transfer 100 km - 6000 ${name} = 54000`,
    );
  }
});
