import { legsIn } from "./legs-view.ts";
import { noticeText } from "./notice-text.ts";
import type { Direction, Offer, ShownLeg } from "./offer.ts";
import { type Said, unbroken, type Words } from "./words.ts";

/** What speaks for an offer, with its icon. */
export interface Assurance {
  readonly icon: "cancel" | "wait" | "meet" | "flight" | "wheelchair";
  readonly text: Said;
  /** False for what the traveler has to know, but is no advantage. */
  readonly isPromise: boolean;
  /** Of which direction it is; absent where it is of the whole journey. */
  readonly direction?: Direction;
}

/** Free cancellation, free waiting, where one meets the driver, what happens to a flight, and how a wheelchair travels. */
export function promisesOf(offer: Offer, words: Words): readonly Assurance[] {
  const { legs = [], notices = [], special_items: items = [] } = offer;
  // In the order of the items.
  const itemNotes = notices.filter(({ code }) => code === "SPECIAL_ITEM");
  return [
    ...cancellation(offer, words),
    ...legs.flatMap((leg) => (leg.action === "pickup" ? meeting(leg, offer, words) : [])),
    ...itemNotes.flatMap((each, index) =>
      items[index]?.kind === "wheelchair"
        ? [{ icon: "wheelchair" as const, text: noticeText(each, words, []), isPromise: false }]
        : [],
    ),
  ];
}

/** What a cancellation costs, now and later: the full price, unless the operator's own tiers say otherwise. */
function cancellation(offer: Offer, words: Words): readonly Assurance[] {
  const { free_cancellation_until: outbound, return_free_cancellation_until: back, notices = [] } = offer;
  const tiers = notices.filter(({ code }) => code === "REFUND");
  const said = (until: string | null) => {
    if (until === null) return words.text(tiers.length > 0 ? "no_longer_free" : "full_price_due");
    const free = words.text("cancel_until", { time: words.shortMoment(until) });
    return tiers.length > 0 ? free : words.text("then_full_price", { free });
  };
  const isOne = back === undefined || back === outbound;
  const deadlines = [["outbound", outbound] as const, ...(isOne ? [] : [["return", back] as const])];
  return [
    ...deadlines.flatMap(([direction, until]) => {
      if (until === undefined) return [];
      const text = isOne ? said(until) : words.text(`line_${direction}`, { line: said(until) });
      return { icon: "cancel" as const, text: [text], isPromise: until !== null };
    }),
    ...tiers.map((each) => ({
      icon: "cancel" as const,
      text: noticeText(each, words, []),
      isPromise: each.values?.until !== undefined,
    })),
  ];
}

function meeting(leg: ShownLeg, offer: Offer, words: Words): readonly Assurance[] {
  const { direction, landing, at, departs_at: departsAt, free_until: until } = leg;
  const minutes = at && until ? (Date.parse(until) - Date.parse(at)) / 60_000 : 0;
  const isLonger = !departsAt || !until || Date.parse(until) > Date.parse(departsAt);
  const own = (text: Said): Said =>
    legsIn(offer, "return").length > 0 ? [words.text(`line_${direction}`, { line: "" }), ...text] : text;
  const waits = words.text(landing ? "free_after_landing" : "free_at_pickup", { time: words.durationInWords(minutes) });
  const point = offer.notices?.find(
    ({ code, values }) => code === "MEETING_POINT" && (values?.leg ?? "outbound") === direction,
  )?.values;
  const { operator = "", phone = "" } = point ?? {};
  const where = point?.text
    ? words.operator(String(point.text))
    : words.text("told_later", { operator: String(operator), phone: unbroken(String(phone)) });
  const { flight_number: flight } = offer;
  const isFlightKnown = flight && direction === "outbound";
  const follows = isFlightKnown ? words.text("flight_followed", { flight }) : words.text("flight_asked");
  const all: readonly (readonly [Assurance["icon"], Said | undefined, isPromise?: boolean])[] = [
    ["wait", minutes > 0 && isLonger ? [waits] : undefined],
    ["meet", point && [words.text("labeled", { term: words.text("meeting_point"), text: "" }), where]],
    // Without its number nobody follows a flight.
    ["flight", landing ? [follows] : undefined, Boolean(isFlightKnown)],
  ];
  return all.flatMap(([icon, text, isPromise = true]) =>
    text ? [{ icon, text: own(text), isPromise, direction }] : [],
  );
}
