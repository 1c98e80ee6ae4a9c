import type { z } from "zod/v3";
import { type Charge, type ChargeCode, hireHoursOf, linesOf, waitingOf } from "../../src/contract/charges.ts";
import type { CheckoutHandoff, Leg, PageNotice } from "../../src/contract/checkout.ts";
import { attributesOf, type NoticeCode } from "../../src/contract/notice-codes.ts";
import { type Notice, textsOf, valueText } from "../../src/contract/notices.ts";
import type { Quote } from "../../src/contract/quote.ts";
import { arrivalsOf } from "../../src/domain/quotes/journey-legs.ts";
import { optionNotices } from "../../src/domain/quotes/price-notices.ts";
import type {
  AcceptedCall,
  LocalTime,
  PricedJourney,
  PricedOption,
  Services,
  StoredQuote,
} from "../../src/service/calls/operation.ts";
import { stopAgain } from "./journey.ts";
import { wireOperator } from "./operator.ts";
import { wireParty } from "./party.ts";
import { francs, wired } from "./wired.ts";

/** Every mapping from a quote to the wire; the other direction is `journey.ts`. */

type WireContext = Pick<Services, "clock" | "localTime">;

/** A stored quote as callers see it. */
export function wireQuote(quote: StoredQuote, status: "open" | "expired", context: WireContext): z.input<typeof Quote> {
  const { id: quote_id, requestId: request_id, expiresAt } = quote;
  return wireJourney(quote, context, { status, quote_id, request_id, expires_at: context.localTime(expiresAt) });
}

/** A priced journey that was not stored. */
export function wireEstimate(journey: PricedJourney, request_id: string, context: WireContext): z.input<typeof Quote> {
  // Only what is bought has a deadline of cancellation.
  const priced = { ...journey, freeCancellationUntil: null, returnFreeCancellationUntil: null };
  return wireJourney(priced, context, { status: "estimate", quote_id: null, request_id, expires_at: null });
}

/** What the quote card reads besides the quote. */
export function wireCard({ notices, legs }: PricedJourney, localTime: LocalTime) {
  return { notices: notices.map(cardNotice), legs: wireLegs({ legs }, localTime) };
}

/** The handoff of one option of a live quote. */
export function wireHandoff(
  quote: StoredQuote,
  option: PricedOption,
  services: WireContext & Pick<Services, "checkout">,
  { requestId }: Pick<AcceptedCall, "requestId">,
) {
  return {
    checkout_url: services.checkout.urlFor(quote, option.fleetId),
    quote_id: quote.id,
    fleet_id: option.fleetId,
    total_price: francs(option.totalRappen),
    currency: quote.currency,
    vat_included: true,
    expires_at: services.localTime(quote.expiresAt),
    request_id: requestId,
    non_binding: true,
    reservation_status: "not_reserved",
    status: "open",
    ...wired(quote, "origin", "destination", "passengers", "luggage"),
    special_items: wireParty(quote).special_items,
    ...wired(option, "vehicleClass", "vehicleType"),
    ...wirePickups(quote, services.localTime),
    flight_number: quote.flightNumber ?? undefined,
    ...wireTimes(quote, services),
    ...wireDirections(quote),
    limitations: wireLimitations(optionNotices(quote.notices, option)),
    operator: wireOperator(quote.terms.operator),
  } satisfies CheckoutHandoff;
}

export function wirePickups({ pickupAt, returnAt }: PricedJourney, localTime: LocalTime) {
  return { pickup_datetime: localTime(pickupAt), return_datetime: returnAt === null ? null : localTime(returnAt) };
}

/** A deadline that has passed is `null`; an instant that the journey does not have is omitted. */
function wireTimes(journey: PricedJourney, { clock, localTime }: WireContext) {
  const { freeCancellationUntil, returnFreeCancellationUntil } = journey;
  const { arrivalAt, returnArrivalAt } = arrivalsOf(journey);
  const local = (at: string | null) => (at === null ? undefined : localTime(at));
  const deadline = (at: string | null) => (Date.parse(at ?? "") < clock.now().getTime() ? null : local(at));
  return {
    arrival_datetime: local(arrivalAt),
    return_arrival_datetime: local(returnArrivalAt),
    free_cancellation_until: deadline(freeCancellationUntil),
    return_free_cancellation_until: deadline(returnFreeCancellationUntil),
  };
}

