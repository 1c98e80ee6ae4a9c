import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../../src/contract/charges.ts";
import { aPoint, aStop, defaultCatalog, pricing, to, totalOf, via } from "../../support/quoting-fixture.ts";

const price = pricing();

suite("the dearest time from the pickup to the departure decides", () => {
  /** What a sedan costs whose car leaves at that time, after so many minutes of waiting. */
  const leavingAt = async (points: readonly ReturnType<typeof aPoint>[], departure: string, waitingMinutes: number) => {
    const pickupAt = new Date(Date.parse(departure) - waitingMinutes * 60_000);
    return totalOf(await price({ points, pickupAt, waitingMinutes })) ?? assert.fail(departure);
  };

  for (const [from, end, departure] of [
    ["Zurich Airport", "Davos", "2027-01-18T00:59:00+01:00"],
    ["Zurich Airport", "Zermatt", "2027-01-18T00:59:00+01:00"],
    ["Geneva Airport", "Verbier", "2026-12-25T00:59:00+01:00"],
  ] as const)
    test(`free waiting moves no departure out of night, holiday or season: ${from} to ${end}`, async () => {
      const points = [aPoint(from), to(end)];
      const [waited, atOnce] = [await leavingAt(points, departure, 60), await leavingAt(points, departure, 0)];
      assert.ok(waited >= atOnce, `${waited} < ${atOnce}`);
    });

  test("so it does where the pickup follows from the arrival, and with a return", async () => {
    const points = [aPoint("Zurich Airport"), to("Davos")];
    const arriveBy = { arriveBy: new Date("2027-01-18T03:10:00+01:00") };
    const totals = [];
    for (const waitingMinutes of [0, 60]) {
      totals.push(totalOf(await price({ points, pickupAt: arriveBy, waitingMinutes })));
      const pickupAt = new Date(Date.parse("2027-01-18T00:55:00+01:00") - waitingMinutes * 60_000);
      totals.push(
        totalOf(await price({ points, pickupAt, waitingMinutes, returnAt: new Date("2027-01-20T12:00:00Z") })),
      );
    }
    const [arriving = 0, returning = 0, arrivingLater = 0, returningLater = 0] = totals;
    assert.ok(arrivingLater >= arriving, `${arrivingLater} < ${arriving}`);
    assert.ok(returningLater >= returning, `${returningLater} < ${returning}`);
  });

  test("a season of an hour between pickup and departure counts", async () => {
    const seasons = [{ id: "rush", label: "Rush", percent: 50, hours: { from: 17, to: 18 } }];
    const rushed = pricing({ ...defaultCatalog, catalog: { ...defaultCatalog.catalog, seasons } });
    const journey = { points: [aPoint("Zurich Airport"), to("Bern")], pickupAt: new Date("2026-12-08T16:30:00+01:00") };
    const totals = [0, 29, 45, 120].map(async (waitingMinutes) => {
      const { options } = await rushed({ ...journey, waitingMinutes });
      return linesOf(options[0]?.charges ?? []).some(({ label }) => label === "Rush");
    });
    assert.deepEqual(await Promise.all(totals), [false, false, true, true]);
  });
});

suite("stays with other free minutes", () => {
  test("are named", async () => {
    const stops = [aStop("Olten", 45), { ...aStop("Basel EuroAirport", 80), field: "waypoints.1.name" }];
    const { limitations } = await price({ points: via(...stops) });
    const said = limitations.filter((text) => text.startsWith("As requested, the driver waits at "));
    assert.deepEqual(
      said.map((text) => text.slice(0, text.indexOf(" are free"))),
      [
        "As requested, the driver waits at Olten, 45 min in all: the first 15 min at each place",
        "As requested, the driver waits at EuroAirport Basel Mulhouse Freiburg, 1 h 20 min in all: the first 60 min at each place",
      ],
    );
  });
});
