import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Season } from "../../../src/domain/catalog/offer-schema.ts";
import { defaultCatalog, refusalOf } from "../../support/quoting-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { quotes, type Setup, told } from "../../support/told.ts";

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
