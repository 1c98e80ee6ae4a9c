/** Calendar files (iCalendar, RFC 5545). Instants are in UTC, which a calendar shows in its own time zone. */

const LONGEST_LINE_OCTETS = 75;
const encoder = new TextEncoder();

/**
 * A calendar file with these events. Each has a `uid`, the dates `stamp`, `start` and optionally `end`, the texts
 * `summary`, `location`, `description` and `contact`, and a `url`. Events are tentative, and leave the time free.
 */
export function icalendar(events) {
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

function eventLines({ uid, stamp, start, end, url, ...texts }) {
  return [
    "BEGIN:VEVENT",
    `UID:${escaped(uid)}`,
    `DTSTAMP:${utc(stamp)}`,
    `DTSTART:${utc(start)}`,
    ...(end > start ? [`DTEND:${utc(end)}`] : []),
    "STATUS:TENTATIVE",
    "TRANSP:TRANSPARENT",
    ...["summary", "location", "description", "contact"].flatMap((name) =>
      texts[name] ? [`${name.toUpperCase()}:${escaped(texts[name])}`] : [],
    ),
    ...(url ? [`URL:${url}`] : []),
    "END:VEVENT",
  ];
}

/** Section 3.3.5, form 2: 20261208T130500Z. */
function utc(instant) {
  return `${instant.toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

/** Section 3.3.11: the only control character in a text is the tab. */
function escaped(text) {
  return text
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\r\n?|\n/g, "\\n")
    .replace(/(?!\t)\p{Cc}/gu, "");
}

/** Section 3.1: a line has at most 75 octets; the rest follows after a line break and a space. */
function folded(line) {
  if (octetsIn(line) <= LONGEST_LINE_OCTETS) return line;
  let octets = 0;
  return Array.from(line, (character) => {
    const size = octetsIn(character);
    octets += size;
    if (octets <= LONGEST_LINE_OCTETS) return character;
    octets = 1 + size;
    return `\r\n ${character}`;
  }).join("");
}

/** In UTF-8. */
function octetsIn(text) {
  return encoder.encode(text).length;
}
