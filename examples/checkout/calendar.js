/** A calendar file (RFC 5545) of what is booked: an event for each direction. */
export function calendarOf({ reference, quote_id }, offer, { word, name }) {
  const { name: seller, phone, email } = offer.operator;
  const events = ["outbound", "return"].flatMap((direction) => {
    const legs = offer.legs.filter((leg) => leg.direction === direction);
    const pickup = legs.find(({ action }) => action === "pickup");
    if (!pickup) return [];
    const end = legs.find(({ action }) => ["drop_off", "hire_end"].includes(action));
    const [origin, destination] = [legs[0], legs[legs.length - 1]].map(({ place }) => name(place));
    return [
      "BEGIN:VEVENT",
      `UID:${quote_id}-${direction}`,
      `DTSTAMP:${utc(Date.now())}`,
      `DTSTART:${utc(pickup.at)}`,
      ...(end?.at ? [`DTEND:${utc(end.at)}`] : []),
      `SUMMARY:${escaped(word("transfer", { origin, destination }))}`,
      `LOCATION:${escaped(name(pickup.place))}`,
      `DESCRIPTION:${escaped([word("short_reference", { id: reference }), seller, phone, email].join("\n"))}`,
      "END:VEVENT",
    ];
  });
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//transfer-checkout-example//EN",
    ...events,
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

function utc(instant) {
  return `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
}

function escaped(text) {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

/** A line has at most 75 bytes: 24 characters of up to three bytes. */
function folded(line) {
  return line.match(/.{1,24}/gsu).join("\r\n ");
}
