import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Fare } from "../../../src/domain/catalog/offer-schema.ts";
import { defaultCatalog, totalOf } from "../../support/quoting-fixture.ts";
import { linesFor, quotes, type Setup, told } from "../../support/told.ts";

const { catalog } = defaultCatalog;
const price = quotes();

const totals = async (journeys: readonly string[], vehicleClass = "sedan") =>
  Promise.all(journeys.map(async (journey) => totalOf(await price(journey), vehicleClass) ?? assert.fail(journey)));

suite("a stop", () => {
  // A season would be beside the fixed fare of 165.
  told(
    "at the other end makes a journey to and fro, which costs its distance and not the fixed fare of the single one",
    {},
    `Geneva Airport > Annecy -> costs 16500
     Geneva Airport > Annecy > Annecy -> costs 16500`,
  );
  test("at the other end is driven to as often as it is stated", async () => {
    for (const times of [2, 6]) {
      const shuttle = await price(Array.from({ length: times }, () => "Geneva Airport > Annecy").join(" > "));
      assert.equal(shuttle.legs.length, 2 * times);
      assert.ok(shuttle.route.distanceKm > 50 * (2 * times - 1), `${shuttle.route.distanceKm} km`);
      assert.ok((totalOf(shuttle) ?? 0) >= 2_000 + 280 * shuttle.route.distanceKm - 5);
    }
  });

  test("all over the town in which the journey ends is a stop, however the end is written", async () => {
    const stops = [0, 1, 2, 3, 4].map(
      (n) => `A stop @ ${(45.9 + n * 0.004).toFixed(3)}, ${(6.12 + n * 0.003).toFixed(3)} 15'`,
    );
    const way = `Geneva Airport > ${stops.join(" > ")} >`;
    const [byName = 0, byPosition = 0] = await totals([`${way} Annecy`, `${way} 45.903, 6.131`]);
    assert.ok(byName > 16_500, String(byName));
    // Only the last part of the way differs, inside the town.
    assert.ok(Math.abs(byName - byPosition) < 1_000, `${byName} ${byPosition}`);
  });

  for (const [less, more] of [
    ["Geneva Airport > Villars-sur-Ollon; at 12:00", "Geneva Airport > Douvaine > Villars-sur-Ollon; at 12:00"],
    ["Bern > Saint-Martin VS > Losone > Chur", "Bern > Saint-Martin VS > Losone > Lugano > Chur"],
    ["Zurich Airport > Zermatt; at 05:30", "Zurich Airport > Zermatt; at 05:30; hire 1"],
    ["Locarno > Arosa; at 00:25; hire 4.5", "Locarno > Arosa; at 00:25; hire 5.5"],
    [
      "Geneva Airport > Davos > Geneva Airport; at 2027-01-20 00:00",
      "Geneva Airport > Davos > Geneva Airport; at 2027-01-20 00:00; hire 1",
    ],
  ] as const)
    test(`more never costs less: ${more}`, async () => {
      for (const { id } of (await price(less)).options.map(({ vehicleClass }) => ({ id: vehicleClass }))) {
        const [few = 0, many = 0] = await totals([less, more], id);
        assert.ok(many >= few, `${id}: ${few} → ${many}`);
      }
    });
  told(
    "that makes the way shorter costs the difference, and the traveler is told",
    {},
    `Geneva Airport > Villars-sur-Ollon; at 14:00 -> costs 2000 + 123 × 280 = 36440
     Geneva Airport > Douvaine 0' > Villars-sur-Ollon; at 14:00 -> costs 36440
      -> says With all its stops the journey costs at least as much as with fewer or none.`,
  );

  told(
    "leads a hire back where it starts, however the place is written, but not to another address of the town",
    {},
    `Zurich > Bern > Zurich; hire 1       -> says With the drive back
      -> says The hire ends at … where it starts
      -> never does not bring
     Zurich > Bern > 47.40, 8.57; hire 1  -> says With the drive back
      -> never does not bring
     47.3769, 8.5417 > 47.40, 8.57; hire 1 -> never With the drive back`,
  );
});

const fareTo = (to: string, rappen: number, rest: Partial<Fare> = {}): Fare => ({
  ...{
    id: "fare",
    label: "The fare",
    routes: [{ from: "zurich-airport", to }],
    rappen: { sedan: rappen },
    includes: [],
  },
  ...rest,
});
const withFare = (...fare: Parameters<typeof fareTo>): Setup => ({ rules: { fares: [fareTo(...fare)], seasons: [] } });

suite("a fixed fare and a stop", () => {
  const kept = "The fare applies with these stops too, because they are on its way (Sedan).";
  told(
    "on its way costs its minutes alone, off its way the distance, and the traveler is told",
    withFare("davos", 38_000, { includes: ["fees"] }),
    `Zurich Airport > Davos                  -> costs 38000
     Zurich Airport > Landquart 0' > Davos   -> costs 38000
      -> says ${kept}
     Zurich Airport > Landquart 30' > Davos  -> costs 38000 + 1500 = 39500
     Zurich Airport > Chur 0' > Davos        -> says The fare applies only without stops`,
  );
  test("on its way costs no less than the way to the stop alone", async () => {
    const own = quotes(withFare("davos", 10_000));
    const [alone] = await totals(["Zurich Airport > Landquart"]);
    assert.equal(totalOf(await own("Zurich Airport > Landquart 0' > Davos")), alone);
  });
  told(
    "costs at least the fixed fare of its part",
    withFare("davos", 90_000),
    `Zurich Airport > Davos 0' > Klosters -> costs 90000
      -> says at least as much as a part of it alone (Sedan).`,
  );
  told(
    "costs no less in a discount season",
    {
      rules: {
        fares: catalog.fares.map((fare) => ({ ...fare, includes: ["fees", "seasons"] })),
        seasons: [{ id: "low", label: "Low season", percent: -20 }],
      },
    },
    `Geneva Airport > Annecy           -> costs 16500
     Geneva Airport > Geneva > Annecy  -> costs 16500`,
  );
});

