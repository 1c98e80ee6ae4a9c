import { dayAndTimeText, moneyText } from "./formats.js";

/** What the journey comprises, as terms and texts; only what this offer has. */
export function journeyDetails(offer) {
  return [
    ["Arrival", offer.arrival_datetime && dayAndTimeText(new Date(offer.arrival_datetime))],
    ["Arrival of the return", offer.return_arrival_datetime && dayAndTimeText(new Date(offer.return_arrival_datetime))],
    ["Party", partyText(offer)],
    ["Luggage", luggageText(offer)],
    ["Special items", (offer.special_items ?? []).map(({ kind, count }) => `${count} × ${wordsOf(kind)}`).join(", ")],
    ["Waiting at the pickup", offer.waiting_minutes && `${offer.waiting_minutes} min`],
    ["Hire", offer.duration_hours && `${offer.duration_hours} h`],
    ["Drive", driveText(offer.distance_km, offer.duration_min)],
    ["Drive of the return", driveText(offer.return_distance_km, offer.return_duration_min)],
    ["Cancellation", deadlineText(offer.free_cancellation_until)],
    ["Cancellation of the return", deadlineText(offer.return_free_cancellation_until)],
    ["Conditions", offer.cancellation_policy],
  ].filter(([, text]) => text);
}

/** The lines that add up to the price, where the operator publishes them. */
export function priceDetails({ price_lines = [], currency }) {
  return price_lines.map(({ label, amount }) => [label, moneyText(amount, currency)]);
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
    { text: terms_url && "Terms and conditions", href: terms_url },
    { text: vat_number && `VAT ${vat_number}` },
  ].filter(({ text }) => text);
}

/** The minutes that the car stays at a stop, where they were stated. */
export function stopText({ stop_duration_min: minutes }) {
  return minutes ? ` (${minutes} min)` : "";
}

function partyText({ adults, children, infants }) {
  if (!children && !infants) return "";
  return [
    [adults, "adults"],
    [children, "children"],
    [infants, "infants"],
  ]
    .filter(([count]) => count)
    .map(([count, people]) => `${count} ${people}`)
    .join(", ");
}

function luggageText({ luggage, large_luggage: large }) {
  if (!luggage) return "";
  const pieces = luggage === 1 ? "1 piece" : `${luggage} pieces`;
  return typeof large === "number" ? `${pieces}, ${large} of them large` : pieces;
}

function wordsOf(kind) {
  return kind.replaceAll("_", " ");
}

function driveText(km, minutes) {
  return km === undefined ? "" : `${km} km, ${minutes} min without stops`;
}

/** `null` has passed; where it is absent there is nothing to say. */
function deadlineText(until) {
  if (until === undefined) return "";
  return until === null ? "No longer free of charge" : `Free of charge until ${dayAndTimeText(new Date(until))}`;
}
