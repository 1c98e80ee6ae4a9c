import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import {
  CalendarError,
  type CalendarQuestion,
  readCalendar,
} from "../../../src/adapters/availability/read-calendar.ts";

const QUESTION: CalendarQuestion = {
  classes: [
    { id: "sedan", vehicles: 1 },
    { id: "van", vehicles: 1 },
    { id: "first_class", vehicles: 1 },
    { id: "coach" },
  ],
  timeZone: "Europe/Zurich",
  within: { from: Date.parse("2026-11-28T00:00:00Z"), to: Date.parse("2027-11-28T00:00:00Z") },
};

function exported(name: string): string {
  return readFileSync(new URL(`calendars/${name}.ics`, import.meta.url), "utf8");
}

/** A calendar of events in a few lines each. */
function calendar(...events: readonly string[]): string {
  const parts = events.map(
    (event, n) => `BEGIN:VEVENT\r\nUID:${n}\r\n${event.trim().replace(/\n\s*/g, "\r\n")}\r\nEND:VEVENT\r\n`,
  );
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n${parts.join("")}END:VCALENDAR\r\n`;
}

/** When no vehicle of a class is free, e.g. "2026-12-08T13:00 16:00" or with the day of the end where it is another. */
function takenIn(text: string, id: string, question: Partial<CalendarQuestion> = {}): readonly string[] {
  const spans = readCalendar(text, { ...QUESTION, ...question }).taken.get(id) ?? [];
  return spans.map(({ from, to }) => {
    const [begin = "", end = ""] = [from, to].map((at) => new Date(at).toISOString().slice(0, 16));
    return `${begin} ${begin.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`;
  });
}

suite("a calendar as it is exported", () => {
  test("by Google: exceptions, which take one vehicle, canceled events, all-day events of every class, an excluded date after a stale one", () => {
    const text = exported("google");
    const off = "2026-12-23T23:00 2026-12-26T23:00";
    assert.deepEqual(takenIn(text, "sedan"), ["2026-12-08T13:00 16:00", off]);
    assert.deepEqual(takenIn(text, "van"), [
      "2026-11-30T07:00 11:00",
      "2026-12-15T13:00 14:00",
      off,
      "2026-12-28T07:00 11:00",
    ]);
    assert.deepEqual(takenIn(text, "van", { classes: [{ id: "van", vehicles: 2 }] }), [off]);
    assert.deepEqual(takenIn(text, "coach"), [off]);
    const { events, named, unreadable } = readCalendar(text, QUESTION);
    assert.deepEqual([events, unreadable], [7, 0]);
    assert.deepEqual(Object.fromEntries(named), { sedan: 2, all: 1, van: 3 });
  });

  test("by Outlook: a zone of its own over a clock change, a category, a duration", () => {
    assert.deepEqual(takenIn(exported("outlook"), "first_class"), [
      "2026-11-30T21:30 2026-12-01T06:30",
      "2027-03-26T05:00 06:30",
      "2027-03-28T04:00 05:30",
      "2027-03-29T04:00 05:30",
      "2027-03-30T04:00 05:30",
      "2027-03-31T04:00 05:30",
    ]);
  });

  test("by a dispatch system: zones without rules, a series that changes from a date on, floating times, a broken event", () => {
    const text = exported("dispatch");
    assert.deepEqual(takenIn(text, "van", { classes: [{ id: "van", vehicles: 1 }] }), [
      "2026-12-01T09:00 11:00",
      "2026-12-02T08:30 11:00",
      "2026-12-03T09:00 11:00",
      "2026-12-04T12:00 13:00",
      "2026-12-05T12:00 13:00",
      "2026-12-06T12:00 13:00",
    ]);
    assert.deepEqual(takenIn(text, "van", { classes: [{ id: "van", vehicles: 2 }] }), ["2026-12-02T09:00 09:30"]);
    assert.deepEqual(takenIn(text, "sedan"), ["2026-12-20T09:00 10:00", "2026-12-23T09:00 10:00"]);
    assert.equal(readCalendar(text, QUESTION).unreadable, 1);
  });
});

suite("vehicles of a class", () => {
  const at = (hours: string, summary = "sedan") =>
    `SUMMARY:${summary}\nDTSTART:20261201T${hours.slice(0, 2)}0000Z\nDTEND:20261201T${hours.slice(3)}0000Z`;

  test("are all taken while as many events are on as there are", () => {
    const text = calendar(at("08-12"), at("10-14"), at("11-12"), at("12-13"));
    const taken = (vehicles: number) => takenIn(text, "sedan", { classes: [{ id: "sedan", vehicles }] });
    assert.deepEqual(taken(1), ["2026-12-01T08:00 14:00"]);
    assert.deepEqual(taken(2), ["2026-12-01T10:00 12:00", "2026-12-01T12:00 13:00"]);
    assert.deepEqual(taken(3), ["2026-12-01T11:00 12:00"]);
    assert.deepEqual(taken(4), []);
  });

  test("are all taken by an event for all, also of a class whose number is unknown, which no other event takes", () => {
    const text = calendar(at("08-12", "ALL closed"), at("14-15", "coach"));
    for (const vehicles of [undefined, 9])
      assert.deepEqual(takenIn(text, "coach", { classes: [{ id: "coach", vehicles }] }), ["2026-12-01T08:00 12:00"]);
  });

  test("are named by the first word of the summary, or else of a category", () => {
    const named = (event: string) => [...readCalendar(calendar(event), QUESTION).named.keys()];
    for (const [event, words] of [
      ["SUMMARY:First_Class 2 – Davos", ["first_class"]],
      ["SUMMARY:  van", ["van"]],
      ["SUMMARY:van-2", ["van"]],
      ["SUMMARY:van_2", []],
      ["SUMMARY:First class Miller", ["first_class"]],
      ["SUMMARY:FirstClass", ["first_class"]],
      ["SUMMARY:vané", []],
      ["SUMMARY:sedan\nCATEGORIES:van", ["sedan"]],
      ["SUMMARY:Mr Smith\nCATEGORIES:Blue,van", ["van"]],
      ["SUMMARY:Allee 3", []],
    ] as const)
      assert.deepEqual(named(event), words, event);
  });
});

test("an event is of the class with the longest id, and of the one that is spelled as it is", () => {
  const classes = ["van", "van_prestige", "van_a", "vana"].map((id) => ({ id, vehicles: 1 }));
  const named = (summary: string) => [
    ...readCalendar(calendar(`SUMMARY:${summary}`), { ...QUESTION, classes }).named.keys(),
  ];
  assert.deepEqual(["Van Prestige 2", "van-prestige", "van Miller"].flatMap(named), [
    "van_prestige",
    "van_prestige",
    "van",
  ]);
  assert.deepEqual(["van_a", "VANA"].flatMap(named), ["van_a", "vana"]);
});

test("events of no class, and those that end before they begin, are named by when they begin", () => {
  const at = (day: number, summary: string, end = day) =>
    `SUMMARY:${summary}\nDTSTART:202612${day}T100000Z\nDTEND:202612${end}T110000Z`;
  const unnamed = [13, 12, 10, 11].map((day) => at(day, "SECRET"));
  const past = "SUMMARY:SECRET\nDTSTART:20260101T100000Z\nDTEND:20260101T110000Z";
  const text = calendar(...unnamed, past, at(20, "sedan", 19), at(21, "sedan"), at(22, "van", 10));
  const { nextUnnamed, nextReversed, unreadable } = readCalendar(text, QUESTION);
  assert.deepEqual(nextUnnamed, ["2026-12-10 11:00", "2026-12-11 11:00", "2026-12-12 11:00"]);
  assert.deepEqual([nextReversed, unreadable], [["2026-12-20 11:00", "2026-12-22 11:00"], 0]);
});

test("events that almost begin with the id of a class are named with it, others are not", () => {
  const classes = ["van", "sedan", "business", "business_van"].map((id) => ({ id, vehicles: 1 }));
  const meant = (event: string) => {
    const text = calendar(`${event}\nDTSTART:20261210T100000Z\nDTEND:20261210T110000Z`);
    return [...readCalendar(text, { ...QUESTION, classes }).nextMisspelled];
  };
  for (const [event, id] of [
    ["SUMMARY:vans Roadshow", "van"],
    ["SUMMARY:bussiness Miller", "business"],
    ["SUMMARY:business_vans", "business_van"],
    ["SUMMARY:Businessvans: Frei", "business_van"],
    ["SUMMARY:Mr Frei\nCATEGORIES:Blue,sedans", "sedan"],
  ])
    assert.deepEqual(meant(event ?? ""), [[id, ["2026-12-10 11:00"]]], event);
  for (const event of ["van Miller", "Vanessa birthday", "Jan", "Dentist", "Alls well", "Bus"])
    assert.deepEqual(meant(`SUMMARY:${event}`), [], event);
  assert.deepEqual(meant("SUMMARY:vans\nSTATUS:CANCELLED"), []);
});

suite("a calendar that is none", () => {
  const why = (text: string, ...limits: readonly Parameters<typeof readCalendar>[2][]) => {
    try {
      readCalendar(text, QUESTION, ...limits);
    } catch (error) {
      assert.ok(error instanceof CalendarError, String(error));
      return error.message;
    }
    return "";
  };

  test("is refused without a word of it", () => {
    assert.equal(why("<!doctype html>SECRET"), "it is no iCalendar file");
    assert.equal(why(""), "it is no iCalendar file");
    assert.equal(why("BEGIN:VCALENDAR\r\nSECRET\r\nEND:VCALENDAR\r\n"), "it is broken iCalendar");
    assert.equal(why("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:cut off"), "it is broken iCalendar");
  });

  test("or has too many events or occurrences is refused", () => {
    const limits = { events: 2, occurrences: 20, times: 3 };
    const series = (n: number) =>
      `SUMMARY:all\nDTSTART:20261201T000000Z\nDURATION:PT1S\nRRULE:FREQ=MINUTELY;COUNT=${n}`;
    assert.equal(why(calendar("", "", ""), limits), "it has more than 2 events");
    assert.equal(why(calendar(series(10), series(11)), limits), "its events occur more than 20 times");
    assert.equal(why(calendar(series(10)), limits), "its events take vehicles at more than 3 times");
    assert.equal(why(calendar(series(10), series(10)), { ...limits, times: 40 }), "");
  });

  test("may be empty, or several in one file", () => {
    assert.deepEqual(takenIn(calendar(), "sedan"), []);
    const one = calendar("SUMMARY:sedan\nDTSTART;VALUE=DATE:20261201");
    assert.deepEqual(takenIn(`\uFEFF${one}${one}`, "sedan", { classes: [{ id: "sedan", vehicles: 2 }] }), [
      "2026-11-30T23:00 2026-12-01T23:00",
    ]);
  });
});
