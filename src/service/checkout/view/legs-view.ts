import type { Direction, Offer, ShownLeg } from "./offer.ts";
import { capitalized, DOT, plain, type Said, type Words } from "./words.ts";

/** One place where one has to be, as a row. */
export type Row = ReturnType<typeof rowsOf>[number];
export type DirectionView = ReturnType<typeof directionsOf>[number];

/** The directions of a journey; none without legs. */
export function directionsOf(offer: Offer, words: Words) {
  return (["outbound", "return"] as const).flatMap((direction) => {
    const legs = legsIn(offer, direction);
    const pickup = legs.find(({ action }) => action === "pickup");
    if (!pickup?.at) return [];
    const rows = rowsOf(offer, direction, words);
    const row = rows[legs.indexOf(pickup)];
    const [, endsAt = null] = spanOf(endOf(legs), legs);
    return {
      direction,
      heading: headingOf(pickup.at, direction, words),
      rows,
      /** Where and when the car is at the pickup, and until when at the latest at the end. */
      pickup: { at: pickup.at, place: words.name(pickup.place), entered: row?.entered ?? "" },
      endsAt,
    };
  });
}

/** "Saturday, 5 December 2026, Swiss time". */
function headingOf(at: string, direction: Direction, words: Words): string {
  const when = words.text("swiss_day", { date: words.date(at) });
  return direction === "return" ? labeled(words, words.text("return"), when) : capitalized(when, words);
}

function rowsOf(offer: Offer, direction: Direction, words: Words) {
  const legs = legsIn(offer, direction);
  const named = namesOf(offer, direction, legs);
  const day = legs.find(({ at }) => at)?.at ?? "";
  return legs.map((leg, index) => {
    const { name, near } = named[index] ?? { name: leg.place };
    return {
      action: leg.action,
      isConnection: isConnection(leg),
      time: timesText(leg, legs, day, words),
      /** Empty where the assistant's words are but a label of a position. */
      place: near ? "" : capitalized(words.name(leg.place), words),
      /** The assistant's words, where they say more than the place. */
      entered: near || !isSameName(name, leg.place, words) ? name : "",
      near: near ? nearText(near, words) : "",
      what: whatText(leg, legs, day, words),
      way: wayText(leg, words),
    };
  });
}

/** The rows as lines of text, for mails and calendars. */
export function linesOf({ rows }: DirectionView): readonly string[] {
  return rows.flatMap(({ time, place, entered, near, what, way }) => {
    const name = [place, entered && place ? `(${entered})` : entered, near].filter(Boolean).join(" ");
    return [[time, name, what].filter(Boolean).join(", "), ...(way ? [`– ${way}`] : [])];
  });
}

/** Both ends in the reader's language; a hire may have one. Without legs they are those that the assistant wrote. */
export function endNames(offer: Offer, words: Words): readonly string[] {
  const rows = rowsOf(offer, "outbound", words);
  const ends = [rows[0], rows.at(-1)].map((row) => row?.place || row?.entered || "");
  return [...new Set(rows.length > 0 ? ends : [offer.origin, offer.destination])];
}

/** How one gets to and from the car: "Täsch – Zermatt: Train, 12 min, every 20 min, not part of this price". */
export function connectionsOf(offer: Offer, words: Words): readonly string[] {
  const legs = legsIn(offer, "outbound");
  return legs.flatMap((leg, index) => {
    const next = legs[index + 1];
    if (!isConnection(leg) || !next || leg.action === "visit") return [];
    // A hire that ends where it began has the same connection twice: it is said once.
    const isSaid = legs
      .slice(0, index)
      .some((each, at) => each.place === next.place && legs[at + 1]?.place === leg.place);
    if (isSaid) return [];
    return [labeled(words, `${words.name(leg.place)} – ${words.name(next.place)}`, wayText(leg, words))];
  });
}

/**
 * "Sat 19 Dec 15:40 – 17:47 · back Sat 2 Jan 09:30", after a flight "Sat 19 Dec, landing 15:40 · arrival 17:47 – 18:47",
 * with the place of a time where it is not the journey's own end.
 */
export function whenText(offer: Offer, words: Words): string {
  const legs = legsIn(offer, "outbound");
  const [start, end] = [legs.find(({ action }) => action === "pickup"), endOf(legs)];
  const at = start?.at ?? offer.pickup_datetime;
  if (!at) return "";
  const elsewhere = (leg: ShownLeg | undefined, own: ShownLeg | undefined) =>
    leg && leg !== own ? ` ${words.name(leg.place)}` : "";
  const arrival = end?.at ? `${timesText(end, legs, at, words)}${elsewhere(end, legs.at(-1))}` : "";
  const outbound = start?.landing
    ? [
        words.text("landing_at", { day: words.shortDay(at), time: words.clock(at) }),
        arrival && words.text("arrival_at", { time: arrival }),
      ]
    : [`${words.shortMoment(at)}${elsewhere(start, legs[0])}${arrival && ` – ${arrival}`}`];
  const back = legsIn(offer, "return");
  const car = back.find(({ action }) => action === "pickup");
  const home = offer.return_datetime
    ? `${words.text("back_at", { time: words.shortMoment(offer.return_datetime) })}${elsewhere(car, back[0])}`
    : "";
  return [...outbound, home].filter(Boolean).join(DOT);
}

/** The towns whose addresses are still to be agreed, each once. */
export function townsWithoutAddress(offer: Offer, words: Words): readonly string[] {
  const open = (offer.legs ?? []).filter(
    ({ exact, action }) => exact === false && action !== "pass" && action !== "resume",
  );
  return [...new Set(open.map(({ place }) => words.name(place)))];
}

