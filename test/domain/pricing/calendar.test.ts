import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { pickupTime } from "../../../src/domain/pricing/calendar.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";

const { tariff } = defaultCatalog.catalog;
const at = (instant: string) => pickupTime(tariff, new Date(instant));

test("a night that begins in the evening goes over midnight", () => {
  const evening = { ...tariff, night: { ...tariff.night, fromHour: 22, toHour: 6 } };
  const hours = ["T21:59", "T22:00", "T23:59", "T00:00", "T05:59", "T06:00", "T12:00"];
  const nights = hours.map((hour) => pickupTime(evening, new Date(`2026-12-09${hour}:00+01:00`)).night);
  assert.deepEqual(nights, [false, true, true, true, true, false, false]);
});

suite("night and day by the tariff's clock", () => {
  const NIGHT: readonly (readonly [string, boolean, string])[] = [
    ["2026-12-08T22:59:59.999Z", false, "23:59 in winter"],
    ["2026-12-08T23:00:00Z", true, "00:00 in winter"],
    ["2026-12-09T04:59:59.999Z", true, "05:59 in winter"],
    ["2026-12-09T05:00:00Z", false, "06:00 in winter"],
    ["2027-07-14T21:59:59.999Z", false, "23:59 in summer"],
    ["2027-07-14T22:00:00Z", true, "00:00 in summer"],
    ["2027-07-15T03:59:59.999Z", true, "05:59 in summer"],
    ["2027-07-15T04:00:00Z", false, "06:00 in summer"],
    ["2027-03-27T22:59:00Z", false, "23:59 before the clocks go forward"],
    ["2027-03-27T23:00:00Z", true, "00:00 on the day the clocks go forward"],
    ["2027-03-28T00:59:00Z", true, "01:59, a minute before 03:00"],
    ["2027-03-28T01:00:00Z", true, "03:00, a minute after 01:59"],
    ["2027-03-28T03:59:00Z", true, "05:59 after the clocks went forward"],
    ["2027-03-28T04:00:00Z", false, "06:00 after the clocks went forward"],
    ["2027-10-30T21:59:00Z", false, "23:59 before the clocks go back"],
    ["2027-10-30T22:00:00Z", true, "00:00 on the day the clocks go back"],
    ["2027-10-31T00:30:00Z", true, "02:30 the first time"],
    ["2027-10-31T01:30:00Z", true, "02:30 the second time"],
    ["2027-10-31T04:59:00Z", true, "05:59 after the clocks went back"],
    ["2027-10-31T05:00:00Z", false, "06:00 after the clocks went back"],
  ];
  for (const [instant, night, meaning] of NIGHT) {
    test(`${meaning} is ${night ? "night" : "no night"}`, () => assert.equal(at(instant).night, night));
  }
});

suite("public holidays", () => {
  const HOLIDAYS: Readonly<Record<string, readonly string[]>> = {
    "New Year's Day": ["2026-01-01", "2027-01-01", "2028-01-01"],
    "Berchtold's Day": ["2026-01-02", "2027-01-02", "2028-01-02"],
    "Good Friday": ["2026-04-03", "2027-03-26", "2028-04-14"],
    "Easter Sunday": ["2026-04-05", "2027-03-28", "2028-04-16"],
    "Easter Monday": ["2026-04-06", "2027-03-29", "2028-04-17"],
    "Ascension Day": ["2026-05-14", "2027-05-06", "2028-05-25"],
    "Whit Sunday": ["2026-05-24", "2027-05-16", "2028-06-04"],
    "Whit Monday": ["2026-05-25", "2027-05-17", "2028-06-05"],
    "Swiss National Day": ["2026-08-01", "2027-08-01", "2028-08-01"],
    "Christmas Day": ["2026-12-25", "2027-12-25", "2028-12-25"],
    "St. Stephen's Day": ["2026-12-26", "2027-12-26", "2028-12-26"],
  };

  test("three years have exactly the holidays of the printed calendar", () => {
    const found: string[] = [];
    for (let day = Date.parse("2026-01-01T12:00:00Z"); day < Date.parse("2029-01-01T00:00:00Z"); day += 86_400_000) {
      const instant = new Date(day).toISOString();
      if (at(instant).holiday !== undefined) found.push(instant.slice(0, 10));
    }
    assert.deepEqual(found, Object.values(HOLIDAYS).flat().sort());
  });

  test("a holiday begins and ends at local midnight", () => {
    for (const [from, until] of [
      ["2027-07-31T22:00:00Z", "2027-08-01T22:00:00Z"],
      ["2026-12-24T23:00:00Z", "2026-12-26T23:00:00Z"],
    ] as const) {
      const instants = [from, until].flatMap((instant) => [Date.parse(instant) - 1000, Date.parse(instant)]);
      const isHoliday = instants.map((instant) => pickupTime(tariff, new Date(instant)).holiday !== undefined);
      assert.deepEqual(isHoliday, [false, true, true, false]);
    }
  });
});
