/** Calendar files (iCalendar, RFC 5545). Instants are in UTC, which a calendar shows in its own time zone. */

import type { offerEvents } from "./mail.ts";

type OfferEvent = ReturnType<typeof offerEvents>[number];
type CalendarEvent = Pick<OfferEvent, "uid" | "stamp" | "start"> & Partial<OfferEvent>;

/** A calendar file with these events, which are tentative and leave the time free. */
export function icalendar(events: readonly CalendarEvent[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//transfer-quote-mcp//Transfer offer//EN",
    "METHOD:PUBLISH",
    ...events.flatMap(eventLines),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventLines({ uid, stamp, start, end, url, ...texts }: CalendarEvent): readonly string[] {
  return [
    "BEGIN:VEVENT",
    `UID:${escaped(uid)}`,
    `DTSTAMP:${utc(stamp)}`,
    `DTSTART:${utc(start)}`,
    ...(end && end > start ? [`DTEND:${utc(end)}`] : []),
    "STATUS:TENTATIVE",
    "TRANSP:TRANSPARENT",
    ...Object.entries(texts).flatMap(([name, text]) => (text ? [`${name.toUpperCase()}:${escaped(text)}`] : [])),
    ...(url ? [`URL:${url}`] : []),
    "END:VEVENT",
  ];
}

/** Section 3.3.5, form 2: 20261208T130500Z. */
function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** Section 3.3.11: the only control character in a text is the tab. */
function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\r\n?|\n/g, "\\n")
    .replace(/(?!\t)\p{Cc}/gu, "");
}

/**
 * Section 3.1: a line has at most 75 octets; the rest follows after a line break and a space. A character has at most 4
 * octets in UTF-8, one of ASCII has 1.
 */
function folded(line: string): string {
  const parts = /^[ -~]*$/.test(line) ? line.match(/.{1,74}/g) : line.match(/.{1,18}/gsu);
  return (parts ?? []).join("\r\n ");
}