/** Where the traveler meets the driver, and the roads of each direction, where they are known. */
function wireDirections(journey: PricedJourney) {
  return {
    meeting_point: meetingPointOf(journey, "outbound"),
    return_meeting_point: meetingPointOf(journey, "return"),
    via: viaOf(journey, "outbound"),
    return_via: viaOf(journey, "return"),
  };
}

/** Absent where the pickup is an address or another exact spot. */
function meetingPointOf(journey: PricedJourney, direction: "outbound" | "return"): string | undefined {
  const { legs } = journey;
  const own = noticeOn(journey, direction, "MEETING_POINT");
  if (own) return String(own.values.text ?? "Told after booking.");
  const pickup = legs.find((leg) => leg.direction === direction && leg.action === "pickup");
  if (!pickup) return undefined;
  if (legs[legs.indexOf(pickup) - 1]?.action === "leave") return `${pickup.place}, where the car stops.`;
  if (!pickup.exact) return "The address given when booking.";
  return pickup.place === pickup.town ? "The address given." : `${pickup.place}.`;
}

function viaOf(journey: PricedJourney, direction: "outbound" | "return"): string | undefined {
  const roads = noticeOn(journey, direction, "VIA")?.values.roads;
  return roads === undefined ? undefined : valueText(roads);
}

function noticeOn({ notices }: PricedJourney, direction: "outbound" | "return", of: NoticeCode): Notice | undefined {
  return notices.find(({ code, values }) => code === of && (values.leg ?? "outbound") === direction);
}

/** What agents read besides the fields, of which `meeting_point`, `via` and perhaps what waiting costs are some. */
function wireLimitations(notices: readonly Notice[], hasWaiting = false): string[] {
  const shown = ["MEETING_POINT", "VIA", ...(hasWaiting ? ["WAITING"] : [])];
  return [...textsOf(notices.filter(({ code }) => !shown.includes(code)))];
}

/**
 * Car trains, tolls and special items, where the price of each option is its fare with the same of these, so that its
 * lines say no more; otherwise `undefined`.
 */
function commonFees({ options, returnAt }: PricedJourney) {
  const isPlain = ({ code, rappen }: Charge) => rappen === 0 || FARES.includes(code) || FEES.includes(code);
  if (returnAt !== null || !options.every(({ charges }) => charges.every(isPlain))) return undefined;
  const [first = [], ...others] = options.map(({ charges }) =>
    wireLines(charges.filter(({ code }) => FEES.includes(code))),
  );
  return others.every((each) => JSON.stringify(each) === JSON.stringify(first)) ? first : undefined;
}

const FARES: readonly ChargeCode[] = ["transfer", "fixed"];
const FEES: readonly ChargeCode[] = ["train", "tolls", "item"];

function wireLines(charges: readonly Charge[]) {
  return linesOf(charges).map(({ label, rappen }) => ({ label, amount: francs(rappen) }));
}

/** What waiting at the pickups costs, once for all options; absent on a hire, and where options differ. */
function wireWaiting({ options }: PricedJourney) {
  const waits = options.map(({ charges }) => waitingOf(charges));
  const [first] = waits;
  const isFreeAlike = (each: typeof first) =>
    each?.freeMinutes === first?.freeMinutes && each?.returnFreeMinutes === first?.returnFreeMinutes;
  if (!first || !waits.every(isFreeAlike)) return {};
  return {
    free_waiting_min: first.freeMinutes,
    return_free_waiting_min: first.returnFreeMinutes ?? undefined,
    waiting_step_min: first.stepMinutes,
  };
}

function wireSaving(saving: PricedJourney["savings"][number], journey: PricedJourney, localTime: LocalTime) {
  const { text, totalRappen, pickupAt, returnAt, hire } = saving;
  const { stops, destination } = journey;
  const change = {
    ...(pickupAt && { pickup_datetime: localTime(pickupAt) }),
    ...(returnAt && { return_datetime: localTime(returnAt) }),
    ...(hire === "back_at_start" && { destination: null, waypoints: [...stops.map(stopAgain), { name: destination }] }),
    ...(hire === "transfer" && { booking_type: "point_to_point", duration_hours: null, destination }),
    ...(hire === "without_stays" && {
      waypoints: stops.map((stop) => stopAgain({ ...stop, dwellMinutes: null })),
      duration_hours: hireHoursOf(journey.options[0]?.charges ?? []),
    }),
  };
  return { text, change, total_price: francs(totalRappen) };
}

type Issue = Pick<z.input<typeof Quote>, "status" | "quote_id" | "request_id" | "expires_at">;

