import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../../src/contract/charges.ts";
import type { Season } from "../../../src/domain/catalog/offer-schema.ts";
import { aPoint, defaultCatalog, pricing, refusalOf, to, totalOf } from "../../support/quoting-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";

const { catalog } = defaultCatalog;
const seasonsOf = (...percents: readonly number[]): readonly Season[] =>
  percents.map((percent, index) => ({ id: `spring-${index}`, label: `Spring offer ${index}`, percent }));
const withSeasons = (seasons: readonly Season[], rest: object = {}) => ({
  ...defaultCatalog,
  catalog: { ...catalog, fares: [], seasons, ...rest },
});
/** Of the sedan: CHF 80 are its minimum fare. */
const SHORT = { points: [aPoint("Zurich"), to("Zurich Airport")] };

suite("discounts", () => {
  test("a season that lowers the fare is said as a discount", async () => {
    const price = pricing(withSeasons(seasonsOf(-30)));
    const { limitations, options } = await price();
    assert.ok(limitations.includes("Spring offer 0: 30 % off the fare."), limitations.join("\n"));
    const [sedan] = options;
    assert.ok(linesOf(sedan?.charges ?? []).some(({ label, rappen }) => label === "Spring offer 0" && rappen < 0));
    const hired = await price({ hireHours: 4 });
    assert.ok(hired.limitations.includes("Spring offer 0: 30 % off 4 of 4 h."), hired.limitations.join("\n"));
  });

  test("a client's discount is said as one", async () => {
    const clients = [{ id: "agency", label: "Agency price", percent: -10 }];
    const { limitations } = await pricing(withSeasons([], { clients }))({}, "agency");
    assert.ok(limitations.includes("Agency price: 10 % off the fare."), limitations.join("\n"));
  });

  test("discounts end at the minimum fare of the class", async () => {
    const usual = await pricing(withSeasons([]))(SHORT);
    const { limitations, ...lowered } = await pricing(withSeasons(seasonsOf(-30, -20)))(SHORT);
    assert.equal(totalOf(usual), catalog.tariff.rates.sedan?.minimumRappen, "the fare is the minimum");
    assert.equal(totalOf(lowered), totalOf(usual));
    assert.ok(
      limitations.some((text) => text.endsWith("30 % off the fare, but not below the minimum fare.")),
      limitations.join("\n"),
    );
  });

  test("what several discounts lower by 60 % or more is not sold, and the log says so once", async () => {
    for (const [seasons, client] of [
      [seasonsOf(-30, -30, -30, -30), undefined],
      [seasonsOf(-30, -30), undefined],
      [seasonsOf(-30), "agency"],
    ] as const) {
      const { log, records } = aRecordingLog();
      const clients = [{ id: "agency", label: "Agency price", percent: -50 }];
      const price = pricing({ ...withSeasons(seasons, { clients }), log });
      for (const hireHours of [null, 4]) await refusalOf(price({ hireHours }, client), "QUOTE_UNAVAILABLE");
      const said = records.filter(({ message }) => message.includes("60 %"));
      assert.equal(said.length, 2, JSON.stringify(records));
    }
    assert.ok(totalOf(await pricing(withSeasons(seasonsOf(-30, -29)))({})));
  });

  test("no hire is sold below the minimum fare of its class by its discounts", async () => {
    const { log, records } = aRecordingLog();
    const price = pricing({ ...withSeasons(seasonsOf(-30, -29)), log });
    const there = { points: [aPoint("Bern"), to("Bern")] };
    const minimumOf = (id: string) => catalog.tariff.rates[id]?.minimumRappen ?? 0;
    for (const hireHours of [1, 2, 3, 8]) {
      const { options } = await price({ ...there, hireHours }).catch(() => ({ options: [] }));
      for (const { vehicleClass, charges } of options)
        assert.ok(
          charges.reduce((sum, { rappen }) => sum + rappen, 0) >= minimumOf(vehicleClass),
          `${vehicleClass} for ${hireHours} h`,
        );
      if (hireHours === 8) assert.ok(options.length > 0, "a long hire is sold");
    }
    await refusalOf(price({ ...there, hireHours: 1 }), "QUOTE_UNAVAILABLE");
    assert.match(records[0]?.message ?? "", /below the minimum fare/);
  });
});
