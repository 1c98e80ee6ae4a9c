import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { DateTime } from "luxon";
import { instantOfLocal, localDateTime, localTimeIn } from "../../src/ops/local-time.ts";

const ZONES = ["Europe/Zurich", "UTC", "America/St_Johns", "Asia/Kathmandu", "Pacific/Auckland"];
/** Changes of half an hour, and four changes a year. */
const ODD_ZONES = ["Australia/Lord_Howe", "Africa/Casablanca"];
const ANY_TIME = Date.parse("2027-07-05T13:00:00.250Z");
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

suite("local time", () => {
  for (const zone of [...ZONES, ...ODD_ZONES]) {
    test(`of ${zone} is Luxon's around every change of the clock from 2020 to 2040, to the millisecond`, () => {
      const localTime = localTimeIn(zone);
      const luxon = (at: number) => DateTime.fromMillis(at, { zone });
      const changes = changesOf((at) => luxon(at).offset);
      // How many there are depends on the time zone data of Node.
      assert.equal(changes.length > 0, !["UTC", "Asia/Kathmandu"].includes(zone), `${changes.length}`);
      for (const change of [...changes, ANY_TIME])
        for (const at of [-DAY, -HOUR, -1, 0, 1, HOUR, DAY].map((distance) => change + distance))
          assert.equal(localTime(new Date(at)), luxon(at).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ"));
    });
  }

  test("is written without milliseconds where there are none", () => {
    assert.equal(localDateTime(new Date("2027-07-05T13:00:00Z"), "Europe/Zurich"), "2027-07-05T15:00:00+02:00");
    assert.equal(localDateTime(new Date(ANY_TIME), "Europe/Zurich"), "2027-07-05T15:00:00.250+02:00");
  });

  test("is an instant again, on both sides of a change of the clock", () => {
    for (const local of ["2027-01-15T14:30:00", "2027-07-15T14:30:00", "2027-03-28T01:59:00", "2027-03-28T03:00:00"])
      assert.equal(localDateTime(instantOfLocal(local, "Europe/Zurich"), "Europe/Zurich").slice(0, 19), local);
  });

  test("rejects a time zone that does not exist", () => {
    assert.throws(() => localTimeIn("Europe/Nowhere"), RangeError);
  });
});

/** The first milliseconds at which an offset holds. */
function changesOf(offsetAt: (at: number) => number): readonly number[] {
  const changes: number[] = [];
  const end = Date.parse("2041-01-01T00:00:00Z");
  for (let day = Date.parse("2020-01-01T00:00:00Z"); day < end; day += DAY) {
    let [before, after] = [day, day + DAY];
    if (offsetAt(before) === offsetAt(after)) continue;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offsetAt(middle) === offsetAt(before)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

test("forgets an offset after 4,000 others, because callers can name any of 10,000 years", (t) => {
  const asked = t.mock.method(Intl.DateTimeFormat.prototype, "formatToParts").mock;
  const localTime = localTimeIn("Europe/Berlin");
  const asksFor = (from: number, days: number) => {
    const before = asked.callCount();
    for (let day = from; day < from + days; day += 1) localTime(new Date(day * DAY));
    return asked.callCount() - before > 0;
  };
  assert.deepEqual([asksFor(0, 1), asksFor(0, 1), asksFor(1, 4_000), asksFor(0, 1)], [true, false, true, true]);
});
