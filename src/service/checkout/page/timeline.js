/** Where to be, when, and by what the journey goes on: one list for the page, the card, the calendar and mails. */
import { labeledText, nearText } from "./details.js";
import { element } from "./elements.js";
import { clockText, dateText, durationText, shortDayText, shortMomentText } from "./formats.js";
import { knownText, locale, nameText, numberText, textOf } from "./language.js";
import { entered } from "./notices.js";

const DIRECTIONS = ["outbound", "return"];

/** The rows of one direction. Only a row where the car is has a time. */
export function rowsOf(offer, direction) {
  const legs = (offer.legs ?? []).filter((leg) => leg.direction === direction);
  const words = wordsOf(offer, direction, legs);
  const day = legs.find(({ at }) => at)?.at;
  return legs.map((leg, index) => {
    const { name, near } = words[index];
    return {
      action: leg.action,
      means: leg.means,
      time: timesText(leg, day),
      // The name of a stop that was sent with coordinates is only a label, also in the leg.
      place: near ? "" : capitalized(nameText(leg.place)),
      entered: near || !isSameName(name, leg.place) ? name : "",
      near: nearText({ near }).trim(),
      what: whatText(leg, legs[index + 1]),
      hint: asksForAddress(leg, legs.slice(0, index))
        ? textOf("exact_address", { operator: offer.operator?.name ?? "" })
        : "",
      way: wayText(leg, legs),
    };
  });
}

/** The rows as elements, with a heading for each direction. */
export function timeline(offer) {
  return DIRECTIONS.flatMap((direction) => {
    const rows = rowsOf(offer, direction);
    if (rows.length === 0) return [];
    return [element("h3", "", headingText(offer, direction)), element("ol", "timeline", ...rows.map(rowItem))];
  });
}

/** The rows as lines of text. */
export function timelineLines(offer, direction) {
  return rowsOf(offer, direction).flatMap(({ time, place, entered, near, what, way }) => [
    [time, [place, entered && place ? `(${entered})` : entered, near].filter(Boolean).join(" "), what]
      .filter(Boolean)
      .join(", "),
    ...(way ? [`– ${way}`] : []),
  ]);
}

export function headingText(offer, direction) {
  const isReturn = direction === "return";
  const when = textOf("swiss_day", { date: dateText(isReturn ? offer.return_datetime : offer.pickup_datetime) });
  return isReturn ? labeledText(textOf("return"), when) : capitalized(when);
}

/** Both ends of the journey in the reader's language. */
export function routeText(offer) {
  return endNames(offer).join(" → ");
}

/** A hire may have one end; without legs there is none. */
export function endNames(offer) {
  const rows = rowsOf(offer, "outbound");
  const names = [rows[0], rows[rows.length - 1]].map((row) => row?.place || row?.entered).filter(Boolean);
  return [...new Set(names)];
}

/** How one gets to and from the car where it cannot drive, such as "Täsch – Zermatt: Train, 12 min, not part of this price". */
export function connectionTexts(offer) {
  const legs = (offer.legs ?? []).filter(({ direction }) => direction === "outbound");
  return legs.flatMap((leg, index) => {
    if (leg.means === null || leg.means === "car") return [];
    const ends = `${nameText(leg.place)} – ${nameText(legs[index + 1]?.place ?? "")}`;
    return [labeledText(ends, wayText(leg, legs))];
  });
}

/** "Sat 19 Dec 15:40 – 17:47 · back Sat 2 Jan 09:30", with the place of a time where it is not the journey's own end. */
export function timesLine({ legs = [], pickup_datetime: pickup, return_datetime: back }) {
  const outbound = legs.filter(({ direction }) => direction === "outbound");
  const [start, end] = [outbound.find(({ action }) => action === "pickup"), endOf(legs)];
  const parts = [shortMomentText(pickup)];
  if (start && start !== outbound[0]) parts.push(` ${nameText(start.place)}`);
  if (end?.at) parts.push(` – ${timesText({ ...end, action: "" }, pickup)}`);
  if (end?.at && end !== outbound.at(-1)) parts.push(` ${nameText(end.place)}`);
  if (back) parts.push(` · ${textOf("back_at", { time: shortMomentText(back) })}`);
  const [first, ...others] = legs.filter(({ direction }) => direction === "return");
  const car = first?.action === "leave" && others.find(({ action }) => action === "pickup");
  if (car) parts.push(` ${nameText(car.place)}`);
  return parts.join("");
}