/** Of a journey that was not issued only the status is known. */
export function wireJourney(
  journey: PricedJourney,
  context: WireContext,
  { status, quote_id, request_id, expires_at }: Issue,
) {
  const { localTime } = context;
  const { passengers, luggage, adults, children, infants, ...others } = wireParty(journey);
  const waiting = wireWaiting(journey);
  const fees = journey.publishesPriceLines ? commonFees(journey) : undefined;
  // What has its default says nothing, and a model reads every field.
  return {
    status,
    ...wired(journey, "origin", "destination"),
    ...{ passengers, luggage, adults },
    route_basis: wireRouteBasis(journey.route, localTime),
    children: children || undefined,
    infants: infants || undefined,
    ...others,
    origin_place: { ...journey.originPlace },
    destination_place: { ...journey.destinationPlace },
    ...{ quote_id, request_id },
    pickup_datetime: localTime(journey.pickupAt),
    return_datetime: journey.returnAt === null ? undefined : localTime(journey.returnAt),
    ...wireTimes(journey, context),
    expires_at,
    currency: journey.currency === "CHF" ? undefined : journey.currency,
    non_binding: true,
    reservation_status: "not_reserved",
    requires_manual_confirmation: journey.requiresManualConfirmation || undefined,
    ...wireDirections(journey),
    ...waiting,
    limitations: wireLimitations(journey.notices, waiting.free_waiting_min !== undefined),
    savings:
      journey.savings.length > 0 ? journey.savings.map((each) => wireSaving(each, journey, localTime)) : undefined,
    fees: fees && fees.length > 0 ? fees : undefined,
    options: journey.options.map((option) => wireOption(option, journey, !fees)),
    waypoints: journey.stops.length > 0 ? wireStops(journey) : undefined,
    vat_percent: journey.vatPercent ?? undefined,
    operator: wired(journey.terms.operator, "name", "phone", "email"),
  };
}

export function wireLegs({ legs }: Pick<PricedJourney, "legs">, localTime: LocalTime): z.output<typeof Leg>[] {
  const local = (at: string | null) => (at === null ? null : localTime(at));
  return legs.map((leg) => {
    const times = { at: local(leg.at), departsAt: local(leg.departsAt), freeUntil: local(leg.freeUntil) };
    return wired({ ...leg, ...times }, ...LEG);
  });
}

const LEG = [
  ...(["direction", "place", "exact", "action", "at", "departsAt", "landing", "freeUntil"] as const),
  ...(["means", "minutes", "everyMinutes", "included"] as const),
] as const;

export function wireStops({ stops }: PricedJourney) {
  return stops.map(({ name, at, place, dwellMinutes }) => ({
    name,
    ...at,
    place: { ...place },
    stop_duration_min: dwellMinutes,
  }));
}

function wireRouteBasis(route: PricedJourney["route"], localTime: LocalTime) {
  return {
    ...wired(route, "authority", "automaticallyPayable", "distanceKm"),
    duration_min: route.durationMinutes,
    measured_at: route.measuredAt === null ? null : localTime(route.measuredAt),
    route_contract_version: route.contractVersion,
    route_fingerprint: route.fingerprint,
    routing_basis: route.basis,
  };
}

export function wireOption(option: PricedOption, journey: PricedJourney, hasLines = true) {
  const { currency, requiresManualConfirmation, publishesPriceLines } = journey;
  const waiting = waitingOf(option.charges);
  return {
    ...wired(option, "fleetId", "vehicleClass", "vehicleType", "passengerCapacity"),
    total_price: francs(option.totalRappen),
    currency,
    waiting_step_price: waiting && francs(waiting.stepRappen),
    ...wired(option, "luggageCapacity", "largeLuggageCapacity", "smallLuggageCapacity"),
    // Defaults are omitted, because a model reads every option.
    on_request: option.onRequest || undefined,
    requires_manual_confirmation: option.onRequest || requiresManualConfirmation || undefined,
    vat_amount: option.vatRappen === null ? undefined : francs(option.vatRappen),
    price_lines: publishesPriceLines && hasLines ? wireLines(option.charges) : undefined,
  };
}

/** With its lists as text, whose translations stand beside it. */
export function pageNotice(notice: Notice): z.output<typeof PageNotice> {
  const plain = Object.entries(notice.values).map(([name, value]) => [
    name,
    typeof value === "object" ? valueText(value) : value,
  ]);
  return { ...cardNotice(notice), values: Object.fromEntries(plain) };
}

/** The card has the operator's translations, and writes lists itself. */
function cardNotice({ code, values, text }: Notice) {
  return { code, values, text, ...attributesOf(code) };
}
