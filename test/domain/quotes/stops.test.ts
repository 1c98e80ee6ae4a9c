import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../../src/contract/charges.ts";
import type { JourneyPoint, PricedJourney } from "../../../src/domain/quotes/quote.ts";
import { aPoint, aStop, defaultCatalog, pricing, refusalOf, to, totalOf } from "../../support/quoting-fixture.ts";

const price = pricing();
const { catalog } = defaultCatalog;

/** From the first point over the others to the last. */
function along(...points: readonly (string | JourneyPoint)[]): readonly JourneyPoint[] {
  return points.map((point, index) => {
    const last = index === points.length - 1;
    if (typeof point !== "string") return { ...point, field: last ? "destination" : `waypoints.${index - 1}.name` };
    if (index === 0) return aPoint(point);
    return last ? to(point) : { ...aStop(point, 0), field: `waypoints.${index - 1}.name` };
  });
}

const at = (local: string) => ({ pickupAt: new Date(local) });
const linesFor = ({ options }: PricedJourney, vehicleClass = "sedan") =>
  linesOf(options.find((option) => option.vehicleClass === vehicleClass)?.charges ?? []);

suite("a stop at the other end", () => {
  test("is a stop: a journey to and fro is priced by its distance, not by the fixed fare of the single one", async () => {
    const single = await price({ points: along("Geneva Airport", "Annecy") });
    const shuttle = await price({ points: along("Geneva Airport", "Annecy", "Geneva Airport", "Annecy") });
    assert.equal(totalOf(single), 16_500);
    const kilometers = 2_000 + 280 * shuttle.route.distanceKm;
    assert.ok(shuttle.route.distanceKm > 150);
    assert.ok((totalOf(shuttle) ?? 0) >= kilometers, `${totalOf(shuttle)}`);
  });

  test("is driven to as often as it is stated", async () => {
    const names = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? "Geneva Airport" : "Annecy"));
    const shuttle = await price({ points: along(...names) });
    assert.equal(shuttle.legs.length, 12);
    assert.ok((totalOf(shuttle) ?? 0) > 150_000);
  });
});

suite("a fixed fare and a stop", () => {
  const fare = (rappen: number) => ({
    ...{ id: "davos", label: "Airport to Davos", routes: [{ from: "zurich-airport", to: "davos" }], includes: [] },
    rappen: { sedan: rappen },
  });
  const withFare = (rappen: number) => pricing({ ...defaultCatalog, catalog: { ...catalog, fares: [fare(rappen)] } });
  const kept = "Airport to Davos applies with these stops too, because they are on its way (Sedan).";

  test("on its way costs its minutes alone, and the traveler is told", async () => {
    const own = withFare(38_000);
    const direct = totalOf(await own({ points: along("Zurich Airport", "Davos") })) ?? 0;
    const passing = await own({ points: along("Zurich Airport", "Landquart", "Davos") });
    const staying = await own({ points: along("Zurich Airport", aStop("Landquart", 30), "Davos") });
    assert.deepEqual([totalOf(passing), totalOf(staying)], [direct, direct + 1_500]);
    assert.ok(passing.limitations.includes(kept), passing.limitations.join("\n"));
  });

  test("off its way is priced by distance", async () => {
    const priced = await withFare(38_000)({ points: along("Zurich Airport", "Chur", "Davos") });
    assert.equal(linesFor(priced)[0]?.code, "transfer");
    assert.ok(priced.limitations.some((text) => text.startsWith("Airport to Davos applies only without stops")));
  });

  test("on its way costs no less than the way to the stop alone", async () => {
    const points = along("Zurich Airport", "Landquart", "Davos");
    const alone = totalOf(await price({ points: along("Zurich Airport", "Landquart") }));
    assert.equal(totalOf(await withFare(10_000)({ points })), alone);
  });
});