export function legsIn({ legs = [] }: Offer, direction: Direction): readonly ShownLeg[] {
  return legs.filter((leg) => leg.direction === direction);
}

export function labeled(words: Words, term: string, text: string | Said): string {
  return words.text("labeled", { term, text: typeof text === "string" ? text : plain(text) });
}

export function nearText(place: string, words: Words): string {
  return words.text("near", { place: words.name(place) });
}

/** The stops of the outbound journey, one for each waypoint. */
export function stopsIn(offer: Offer): readonly ShownLeg[] {
  return legsIn(offer, "outbound").filter(isStop);
}

function isStop({ action }: ShownLeg): boolean {
  return action === "stop" || action === "pass";
}

/** Whether two names differ by no more than spelling, order, and the word "hotel". */
export function isSameName(a: string, b: string, words: Words): boolean {
  return [b, words.name(b)].some((name) => folded(name) === folded(a));
}

function folded(name: string): string {
  const plain = name.normalize("NFD").toLowerCase().replace(/\p{M}/gu, "");
  const parts = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word && word !== "hotel");
  return parts.sort().join("");
}

/** Whether it goes on by something else than the car. */
function isConnection({ means }: ShownLeg): boolean {
  return means !== null && means !== "car";
}

function endOf(legs: readonly ShownLeg[]): ShownLeg | undefined {
  return legs.find(({ action }) => action === "drop_off" || action === "hire_end");
}

/** The assistant's words for each leg: the ends, and the stops in their order, which the return leaves out. */
function namesOf(
  { origin, destination, waypoints = [] }: Offer,
  direction: Direction,
  legs: readonly ShownLeg[],
): readonly { readonly name: string; readonly near?: string | undefined }[] {
  const [start, end] = direction === "return" ? [destination, origin] : [origin, destination];
  const isHire = legs.some(({ action }) => action === "hire_end");
  const stops = legs.filter(isStop);
  return legs.map((leg, index) => {
    // What is said of a stop in a car-free place is about that place.
    const stop = leg.action === "visit" ? legs[index - 1] : legs[index + 1]?.action === "visit" ? undefined : leg;
    if (stop && isStop(stop)) return waypoints[stops.indexOf(stop)] ?? { name: leg.place };
    if (index === 0 && start) return { name: start };
    // A hire may end where it begins.
    if (index === legs.length - 1 && end && !(isHire && destination === origin)) return { name: end };
    return { name: leg.place };
  });
}

/** When the car is there at the earliest and the latest: after a landing the driver may wait before he leaves. */
function spanOf(leg: ShownLeg | undefined, legs: readonly ShownLeg[]): readonly string[] {
  if (!leg?.at) return [];
  const pickup = legs.find(({ action }) => action === "pickup");
  const { landing, free_until: freeUntil, departs_at: leavesAt, at } = pickup ?? {};
  if (!landing || !freeUntil || leg === pickup || leg.action === "hire_end") return [leg.at, leg.at];
  const minutes = minutesBetween(leavesAt ?? at ?? freeUntil, freeUntil);
  return minutes > 0 ? [leg.at, later(leg.at, minutes)] : [leg.at, leg.at];
}

/** "2026-12-05T14:05:00+01:00" some minutes later, in the same offset. */
function later(at: string, minutes: number): string {
  const offset = at.slice(19);
  const local = new Date(Date.parse(`${at.slice(0, 19)}Z`) + minutes * 60_000);
  return `${local.toISOString().slice(0, 19)}${offset}`;
}

function minutesBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 60_000;
}

/** "14:05", a stay "14:05 – 14:35", or after a landing the span "18:12 – 19:12"; empty where the car is not. */
function timesText(leg: ShownLeg, legs: readonly ShownLeg[], day: string, words: Words): string {
  const [first = "", last = ""] = spanOf(leg, legs);
  const until = last === first && leg.action === "stop" ? (leg.departs_at ?? last) : last;
  if (!first) return "";
  const start = timeOn(day, first, words);
  return until === first ? start : `${start} – ${timeOn(first, until, words)}`;
}

/** The time alone on the day with which the direction begins. */
function timeOn(day: string, at: string, words: Words): string {
  return words.date(at) === words.date(day) ? words.clock(at) : `${words.shortDay(at)}, ${words.clock(at)}`;
}

function whatText(leg: ShownLeg, legs: readonly ShownLeg[], day: string, words: Words): string {
  const { action, at, departs_at: departsAt, landing, free_until: freeUntil } = leg;
  const minutes = at && departsAt ? minutesBetween(at, departsAt) : 0;
  const what = landing ? "landing" : action;
  const values = { time: words.duration(minutes), place: words.name(legs[legs.indexOf(leg) + 1]?.place ?? "") };
  const [first, last] = spanOf(leg, legs);
  // The times of a stop after a landing are not those of the stay.
  const stay = action === "stop" && first !== last ? "landed" : "for";
  const text = words.known(minutes > 0 ? `leg_${what}_${stay}` : `leg_${what}`, values) ?? "";
  if (!landing || !freeUntil || !departsAt || minutesBetween(departsAt, freeUntil) <= 0) return text;
  return `${text}, ${words.text("waits_free", { time: timeOn(day, freeUntil, words) })}`;
}

/** The car is always part of the price; of a connection it is said. */
function wayText({ means, minutes, every_minutes: every, included }: ShownLeg, words: Words): string {
  if (means === null) return "";
  const parts = [
    words.known(`means_${means}`) ?? words.text("means_other"),
    minutes === null ? "" : words.duration(minutes),
    every ? words.text("every", { time: words.duration(every) }) : "",
    means === "car" ? "" : words.text(included ? "way_included" : "way_excluded"),
  ];
  return parts.filter(Boolean).join(", ");
}