function endOf(legs) {
  return legs.find(({ direction, action }) => direction === "outbound" && ["drop_off", "hire_end"].includes(action));
}

/** The hours that are charged; `undefined` for a transfer. */
function hireHoursOf(legs) {
  const [start, end] = ["pickup", "hire_end"].map((action) => legs.find((leg) => leg.action === action));
  return end && (Date.parse(end.at) - Date.parse(start.at)) / 3_600_000;
}

/** The caller's words for each row: the ends, and the stops in their order, which the return leaves out. */
function wordsOf({ origin, destination, waypoints = [] }, direction, legs) {
  const [start, end] = direction === "return" ? [destination, origin] : [origin, destination];
  let stop = 0;
  return legs.map(({ action, place }, index) => {
    if (action === "stop" || action === "pass") return waypoints[stop++] ?? { name: place };
    if (index === 0) return { name: start };
    // A hire may end where it begins.
    if (index === legs.length - 1 && !(hireHoursOf(legs) && destination === origin)) return { name: end };
    return { name: place };
  });
}

/** Whether two names differ by no more than spelling; the translated name is the same as the English one. */
function isSameName(words, place) {
  const folded = (text) =>
    text
      .normalize("NFD")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, "");
  return [place, nameText(place)].some((name) => folded(name) === folded(words));
}

/** Names such as "aéroport de Genève" start a row, and days such as "mardi" a heading. */
function capitalized(name) {
  return name.slice(0, 1).toLocaleUpperCase(locale) + name.slice(1);
}

/** Where the car stops in a town, once for the same town: a hire ends where it began. */
function asksForAddress({ exact, action, place }, before) {
  return exact === false && action !== "pass" && !before.some((leg) => leg.place === place && leg.action !== "pass");
}

function timesText({ action, at, departs_at: departsAt }, day) {
  if (!at) return "";
  const times = [at, ...(action === "stop" && departsAt ? [departsAt] : [])];
  return times
    .map((each) => (dateText(each) === dateText(day) ? clockText(each) : `${shortDayText(each)}, ${clockText(each)}`))
    .join(" – ");
}

function whatText({ action, at, departs_at: departsAt }, next) {
  const minutes = at && departsAt ? (Date.parse(departsAt) - Date.parse(at)) / 60_000 : 0;
  const values = { time: durationText(minutes), place: nameText(next?.place ?? "") };
  return knownText(minutes > 0 ? `leg_${action}_for` : `leg_${action}`, values) ?? "";
}

/** By what it goes on: the car is always part of the price; of a connection it is said. */
function wayText({ means, minutes, every_minutes: every, included }, legs) {
  if (means === null) return "";
  const hours = hireHoursOf(legs);
  if (means === "car" && hours) return textOf("way_hire", { hours: numberText(hours) });
  const parts = [
    knownText(`means_${means}`) ?? textOf("means_other"),
    minutes === null ? "" : durationText(minutes),
    every ? textOf("every", { time: durationText(every) }) : "",
    means === "car" ? "" : textOf(included ? "way_included" : "way_excluded"),
  ];
  return parts.filter(Boolean).join(", ");
}

function rowItem({ action, means, time, place, entered: words, near, what, hint, way }) {
  const marked = words ? [entered(words)] : [];
  const parts = [
    element("span", "clock", time),
    element("strong", "place", ...(place ? [place] : marked), near && ` ${near}`),
    element("span", "what", what),
    ...(place && words ? [element("span", "words", ...marked)] : []),
    element("span", "hint", hint),
    element("span", "way", way),
  ];
  const shown = parts.filter(({ childNodes }) => childNodes.length > 0).flatMap((each) => [each, " "]);
  const item = element("li", means === "car" || means === null ? "leg" : "leg connection", ...shown);
  item.dataset.action = action;
  return item;
}
