import { dayAndTimeText, moneyText } from "./formats.js";
import { english, knownText, textOf } from "./language.js";

/** What the journey comprises, as terms and contents; only what this offer has. */
export function journeyDetails(offer) {
  const rows = {
    arrival: offer.arrival_datetime && dayAndTimeText(new Date(offer.arrival_datetime)),
    return_arrival: offer.return_arrival_datetime && dayAndTimeText(new Date(offer.return_arrival_datetime)),
    party: partyText(offer),
    luggage: luggageText(offer),
    special_items: (offer.special_items ?? []).map(itemText).join(", "),
    waiting: offer.waiting_minutes && `${offer.waiting_minutes} min`,
    hire: offer.duration_hours && `${offer.duration_hours} h`,
    drive: driveText(offer.distance_km, offer.duration_min),
    return_drive: driveText(offer.return_distance_km, offer.return_duration_min),
    cancellation: deadlineText(offer.free_cancellation_until),
    return_cancellation: deadlineText(offer.return_free_cancellation_until),
    conditions: offer.cancellation_policy && english(offer.cancellation_policy),
  };
  return Object.entries(rows).flatMap(([key, content]) => (content ? [[textOf(key), content]] : []));
}

/** The labels that the service writes; all others are the operator's. */
const LINES = {
  line_transfer: /^Transfer (\d+) km$/,
  line_minimum: /^Transfer (\d+) km, minimum fare$/,
  line_hire: /^Hire ([\d.]+) h$/,
  line_extra: /^Extra ([\d.]+) km$/,
  line_waiting: /^Waiting (\d+) min$/,
  line_night: /^Night surcharge$/,
  line_holiday: /^Holiday surcharge$/,
  line_same_day: /^Same-day return discount$/,
  line_train: /^Car train$/,
  line_tolls: /^Tolls$/,
  line_rounding: /^Rounding$/,
};

/** The lines that add up to the price, where the operator publishes them. */
export function priceDetails({ price_lines = [], currency }) {
  return price_lines.map(({ label, amount }) => [lineLabel(label), moneyText(amount, currency)]);
}

function lineLabel(label) {
  const [, direction, line] = /^(?:(Outbound|Return): )?(.*)$/.exec(label);
  const [key] = Object.entries(LINES).find(([, pattern]) => pattern.test(line)) ?? [];
  const known = key && textOf(key, { count: Number(LINES[key].exec(line)[1]) });
  if (!direction) return known ?? english(line);
  const words = textOf(`line_${direction.toLowerCase()}`, { line: known ?? "" });
  if (known) return words;
  const whole = document.createElement("span");
  whole.append(words, english(line));
  return whole;
}

/** How to reach the operator: texts, and links with their address. */
export function operatorDetails({ operator }) {
  if (!operator) return [];
  const { name, phone, email, website, terms_url, vat_number } = operator;
  return [
    { text: name },
    { text: phone, href: `tel:${phone.replaceAll(" ", "")}` },
    { text: email, href: `mailto:${email}` },
    { text: website, href: website },
    { text: terms_url && textOf("terms"), href: terms_url },
    { text: vat_number && textOf("vat", { number: vat_number }) },
  ].filter(({ text }) => text);
}

/** The minutes that the car stays at a stop, where they were stated. */
export function stopText({ stop_duration_min: minutes }) {
  return minutes ? ` (${minutes} min)` : "";
}

function partyText({ adults, children, infants }) {
  if (!children && !infants) return "";
  return Object.entries({ adults, children, infants })
    .filter(([, count]) => count)
    .map(([people, count]) => textOf(people, { count }))
    .join(", ");
}

function luggageText({ luggage: count, large_luggage: large }) {
  if (!count) return "";
  return typeof large === "number" ? textOf("pieces_large", { count, large }) : textOf("pieces", { count });
}

/** A kind that the page has no word for was named by the operator. */
function itemText({ kind, count }) {
  return `${count} × ${knownText(`item_${kind}`, { count }) ?? kind.replaceAll("_", " ")}`;
}

function driveText(km, minutes) {
  return km === undefined ? "" : textOf("drive_text", { km, minutes });
}

/** `null` has passed; where it is absent there is nothing to say. */
function deadlineText(until) {
  if (until === undefined) return "";
  return until === null ? textOf("no_longer_free") : textOf("free_until", { time: dayAndTimeText(new Date(until)) });
}
