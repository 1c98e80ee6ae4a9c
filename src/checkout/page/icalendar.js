/** Calendar files (iCalendar, RFC 5545). Instants are in UTC, which needs no time zone rules; a calendar shows its own. */

const LONGEST_LINE_OCTETS = 75;
const encoder = new TextEncoder();

/**
 * A calendar with these events: `uid`, `stamp`, `start` and perhaps `end` (dates), and the texts `summary`, `location`,
 * `description` and `contact`, and the address `url`. They are tentative, and have an alarm on the day before.
 */
export function icalendar(events) {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//transfer-quote-mcp//Transfer offer//EN",
    ...events.flatMap(eventLines),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function eventLines({ uid, stamp, start, end, url, ...texts }) {
  return [
    "BEGIN:VEVENT",
    `UID:${escaped(uid)}`,
    `DTSTAMP:${utc(stamp)}`,
    `DTSTART:${utc(start)}`,
    ...(end > start ? [`DTEND:${utc(end)}`] : []),
    "STATUS:TENTATIVE",
    ...["summary", "location", "description", "contact"].flatMap((name) =>
      texts[name] ? [`${name.toUpperCase()}:${escaped(texts[name])}`] : [],
    ),
    ...(url ? [`URL:${url}`] : []),
    ...["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P1D", `DESCRIPTION:${escaped(texts.summary)}`, "END:VALARM"],
    "END:VEVENT",
  ];
}

/** Section 3.3.5, form 2: 20261208T130500Z. */
function utc(instant) {
  return `${instant.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** Section 3.3.11: a text holds no control character but a tab. */
function escaped(text) {
  return text
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\r\n?|\n/g, "\\n")
    .replace(/(?!\t)\p{Cc}/gu, "");
}

/** Section 3.1: a line is at most 75 octets, and the rest follows after a space. No character is divided. */
function folded(line) {
  let octets = 0;
  return Array.from(line, (character) => {
    const size = encoder.encode(character).length;
    octets += size;
    if (octets <= LONGEST_LINE_OCTETS) return character;
    octets = 1 + size;
    return `\r\n ${character}`;
  }).join("");
}
