import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { totalOf } from "../../support/quoting-fixture.ts";
import { instantOf, quotes, told } from "../../support/told.ts";

told(
  "the free waiting of a return is that of its own pickup",
  { measured: {} },
  `Zurich Airport > Bern; back 2026-12-10 12:00
    -> says free for 60 min at the outbound pickup and for 15 min at the return pickup`,
);

suite("the dearest time from the pickup to the departure decides", () => {
  const price = quotes();
  for (const [way, departure] of [
    ["Zurich Airport > Davos", "2027-01-18 00:59"],
    ["Zurich Airport > Zermatt", "2027-01-18 00:59"],
    ["Geneva Airport > Verbier", "2026-12-25 00:59"],
    ["Zurich Airport > Davos; back 2027-01-20 13:00", "2027-01-18 00:55"],
  ] as const)
    test(`free waiting moves no departure out of night, holiday or season: ${way}`, async () => {
      const leaving = async (waitingMinutes: number) => {
        const pickupAt = new Date(+instantOf(departure) - waitingMinutes * 60_000);
        return totalOf(await price(way, { pickupAt, waitingMinutes })) ?? assert.fail(way);
      };
      assert.ok((await leaving(60)) >= (await leaving(0)));
    });

  test("so it does where the pickup follows from the arrival", async () => {
    const arriving = async (wait: number) =>
      totalOf(await price(`Zurich Airport > Davos; by 2027-01-18 03:10; wait ${wait}`)) ?? Number.NaN;
    assert.ok((await arriving(60)) >= (await arriving(0)));
  });

  told(
    "a season of an hour between pickup and departure counts",
    { measured: {}, rules: { seasons: [{ id: "rush", label: "Rush", percent: 50, hours: { from: 17, to: 18 } }] } },
    `at 16:30; wait 29  -> costs 30000
     at 16:30; wait 45  -> costs 30000 + 15000 = 45000
     at 16:30; wait 120 -> costs 30000 + 15000 + 4 × 1500 = 51000`,
  );
});
