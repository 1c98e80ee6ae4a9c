/** The actions for an offer: continue to payment, or contact the operator; and add the journey to a calendar. */
import { journeyDetails, labeledText } from "./details.js";
import { element } from "./elements.js";
import { dateText, dayAndTimeText, moneyText, referenceText } from "./formats.js";
import { icalendar } from "./icalendar.js";
import { language, nameText, textOf } from "./language.js";
import { headingText, rowsOf, timelineLines } from "./timeline.js";

/** Object URL of the latest calendar file. */
let calendarUrl = "";

/** Links, the most important first. `now` returns milliseconds since 1970. */
export function offerActions(offer, now) {
  const ways = waysToBook(offer);
  // On a phone the first button stays at the bottom of the screen, with the price.
  if (ways[0]) ways[0].dataset.price = moneyText(offer.total_price, offer.currency);
  return [...ways, calendarLink(offer, now)];
}

/** The operator's page in the language that the traveler reads. An address that says one keeps it. */
function inLanguage(address) {
  const url = new URL(address, location.href);
  if (!url.searchParams.has("lang")) url.searchParams.set("lang", language);
  return url.href;
}

function waysToBook(offer) {
  const { continue_url, operator } = offer;
  if (continue_url) return [link("continue", inLanguage(continue_url), textOf("continue"), "button")];
  if (!operator) return [];
  const { phone, email } = operator;
  if (isExample(offer)) return [exampleNote()];
  const { origin, destination, pickup_datetime, quote_id: id } = offer;
  const subject = textOf("mail_subject", { origin, destination, date: dateText(pickup_datetime), id });
  const body = encodeURIComponent(mailText(offer));
  return [
    link("call", `tel:${phone.replaceAll(" ", "")}`, textOf("call", { phone }), "button"),
    link(
      "write",
      `mailto:${email}?subject=${encodeURIComponent(subject)}&body=${body}`,
      textOf("write"),
      "button quiet",
    ),
  ];
}

/** The packaged operator, whom nobody can reach: addresses under "example" belong to nobody (RFC 2606). */
export function isExample({ continue_url, operator }) {
  return !continue_url && operator.email.endsWith(".example");
}

function exampleNote() {
  return Object.assign(element("p", "button example", textOf("example")), { id: "example" });
}

/** What the traveler writes to the operator: true when it is read, and with room for what the operator has to ask. */
function mailText(offer) {
  const { quote_id: id, total_price, currency, expires_at, flight_number } = offer;
  const details = journeyDetails({ ...offer, cancellation_policy: "" });
  const price = moneyText(total_price, currency);
  const lines = [
    ...[textOf("mail_body"), textOf("short_reference", { id: referenceText(id) }), ""],
    ...directionsOf(offer).flatMap((direction) => [
      ...[headingText(offer, direction), ...timelineLines(offer, direction), ""],
    ]),
    labeledText(textOf("vehicle"), nameText(offer.vehicle_type)),
    ...details.map(([term, content]) => labeledText(term, content)),
    textOf("mail_offer", { price, time: dayAndTimeText(expires_at) }),
    ...["", textOf("mail_name"), textOf("mail_phone"), textOf("mail_address")],
    ...(flight_number ? [] : [textOf("mail_flight")]),
  ];
  return lines.join("\n");
}

/** The file is made for the click, so that the offer is painted first. */
function calendarLink(offer, now) {
  const button = link("calendar", "#", textOf("calendar"), "button quiet");
  button.download = `transfer-${offer.pickup_datetime.slice(0, 10)}.ics`;
  button.addEventListener("click", () => {
    URL.revokeObjectURL(calendarUrl);
    const file = icalendar(eventsOf(offer, new Date(now())));
    calendarUrl = URL.createObjectURL(new Blob([file], { type: "text/calendar" }));
    button.href = calendarUrl;
  });
  return button;
}

/** An offer always has the same `uid`s, so that a calendar replaces events that it already contains. */
function eventsOf(offer, stamp) {
  const { quote_id, fleet_id, operator } = offer;
  const own = offer.return_datetime ? legPrices(offer) : undefined;
  return directionsOf(offer).map((direction) => {
    const isReturn = direction === "return";
    const [origin, destination] = isReturn ? [offer.destination, offer.origin] : [offer.origin, offer.destination];
    const legs = offer.legs.filter((leg) => leg.direction === direction);
    const pickup = legs.findIndex(({ action }) => action === "pickup");
    const end = legs.find(({ action }) => ["drop_off", "hire_end"].includes(action));
    return {
      uid: `${quote_id}-${fleet_id}-${direction}@${location.hostname}`,
      stamp,
      start: new Date(legs[pickup].at),
      end: end?.at && new Date(end.at),
      summary: textOf(offer.duration_hours ? "calendar_hire" : "calendar_transfer", { origin, destination }),
      // The words of the agent where they say more than the place.
      location: rowsOf(offer, direction)[pickup].entered || legs[pickup].place,
      contact: operator && [operator.name, operator.phone, operator.email].join(", "),
      // The link of the offer shows nothing after half an hour.
      url: operator?.website,
      description: descriptionOf(offer, isReturn, isReturn ? (own?.return ?? "") : own?.outbound),
    };
  });
}

function directionsOf({ return_datetime }) {
  return ["outbound", ...(return_datetime ? ["return"] : [])];
}

/** The price of each direction; `undefined` if a line of the price belongs to neither. */
function legPrices({ price_lines: lines = [], currency }) {
  if (lines.length === 0 || lines.some(({ direction }) => !direction)) return undefined;
  return Object.fromEntries(
    ["outbound", "return"].map((direction) => {
      const own = lines.filter((line) => line.direction === direction);
      const rappen = own.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
      return [direction, textOf(`line_${direction}`, { line: moneyText(rappen / 100, currency) })];
    }),
  );
}

function descriptionOf(offer, isReturn, price = totalPriceOf(offer)) {
  const { operator } = offer;
  const lines = [
    textOf("calendar_note", { time: dayAndTimeText(offer.expires_at) }),
    labeledText(textOf("vehicle"), nameText(offer.vehicle_type)),
    price,
    ...operatorLines(offer.notices, isReturn),
    ...timelineLines(offer, isReturn ? "return" : "outbound"),
    operator && `${operator.name}, ${operator.phone}, ${operator.email}`,
  ];
  return lines.filter(Boolean).join("\n");
}

/** The operator's own texts for one direction: the meeting point, and the text for the corridor. */
function operatorLines(notices = [], isReturn) {
  const textsOf = (code) => notices.filter((each) => each.code === code).map(({ values }) => nameText(values.text));
  const meetingPoints = textsOf(isReturn ? "RETURN_MEETING_POINT" : "MEETING_POINT");
  return [...meetingPoints.map((text) => labeledText(textOf("meeting_point"), text)), ...textsOf("CORRIDOR_TEXT")];
}

function totalPriceOf({ total_price, currency, return_datetime }) {
  const note = textOf(return_datetime ? "price_both_ways" : "price_note");
  return labeledText(textOf("total_price"), `${moneyText(total_price, currency)}, ${note}`);
}

function link(id, href, text, className) {
  return Object.assign(element("a", className, text), { id, href });
}
