import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { DateTime } from "luxon";
import { instantOfLocal, instantsOfLocal, localDateTime, localTimeIn } from "../../src/ops/local-time.ts";

const ZONES = ["Europe/Zurich", "UTC", "America/St_Johns", "Asia/Kathmandu", "Pacific/Auckland"];
/** Changes of half an hour, and four changes a year. */
const ODD_ZONES = ["Australia/Lord_Howe", "Africa/Casablanca"];
const ANY_TIME = Date.parse("2027-07-05T13:00:00.250Z");
const HALF_HOUR = 30 * 60_000;
const DAY = 48 * HALF_HOUR;
const [FIRST_DAY, LAST_DAY] = [Date.parse("2024-01-01T00:00:00Z"), Date.parse("2035-01-01T00:00:00Z")];

suite("local time", () => {
  for (const zone of [...ZONES, ...ODD_ZONES]) {
    test(`of ${zone} is Luxon's at every half hour of a day on which clocks change, from 2024 to 2034`, () => {
      const localTime = localTimeIn(zone);
      const luxon = (at: number) => DateTime.fromMillis(at, { zone });
      const agreesAt = (at: number) =>
        assert.equal(localTime(new Date(at)), luxon(at).toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ"));
      agreesAt(ANY_TIME);
      let changes = 0;
      for (let day = FIRST_DAY; day < LAST_DAY; day += DAY) {
        if (luxon(day).offset === luxon(day + DAY).offset) continue;
        changes += 1;
        for (let at = day; at <= day + DAY; at += HALF_HOUR) for (const each of [at - 1, at]) agreesAt(each);
      }
      // How many there are depends on the time zone data of Node.
      assert.equal(changes > 0, !["UTC", "Asia/Kathmandu"].includes(zone), `${changes}`);
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

  test("is no instant where a change of the clock skips it, and two where one repeats it", () => {
    const instants = (local: string, zone = "Europe/Zurich") =>
      instantsOfLocal(local, zone).map((at) => at.toISOString().slice(0, 16));
    assert.deepEqual(instants("2027-03-28T02:30:00"), []);
    assert.deepEqual(instants("2027-10-31T02:30:00"), ["2027-10-31T00:30", "2027-10-31T01:30"]);
    assert.deepEqual(instants("2027-10-31T03:00:00"), ["2027-10-31T02:00"]);
    assert.deepEqual(instants("2027-10-30T12:00:00"), ["2027-10-30T10:00"]);
    assert.deepEqual(instants("2027-11-07T01:30:00", "America/New_York"), ["2027-11-07T05:30", "2027-11-07T06:30"]);
  });

  test("rejects a time zone that does not exist", () => {
    assert.throws(() => localTimeIn("Europe/Nowhere"), RangeError);
  });
});

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
