import { connectionsOf, directionsOf, endNames, townsWithoutAddress, whenText } from "./legs-view.ts";
import { noticeText } from "./notice-text.ts";
import type { Direction, Offer, PriceLine, ShownNotice } from "./offer.ts";
import { detailsOf, type Item, travelersText, viaText } from "./party-view.ts";
import { promisesOf } from "./promises.ts";
import { DOT, NO_BREAK, plain, type Said, type Words } from "./words.ts";

/** Everything that a surface may show of an offer: page, card, print, mail, calendar and terminal only draw it. */
export type OfferView = ReturnType<typeof offerView>;

/** A pure function of the offer, as it stands on the wire, and the words of a language. */
export function offerView(offer: Offer, words: Words) {
  const { notices = [], legs, return_datetime: back, currency, total_price: total } = offer;
  const [ends, hire] = [endNames(offer, words), hireText(notices, words)];
  const names = [offer.origin, offer.destination, ...(offer.waypoints ?? []).map(({ name }) => name)];
  // Some hosts do not pass the legs on; then nothing else says what they show.
  const promises = promisesOf(offer, words);
  const promised = new Set(promises.map(({ text }) => plain(text)));
  const said = (some: readonly ShownNotice[]) =>
    some.map((each) => noticeText(each, words, names)).filter((text) => !promised.has(plain(text)));
  const left = notices.filter((each) => !(legs && each.in_legs));
  const travelers = travelersText(offer, words);
  const towns = townsWithoutAddress(offer, words);
  const operator = offer.operator?.name;
  const banner = left.filter(({ code }) => code === "REHEARSAL");
  const reasons = reasonsIn(left.filter((each) => !banner.includes(each)));
  const others = left.filter((each) => !banner.includes(each) && !reasons.includes(each));
  return {
    /** One head for every surface. */
    head: {
      /** Both ends, or the one of a hire that ends where it starts. */
      ends,
      isBothWays: Boolean(back),
      hire,
      /** All three in one line. */
      title: [hire, ends.join(back ? " ⇄ " : " → ")].filter(Boolean).join(DOT),
      when: whenText(offer, words),
      /** Who travels with what, and by way of which stops. */
      party: [...travelers, ...viaText(offer, words)],
      /** The same without the stops. */
      travelers,
      connections: connectionsOf(offer, words),
    },
    directions: directionsOf(offer, words),
    towns,
    /** In which towns the addresses are still to be agreed, and with whom; empty if all are known. */
    addresses: towns.length > 0 && operator ? words.text("exact_address", { towns: towns.join(", "), operator }) : "",
    promises,
    vehicle: vehicleView(offer, words),
    price: {
      total: total === undefined ? "" : words.money(total, currency),
      note: words.text(back ? "price_both_ways" : "price_note"),
      ...priceView(offer, words),
      included: said(others.filter(({ included }) => included)),
    },
    /** What a traveler has to have read before paying, never folded. */
    decisive: said(others.filter(({ decisive }) => decisive)),
    notes: said(others.filter(({ decisive, included }) => !decisive && !included)),
    /** That it is no real offer. */
    banner: said(banner),
    /** Why the operator has to confirm the journey, and whom to call. */
    reasons: said(reasons),
    details: detailsOf(offer, words),
    conditions: offer.cancellation_policy ? [words.operator(offer.cancellation_policy)] : [],
  };
}

function reasonsIn(notices: readonly ShownNotice[]): readonly ShownNotice[] {
  const manual = notices.find(({ code }) => code === "MANUAL_CONFIRMATION");
  return manual ? [...new Set([...notices.slice(0, 1), manual])] : [];
}

/** "Car with driver, 8 h, 200 km"; empty for a transfer. */
function hireText(notices: readonly ShownNotice[], words: Words): string {
  const { hours, km } = notices.find(({ code }) => code === "HIRE")?.values ?? {};
  return typeof hours === "number" && typeof km === "number"
    ? words.text("hire_of", { hours, km: Math.round(km) })
    : "";
}

/** A vehicle type such as "Sedan, Mercedes E-Class". */
function vehicleView({ vehicle_type: type, passenger_capacity: count }: Offer, words: Words) {
  const name: Said = type === undefined ? [] : [words.operator(type)];
  return { name, seats: count === undefined ? "" : words.text("seats", { count }) };
}

/**
 * What the price holds for a while longer: minutes, and seconds in the last five, in which it is also announced, and once
 * more in the last one.
 */
export function timeLeft(secondsLeft: number, words: Words) {
  const minutes = Math.floor(secondsLeft / 60);
  const isSoon = secondsLeft <= LAST_MINUTES * 60;
  const time = [minutes > 0 && words.duration(minutes), isSoon && `${secondsLeft % 60}${NO_BREAK}s`];
  const within = words.durationInWords(secondsLeft <= 60 ? 1 : LAST_MINUTES);
  return {
    held: words.text("held_for", { time: time.filter(Boolean).join(" ") }),
    announced: isSoon ? words.text("expires_within", { time: within }) : undefined,
  };
}

const LAST_MINUTES = 5;

/**
 * The lines of each direction with their total, then the others, none if the operator publishes none; and the price of each
 * direction, where each line belongs to one.
 */
function priceView({ price_lines: lines = [], currency, total_price: total = 0 }: Offer, words: Words) {
  const money = (rappen: number) => words.money(rappen / 100, currency);
  const row = (term: string | Said, rappen: number, isTotal = false) => {
    const item: Item = [typeof term === "string" ? [term] : term, [money(rappen)]];
    return { item, isTotal };
  };
  const linesIn = (direction: Direction | undefined) => lines.filter((line) => line.direction === direction);
  const sumOf = (direction: Direction) => linesIn(direction).reduce((sum, { amount }) => sum + rappenOf(amount), 0);
  const rows = ([...DIRECTIONS, undefined] as const).flatMap((direction) => {
    const own = linesIn(direction).map((line) => row(labelOf(line, words), rappenOf(line.amount)));
    return direction && own.length > 1
      ? [...own, row(words.text(`line_${direction}`, { line: words.text("total_price") }), sumOf(direction), true)]
      : own;
  });
  const isDivided = linesIn("return").length > 0 && linesIn(undefined).length === 0;
  const ofDirection = DIRECTIONS.map((direction) => [
    direction,
    words.text(`line_${direction}`, { line: money(sumOf(direction)) }),
  ]);
  const prices: Readonly<Partial<Record<Direction, string>>> = isDivided ? Object.fromEntries(ofDirection) : {};
  return {
    lines: lines.length > 0 ? [...rows, row(words.text("total_price"), rappenOf(total), true)] : [],
    ofDirection: prices,
  };
}

const DIRECTIONS = ["outbound", "return"] as const;

function rappenOf(francs: number): number {
  return Math.round(francs * 100);
}

/** A line without a code has the operator's own label. */
function labelOf({ label, code, count = 0, direction, name = label }: PriceLine, words: Words): Said {
  const known = words.known(`line_${code}`, { count, time: words.duration(count) }) ?? words.operator(name);
  return direction ? [words.text(`line_${direction}`, { line: "" }), known] : [known];
}
