import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { pickupTime } from "../../../src/domain/pricing/calendar.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { instantOf } from "../../support/told.ts";

const { tariff } = defaultCatalog.catalog;

suite("night and day by the tariff's clock", () => {
  const evening = { ...tariff, night: { ...tariff.night, fromHour: 22, toHour: 6 } };
  // At night where a "*" is before the instant.
  for (const [title, rules, instants] of [
    ["a night that begins in the evening goes over midnight", evening, "21:59, *22:00, *23:59, *00:00, *05:59, 06:00"],
    ["in winter", tariff, "2026-12-08 23:59:59.999, *2026-12-09 00:00, *2026-12-09 05:59:59.999, 2026-12-09 06:00"],
    ["in summer", tariff, "2027-07-14 23:59:59.999, *2027-07-15 00:00, *2027-07-15 05:59:59.999, 2027-07-15 06:00"],
    [
      "where the clocks go forward",
      tariff,
      "2027-03-27T22:59Z, *2027-03-27T23:00Z, *2027-03-28T03:59Z, 2027-03-28T04:00Z",
    ],
    [
      "where the clocks go back",
      tariff,
      "2027-10-30T21:59Z, *2027-10-30T22:00Z, *2027-10-31T04:59Z, 2027-10-31T05:00Z",
    ],
  ] as const)
    test(title, () => {
      for (const each of instants.split(", "))
        assert.equal(pickupTime(rules, instantOf(each.replace("*", ""))).night, each.startsWith("*"), each);
    });
});

suite("public holidays", () => {
  // biome-ignore format: a row for each holiday of three years, from Berchtold's Day to St. Stephen's Day
  const HOLIDAYS = [
    "2026-01-01", "2027-01-01", "2028-01-01", "2026-01-02", "2027-01-02", "2028-01-02",
    "2026-04-03", "2027-03-26", "2028-04-14", "2026-04-05", "2027-03-28", "2028-04-16", "2026-04-06", "2027-03-29", "2028-04-17",
    "2026-05-14", "2027-05-06", "2028-05-25", "2026-05-24", "2027-05-16", "2028-06-04", "2026-05-25", "2027-05-17", "2028-06-05",
    "2026-08-01", "2027-08-01", "2028-08-01", "2026-12-25", "2027-12-25", "2028-12-25", "2026-12-26", "2027-12-26", "2028-12-26",
  ];
  const isHoliday = (instant: Date) => pickupTime(tariff, instant).holiday !== undefined;

  test("three years have exactly the holidays of the printed calendar", () => {
    const found: string[] = [];
    for (let day = Date.parse("2026-01-01T12:00:00Z"); day < Date.parse("2029-01-01T00:00:00Z"); day += 86_400_000)
      if (isHoliday(new Date(day))) found.push(new Date(day).toISOString().slice(0, 10));
    assert.deepEqual(found, HOLIDAYS.toSorted());
  });

  test("a holiday begins and ends at local midnight", () => {
    for (const [eve, day, evening, after] of [
      ["2027-07-31 23:59", "2027-08-01 00:00", "2027-08-01 23:59", "2027-08-02 00:00"],
      ["2026-12-24 23:59", "2026-12-25 00:00", "2026-12-26 23:59", "2026-12-27 00:00"],
    ] as const)
      assert.deepEqual(
        [eve, day, evening, after].map((at) => isHoliday(instantOf(at))),
        [false, true, true, false],
      );
  });
});
