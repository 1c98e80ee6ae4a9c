import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PublicError } from "../../../src/contract/errors.ts";
import { aMeasuredRoute } from "../../support/fake-router.ts";
import { defaultCatalog, totalOf } from "../../support/quoting-fixture.ts";
import { instantOf, quotes, type Setup, told } from "../../support/told.ts";

const { router } = defaultCatalog;

/** Prices while counting what is measured. */
function counting(setup: Setup = {}) {
  let measured = 0;
  const measure: typeof router.measure = (...way) => {
    measured += 1;
    return router.measure(...way);
  };
  const price = quotes({ router: { ...router, measure }, ...setup });
  return async (journey: string) => {
    measured = 0;
    const priced = await price(journey);
    return { ...priced, measured, said: priced.notices.filter(({ code }) => code.startsWith("LEAVE_BY")) };
  };
}

suite("by when the car has to leave within the free waiting", () => {
  const price = counting();
  const LANDING = "2027-01-12 21:00";
  const UP = `Zurich Airport > Zermatt; at ${LANDING}`;

  test("the last car train: by then, or another way at the price with waiting", async () => {
    const { said, ...atOnce } = await price(UP);
    const [leaveBy, ...others] = said;
    assert.deepEqual([leaveBy?.code, others], ["LEAVE_BY", []]);
    // A late flight does not change the price.
    assert.match(
      leaveBy?.text ?? "",
      / to reach the .+: later, within the free waiting after a landing on time, .+, and the journey costs .+ send waiting_minutes 60\.$/,
    );
    const waited = await price(`${UP}; wait 60`);
    const { km, minutes, time } = leaveBy?.values ?? {};
    assert.deepEqual([km, minutes], [waited.route.distanceKm, waited.route.durationMinutes]);
    assert.match(leaveBy?.text ?? "", new RegExp(`CHF ${((totalOf(waited) ?? 0) / 100).toFixed(2)} \\(Sedan`));
    // The stated time keeps the way; a minute more does not.
    const after = (+instantOf(`2027-01-12 ${time}`) - +instantOf(LANDING)) / 60_000;
    const [kept, lost] = [await price(`${UP}; wait ${after}`), await price(`${UP}; wait ${after + 1}`)];
    assert.deepEqual([totalOf(kept), totalOf(lost)], [totalOf(atOnce), totalOf(waited)]);
  });

  test("a border of prices is found without a second measurement", async () => {
    const seasons = [{ id: "rush", label: "Rush", percent: 50, hours: { from: 17, to: 18 } }];
    const { said, measured } = await counting({ rules: { seasons } })("Zurich Airport > Bern; at 16:30");
    assert.deepEqual([said[0]?.code, said[0]?.values.time, measured], ["LEAVE_BY", "16:59", 1]);
  });

  for (const [why, journey] of [
    ["the whole way is open", "Zurich Airport > Bern; at 14:00"],
    ["the free waiting is used up", `${UP}; wait 60`],
  ] as const)
    test(`nothing is said or measured again where ${why}`, async () => {
      const { said, measured } = await price(journey);
      assert.deepEqual([said, measured], [[], 1]);
    });

  test("the landing of a return: by then, or the way and the price of the whole journey with it", async () => {
    const [leaveBy, ...others] = (await price(`Zermatt > Zurich Airport; at 2027-01-10 09:00; back ${LANDING}`)).said;
    assert.deepEqual(others, []);
    const [own] = (await price(UP)).said;
    const { time, km, minutes, name } = own?.values ?? {};
    const { prices, ...values } = leaveBy?.values ?? {};
    const dated = `2027-01-12T${time}:00+01:00`;
    assert.deepEqual(
      values,
      { time: dated, km, minutes, name, lands: 1, leg: "return" },
      "the same way, on the day of the return",
    );
    assert.notDeepEqual(prices, own?.values.prices, "the price of both directions");
    assert.match(
      leaveBy?.text ?? "",
      /^Return: Times .+ by \d\d:\d\d on 12 January 2027 to reach the .+, and both journeys together cost .+\.$/,
    );
    assert.doesNotMatch(leaveBy?.text ?? "", /waiting_minutes/);
  });

  told(
    "midnight within the free waiting at any pickup, with the price of that waiting",
    { measured: {} },
    `Bern > Thun; at 23:50 -> costs 30000
      -> says Times and prices hold if the car leaves by 23:59: later, within the free waiting, the journey costs CHF 360 (Sedan
      -> says send waiting_minutes 15.
     Bern > Thun; at 23:50; wait 10 -> costs 36000
     Bern > Thun; at 23:40          -> never if the car leaves
     Bern > Thun; at 23:50; hire 2  -> never if the car leaves`,
  );
  told(
    "no departure for waiting that counts in the hours of a round trip",
    {},
    "Bern > Thun 120' > Bern; at 14:00 -> never if the car leaves",
  );
  told(
    "the last open road",
    {
      rules: {
        closures: [{ id: "works", road: "A1", from: "2026-12-08T14:30", to: "2026-12-08T20:00", reason: "Works." }],
      },
      async measured(_, departure) {
        if (departure < instantOf("14:30")) return aMeasuredRoute();
        throw new PublicError("UNSUPPORTED_ROUTE", "closed");
      },
    },
    "at 14:00 -> says The car has to leave by 14:29: later, within the free waiting, no road to the destination is open that day.",
  );
});