suite("points that follow each other at the same spot", () => {
  const REPEATED = [
    along("Zurich Airport", "Olten", aStop("Olten", 20), aStop("Olten", 40), "Bern"),
    along("Zurich Airport", aStop("ZRH", 0), aStop("Olten", 60), "Bern", "Bern"),
    along("Zurich Airport", aStop("Olten", 60), "Bern"),
  ];

  test("are one, with all their stays", async () => {
    const [first, ...others] = await Promise.all(REPEATED.map((points) => price({ points })));
    for (const other of others) {
      assert.deepEqual(other.options, first?.options);
      assert.deepEqual(other.legs, first?.legs);
      assert.equal(other.route.fingerprint, first?.route.fingerprint);
    }
  });

  test("are returned as they were stated", async () => {
    const { stops } = await price({ points: REPEATED[0] });
    assert.deepEqual(
      stops.map(({ name, dwellMinutes }) => [name, dwellMinutes]),
      [
        ["Olten", 0],
        ["Olten", 20],
        ["Olten", 40],
      ],
    );
  });

  test("at the destination do not delay the return", async () => {
    const pickupAt = new Date("2026-12-08T10:00:00+01:00");
    // In the evening, from which 300 min lead into the night.
    const returnAt = new Date("2026-12-08T22:00:00+01:00");
    const [usual, stayed] = await Promise.all(
      [null, 300].map((minutes) =>
        price({ points: along("Bern", aStop("Thun", minutes), "Thun"), pickupAt, returnAt }),
      ),
    );
    const backOf = (priced: typeof usual) => [
      priced?.legs.filter(({ direction }) => direction === "return"),
      priced && linesFor(priced).filter(({ label }) => label.startsWith("Return:")),
    ];
    assert.deepEqual(backOf(stayed), backOf(usual));
  });

  test("at the origin are waiting at the pickup", async () => {
    const stays = await price({
      points: along("Zurich Airport", aStop("Zurich Airport", 90), "Bern"),
      waitingMinutes: 10,
    });
    const waits = await price({ points: along("Zurich Airport", "Bern"), waitingMinutes: 100 });
    assert.deepEqual(stays.options, waits.options);
    assert.deepEqual(stays.legs, waits.legs);
    assert.deepEqual(stays.limitations, waits.limitations);
  });

  test("have the fees of their place once, and no season of a way that is not driven", async () => {
    const rules = {
      placeFees: [{ id: "access", label: "Access", places: ["davos"], rappen: 2_700 }],
      seasons: [{ id: "arrival", label: "Arrival", percent: 40, routes: [{ to: "st-moritz" }] }],
    };
    const own = pricing({ ...defaultCatalog, catalog: { ...catalog, ...rules } });
    for (const [from, end] of [
      ["Davos", "Zurich Airport"],
      ["St. Moritz", "Annecy"],
    ] as const) {
      const once = await own({ points: along(from, end) });
      const twice = await own({ points: along(from, from, end) });
      assert.deepEqual(linesFor(twice), linesFor(once), from);
    }
  });

  test("keep the published corridor and its fixed fare", async () => {
    const { ends, options } = await price({ points: along("Geneva Airport", "Annecy", "Annecy") });
    assert.equal(ends.corridor, "geneva-airport-to-annecy");
    assert.deepEqual(options, (await price({ points: along("Geneva Airport", "Annecy") })).options);
  });

  test("are no journey where there is nothing else, except by the hour", async () => {
    const points = along("Bern", "Bern", "Bern");
    const { fieldErrors } = await refusalOf(price({ points }), "INVALID_LOCATION");
    assert.equal(fieldErrors[0]?.field, "destination");
    assert.equal((await price({ points, hireHours: 2 })).legs.at(-1)?.action, "hire_end");
  });
});

suite("one answer to whether a journey leads back", () => {
  test("for its hours and for where the car goes, however the place is written", async () => {
    for (const end of ["Zurich", "47.40, 8.57"]) {
      const hire = await price({ points: along("Zurich", "Bern", end), hireHours: 1 });
      const said = hire.limitations.join("\n");
      assert.match(said, /With the drive back/, end);
      assert.match(said, /The hire ends at .* where it starts/, end);
      assert.doesNotMatch(said, /does not bring/, end);
    }
  });

  test("is no where a hire goes from one address of a town to another", async () => {
    const hire = await price({ points: along("47.3769, 8.5417", "47.40, 8.57"), hireHours: 1 });
    assert.doesNotMatch(hire.limitations.join("\n"), /With the drive back/);
  });
});

suite("more stops never cost less", () => {
  test("a fourth stop, either", async () => {
    const stops = ["Bern", "Saint-Martin VS", "Losone"];
    const three = await price({ points: along("Bern", ...stops, "Chur"), ...at("2027-02-10T10:00:00Z") });
    const four = await price({ points: along("Bern", "Bern", ...stops, "Chur"), ...at("2027-02-10T10:00:00Z") });
    assert.equal(totalOf(four), totalOf(three));
    const more = await price({ points: along("Bern", ...stops, "Lugano", "Chur"), ...at("2027-02-10T10:00:00Z") });
    assert.ok((totalOf(more) ?? 0) >= (totalOf(three) ?? 0));
  });

  test("a kilometer beyond the end of a published corridor, either", async () => {
    const beyond = "46.78771, 9.83600";
    const corridor = await price({ points: along("Zurich Airport", "Davos") });
    const farther = await price({ points: along("Zurich Airport", "Davos", beyond) });
    const [near, far] = [corridor, farther].map((each) => totalOf(each, "first_class") ?? 0);
    assert.ok((far ?? 0) >= (near ?? Number.NaN), `${near} → ${far}`);
  });

  test("a round trip by the hour costs at least the same transfer, at night too", async () => {
    const trip = { points: along("Geneva Airport", "Davos", "Geneva Airport"), ...at("2027-01-20T00:00:00+01:00") };
    const transfer = await price(trip);
    const hire = await price({ ...trip, hireHours: 1 });
    for (const { vehicleClass, totalRappen } of transfer.options)
      assert.ok((totalOf(hire, vehicleClass) ?? 0) >= totalRappen, vehicleClass);
    assert.ok(hire.limitations.some((text) => text.startsWith("A hire costs at least as much as the transfer")));
  });
});
