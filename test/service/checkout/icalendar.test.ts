import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import ICAL from "ical.js";
import { icalendar } from "../../../src/service/checkout/view/icalendar.ts";

const EVENT = {
  uid: "q_1-1-outbound@quotes.example",
  stamp: new Date("2026-12-01T09:00:00Z"),
  start: new Date("2026-12-08T13:05:00.000Z"),
  end: new Date("2026-12-08T17:00:00Z"),
  summary: "Transfer",
  location: "Zurich Airport",
  description: "An offer.",
};

function parsed(text: string): readonly ICAL.Event[] {
  const component = new ICAL.Component(ICAL.parse(text));
  return component.getAllSubcomponents("vevent").map((each) => new ICAL.Event(each));
}

suite("a calendar file", () => {
  test("has what RFC 5545 requires, with instants in UTC", () => {
    const text = icalendar([EVENT, { ...EVENT, uid: "q_1-1-return@quotes.example" }]);
    const calendar = new ICAL.Component(ICAL.parse(text));
    assert.equal(calendar.getFirstPropertyValue("version"), "2.0");
    assert.ok(calendar.getFirstPropertyValue("prodid"));
    const [event, back] = parsed(text);
    assert.equal(event?.startDate.toString(), "2026-12-08T13:05:00Z");
    assert.equal(event?.endDate.toString(), "2026-12-08T17:00:00Z");
    assert.deepEqual([event?.uid, back?.uid], [EVENT.uid, "q_1-1-return@quotes.example"]);
    assert.match(text, /\r\nDTSTAMP:20261201T090000Z\r\n/);
    assert.match(text, /\r\nSTATUS:TENTATIVE\r\n/);
    assert.ok(text.startsWith("BEGIN:VCALENDAR\r\n") && text.endsWith("\r\nEND:VCALENDAR\r\n"));
  });

  test("leaves out an end that is not known, and empty texts", () => {
    const { end: _, ...open } = EVENT;
    for (const event of [open, { ...EVENT, end: EVENT.start }])
      assert.doesNotMatch(icalendar([event]), /DTEND|CONTACT/);
  });

  test("keeps every text and folds lines at 75 octets without dividing a character", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("\n", "\r\n", "\\", ";", ",", "\\n", " ", "\t", ":", '"', "Zürich – Genève", "😀".repeat(30)),
    );
    const anyText = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => `x${pieces.join("")}`);
    fc.assert(
      fc.property(anyText, anyText, (summary, description) => {
        const text = icalendar([{ ...EVENT, summary, description }]);
        const lines = text.split("\r\n");
        assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75 && !/[\r\n]|\p{Cs}/u.test(line)));
        const [event] = parsed(text);
        assert.equal(event?.summary, summary.replace(/\r\n?/g, "\n"));
        assert.equal(event?.description, description.replace(/\r\n?/g, "\n"));
      }),
      { numRuns: 300 },
    );
  });

  test("drops control characters, so that no text can add a line of its own", () => {
    const text = icalendar([{ ...EVENT, location: "a\u0000\u0007\u007fb\u0085c\rATTACH:https://evil.example\u2028d" }]);
    assert.deepEqual(
      parsed(text).map(({ location }) => location),
      ["abc\nATTACH:https://evil.example\u2028d"],
    );
    assert.doesNotMatch(text, /^ATTACH/m);
  });
});