suite("points that follow each other at the same spot", () => {
  for (const [why, repeated, once] of [
    [
      "are one, with all their stays",
      "Zurich Airport > Olten 0' > Olten 20' > Olten 40' > Bern",
      "Zurich Airport > Olten 60' > Bern",
    ],
    [
      "are one at the ends too",
      "Zurich Airport > ZRH 0' > Olten 60' > Bern 0' > Bern",
      "Zurich Airport > Olten 60' > Bern",
    ],
    [
      "are waiting at the pickup at the origin",
      "Zurich Airport > Zurich Airport 90' > Bern; wait 10",
      "Zurich Airport > Bern; wait 100",
    ],
    [
      "keep the published corridor and its fixed fare",
      "Geneva Airport > Annecy 0' > Annecy",
      "Geneva Airport > Annecy",
    ],
    ["have the fee of their place once", "Davos > Davos 0' > Zurich Airport", "Davos > Zurich Airport"],
    ["have no season of a way that is not driven", "St. Moritz > St. Moritz 0' > Annecy", "St. Moritz > Annecy"],
  ] as const)
    test(why, async () => {
      const own = quotes({
        rules: {
          placeFees: [{ id: "access", label: "Access", places: ["davos"], rappen: 2_700 }],
          seasons: [{ id: "arrival", label: "Arrival", percent: 40, routes: [{ to: "st-moritz" }] }],
        },
      });
      const [one, other] = [await own(repeated), await own(once)];
      assert.deepEqual(one.options, other.options);
      assert.deepEqual(one.legs, other.legs);
      assert.deepEqual(one.ends.corridor, other.ends.corridor);
    });

  test("are returned as they were stated", async () => {
    const { stops } = await price("Zurich Airport > Olten 0' > Olten 20' > Olten 40' > Bern");
    assert.deepEqual(
      stops.map(({ name, dwellMinutes }) => `${name} ${dwellMinutes}`).join(),
      "Olten 0,Olten 20,Olten 40",
    );
  });

  test("at the destination do not delay the return", async () => {
    // In the evening, from which 300 min lead into the night.
    const [usual, stayed] = [
      await price("Bern > Thun > Thun; at 10:00; back 22:00"),
      await price("Bern > Thun 300' > Thun; at 10:00; back 22:00"),
    ].map((priced) => [
      priced.legs.filter(({ direction }) => direction === "return"),
      linesFor(priced).filter((line) => line.startsWith("Return:")),
    ]);
    assert.deepEqual(stayed, usual);
  });

  test("are no journey where there is nothing else, except by the hour", async () => {
    assert.equal((await price("Bern > Bern > Bern; hire 2")).legs.at(-1)?.action, "hire_end");
  });
  told("are no journey without another", {}, "Bern > Bern > Bern -> refuses INVALID_LOCATION\n -> says destination: ");
});

suite("rules about places apply where any point of the journey lies in them", () => {
  const WAY = "Zurich Airport > Davos 0' > 46.8170, 9.8560; at 2027-01-20 12:00";
  const routes = [{ to: "davos", bothWays: true }];
  test("a season of Davos, with a destination behind it, but no discount", async () => {
    const lines = async (setup?: Setup) =>
      linesFor(await quotes(setup)(WAY)).map((line) => line.replace(/: -?\d+$/, ""));
    assert.ok((await lines()).includes("Congress week surcharge"));
    const low = { id: "low", label: "Low", percent: -20, routes };
    assert.deepEqual(await lines({ rules: { seasons: [low] } }), await lines({ rules: { seasons: [] } }));
  });
  told(
    "a stop-sale",
    { rules: { stopSales: [{ id: "s", reason: "Closed.", offer: "none", routes }] } },
    `${WAY} -> refuses NO_ELIGIBLE_VEHICLE`,
  );
  told(
    "a booking window",
    { rules: { bookingWindows: [{ id: "w", leadTimeHours: 24 * 60, routes }] } },
    `${WAY} -> refuses LEAD_TIME_NOT_SUPPORTED`,
  );
  test("a position within an airport's perimeter is the airport before any town", async () => {
    const [airport, beside] = await totals(["Geneva Airport > Morzine", "46.2311, 6.1155 > Morzine"]);
    assert.equal(beside, airport);
  });
});

told(
  "a return discount is a percentage of the two fares without surcharges",
  {
    rules: {
      fares: [
        fareTo("davos", 46_500, {
          routes: [{ from: "zurich-airport", to: "davos", bothWays: true }],
          includes: ["fees"],
        }),
      ],
      seasons: [{ id: "winter", label: "Winter", percent: 12 }],
      tariff: {
        ...catalog.tariff,
        ...{ night: { fromHour: 22, toHour: 6, percent: 25 }, returnDiscount: { percent: 10, withinDays: 14 } },
      },
    },
  },
  // 465 × 1.12 out, 465 × 1.37 home at night, and 10 % of 465 + 465 off.
  "Zurich Airport > Davos; at 2027-01-16 12:00; back 2027-01-23 05:00 -> costs 52080 + 63705 - 9300 = 106485",
);
