import { element } from "./elements.js";
import { dayAndTimeText, durationText, moneyText } from "./formats.js";
import { knownText, nameText, numberText, operatorText, textOf } from "./language.js";

/** Of a Swiss VAT number, which each language writes in its own way. */
const VAT_SUFFIX = /\s*(MWST|TVA|IVA|VAT)$/i;

/** Pairs of term and content that describe the journey; those without content are left out. */
export function journeyDetails(offer) {
  const rows = {
    passengers: partyText(offer),
    luggage: luggageText(offer),
    special_items: itemsContent(offer),
    flight: offer.flight_number,
    waiting: offer.waiting_minutes && durationText(offer.waiting_minutes),
    drive: !offer.duration_hours && driveText(offer.distance_km, offer.duration_min),
    return_drive: driveText(offer.return_distance_km, offer.return_duration_min),
    conditions: offer.cancellation_policy && operatorText(offer.cancellation_policy),
  };
  return labeled(rows);
}

/** The number of travelers, pieces of luggage and special items, such as "4 travelers, 4 pieces, 2 child seats". */
export function partyAndLoadText({ passengers, luggage, special_items = [] }) {
  const items = special_items.map(itemText);
  const parts = [textOf("travelers", { count: passengers }), luggage && textOf("pieces", { count: luggage }), ...items];
  return parts.filter(Boolean).join(", ");
}

export function cancellationDetails(offer) {
  return labeled({
    cancellation: deadlineText(offer.free_cancellation_until),
    return_cancellation: deadlineText(offer.return_free_cancellation_until),
  });
}

/** A term and its content as one text. */
export function labeledText(term, content) {
  return textOf("labeled", { term, text: content.textContent ?? content });
}

function labeled(rows) {
  return Object.entries(rows).flatMap(([key, content]) => (content ? [[textOf(key), content]] : []));
}

/** The price lines, if the operator publishes them: those of each direction with their total, then the others. */
export function priceDetails({ price_lines = [], currency, total_price }) {
  if (price_lines.length === 0) return [];
  const rows = ["outbound", "return", undefined].flatMap((direction) => {
    const own = price_lines.filter((line) => line.direction === direction);
    const lines = own.map((line) => [lineLabel(line), moneyText(line.amount, currency)]);
    if (!direction || own.length < 2) return lines;
    const total = own.reduce((sum, { amount }) => sum + amount, 0);
    return [
      ...lines,
      [textOf(`total_${direction}`), moneyText(total, currency)].map((text) => element("strong", "", text)),
    ];
  });
  return [...rows, [textOf("total_price"), moneyText(total_price, currency)]];
}

/** A line without a code has the operator's own label. */
function lineLabel({ label, code, count = 0, direction, name = label }) {
  const known = knownText(`line_${code}`, { count, time: durationText(count) });
  if (!direction) return known ?? operatorText(name);
  const words = textOf(`line_${direction}`, { line: known ?? "" });
  if (known) return words;
  return element("span", "", words, operatorText(name));
}

/** The operator's contact details: texts, most of them with the address of a link. */
export function operatorDetails({ operator }) {
  if (!operator) return [];
  const { name, phone, email, website, vat_number, postal_address, register_number, license } = operator;
  return [
    { text: name },
    { text: postal_address },
    { text: phone, href: `tel:${phone.replaceAll(" ", "")}` },
    { text: email, href: `mailto:${email}` },
    { text: website, href: website },
    { text: register_number && textOf("register", { number: register_number }) },
    { text: vat_number && textOf("vat", { number: vat_number.replace(VAT_SUFFIX, "") }) },
    { text: license && operatorText(license) },
  ].filter(({ text }) => text);
}

/** When the operator answers its phone, where travelers book by phone, and how they can pay. */
export function bookingDetails({ operator, continue_url }) {
  const { phone_hours, payment_methods } = operator ?? {};
  return labeled({
    phone_hours: !continue_url && phone_hours && operatorText(phone_hours),
    payment_methods: payment_methods && operatorText(payment_methods),
  });
}

/** What follows the name of a stop: the place that the server found there, and how long the car stays if stated. */
export function stopText({ near, stop_duration_min: minutes }) {
  return `${nearText({ near })}${minutes ? ` (${durationText(minutes)})` : ""}`;
}

/** Where a stop is whose name is only a label; empty for others. */
export function nearText({ near }) {
  return near ? ` ${textOf("near", { place: nameText(near) })}` : "";
}

/** The number of travelers, by age if not all are adults; omitted adults are stored as the number of all. */
function partyText({ passengers, adults, children, infants }) {
  const total = numberText(passengers);
  if (!children && !infants) return total;
  const isStated = adults + children + infants === passengers;
  const byAge = Object.entries({ ...(isStated && { adults }), children, infants })
    .filter(([, count]) => count)
    .map(([people, count]) => textOf(people, { count }));
  return `${total} (${byAge.join(", ")})`;
}

function luggageText({ luggage: count, large_luggage: large }) {
  if (!count) return "";
  return typeof large === "number" ? textOf("pieces_large", { count, large }) : textOf("pieces", { count });
}

/** The special items. A kind for which the page has no word is named as in the operator's notice about it. */
function itemsContent({ special_items = [], notices = [] }) {
  const named = notices.filter(({ code }) => code === "SPECIAL_ITEM").map(({ values }) => values.items);
  const contents = special_items.flatMap((item, index) => {
    const content = itemText(item) ?? operatorText(named[index] ?? `${item.count} ${item.kind}`);
    return index > 0 ? [", ", content] : [content];
  });
  return contents.length > 0 ? element("span", "", ...contents) : "";
}

/** `undefined` for a kind for which the page has no word. */
function itemText({ kind, count }) {
  const known = knownText(`item_${kind}`, { count });
  return known && `${numberText(count)} ${known}`;
}

function driveText(km, minutes) {
  return km === undefined ? "" : textOf("drive_text", { km: Math.round(km), time: durationText(minutes) });
}

/** `null` = the deadline has passed, `undefined` = there is none. */
function deadlineText(until) {
  if (until === undefined) return "";
  return until === null ? textOf("no_longer_free") : textOf("free_until", { time: dayAndTimeText(until) });
}
