import { type ErrorCode, type FieldError, invalidRequest } from "../../src/contract/errors.ts";
import { type Notice, notice } from "../../src/contract/notices.ts";
import type { EstimateRequest, QuoteRequest } from "../../src/contract/quote-request.ts";
import { instantOf } from "../../src/contract/request-fields.ts";
import { nearestField } from "../../src/service/calls/nearest-field.ts";
import type {
  AcceptedCall,
  Journey,
  JourneyPoint,
  LocalTime,
  PricedJourney,
  Services,
  StoredQuote,
} from "../../src/service/calls/operation.ts";
import { partyOf, wireParty } from "./party.ts";

/** Problem codes that measuring and pricing a journey can return. */
export const JOURNEY_ERRORS = [
  "QUOTE_UNAVAILABLE",
  "INVALID_LOCATION",
  "ROUTE_UNAVAILABLE",
  "UNSUPPORTED_ROUTE",
  "INVALID_DATETIME",
  "NO_ELIGIBLE_VEHICLE",
  "PAST_DATETIME",
  "LEAD_TIME_NOT_SUPPORTED",
  "RETURN_TIME_INVALID",
] as const satisfies readonly ErrorCode[];

type CallerMetrics = Pick<EstimateRequest, "distance_km" | "duration_min">;

/** The journey of a request with its prices, and notices about the request; with `metrics` an estimate. Throws the public error of `Quoting`. */
export async function priceRequest(
  request: QuoteRequest,
  { quoting, places, observe, localTime }: Pick<Services, "quoting" | "places" | "observe" | "localTime">,
  { signal, client, isOmitted, onAsked }: Pick<AcceptedCall, "signal" | "client" | "isOmitted" | "onAsked">,
  metrics?: CallerMetrics,
): Promise<PricedJourney> {
  const journey = journeyOf(request, metrics);
  const priced = await quoting.price(journey, { signal, client, places, observe, onAsked });
  const { distance_km: km, duration_min: minutes } = metrics ?? {};
  const own = [
    ...(journey.callerMetrics ? [notice("OWN_METRICS", { km, minutes })] : []),
    ...requestNotices(request, localTime, isOmitted),
  ];
  const route = { ...priced.route, ...(metrics && { automaticallyPayable: false }) };
  return { ...priced, route, notices: [...own, ...priced.notices] };
}

/** The journey that a request describes. Throws INVALID_REQUEST if fields contradict each other. */
function journeyOf(request: QuoteRequest, metrics?: CallerMetrics): Journey {
  const faults = [...timeFaults(request), ...stopFaults(request), ...hireFaults(request)];
  if (faults.length > 0) throw invalidRequest(faults);
  const { origin, destination, pickup_datetime: pickupAt, arrive_by: arriveBy = "" } = request;
  const { return_datetime: returnAt, duration_hours: hours } = request;
  const { distance_km: km, duration_min: minutes } = metrics ?? {};
  const isStated = km !== undefined || minutes !== undefined;
  // A hire without a destination ends where it starts.
  const last = destination === undefined ? end("origin", origin) : end("destination", destination);
  return {
    points: [end("origin", origin), ...stopsOf(request), last],
    pickupAt: pickupAt === undefined ? { arriveBy: instantOf(arriveBy) } : instantOf(pickupAt),
    returnAt: returnAt ? instantOf(returnAt) : null,
    hireHours: request.booking_type === "hourly" ? (hours ?? null) : null,
    ...partyOf(request),
    waitingMinutes: request.waiting_minutes,
    callerMetrics: isStated ? { distanceKm: km ?? null, durationMinutes: minutes ?? null } : null,
  };
}

/** Missing fields that depend on others: a hire needs hours, any other journey a destination, and both need a time. */
export function missingFields(input: unknown): readonly (readonly string[])[] {
  const sent: { readonly [field in keyof QuoteRequest]?: unknown } = Object(input);
  const isMissing = (field: keyof QuoteRequest) => (sent[field] ?? undefined) === undefined;
  const isHire = sent.booking_type === "hourly";
  const field = isHire ? "duration_hours" : "destination";
  // A time under a similar name is not reported as missing, because the error for that name suggests the field.
  const hasTime =
    !TIMES.every(isMissing) ||
    Object.keys(sent).some((name) => !TIMES.some((time) => time === name) && nearestField(name, TIMES));
  return [...(isMissing(field) ? [[field]] : []), ...(hasTime ? [] : [isHire ? TIMES.slice(0, 1) : TIMES])];
}

const TIMES = ["pickup_datetime", "arrive_by"] as const;

/** Checks that a request does not have both times, and a hire no arrive_by. `missingFields` checks that it has one. */
function timeFaults({ pickup_datetime, arrive_by, booking_type }: QuoteRequest): readonly FieldError[] {
  if (pickup_datetime !== undefined && arrive_by !== undefined)
    return TIMES.map((field) => ({ field, message: "Send pickup_datetime or arrive_by, not both." }));
  if (booking_type !== "hourly" || arrive_by === undefined) return [];
  return [{ field: "arrive_by", message: "An hourly hire has a pickup and its hours; send pickup_datetime instead." }];
}

/**
 * Notices about the request: which defaults were assumed, hours without effect, and the local time of date-times that
 * were sent with another UTC offset than the operator's.
 */
function requestNotices(
  request: QuoteRequest,
  localTime: LocalTime,
  isOmitted: AcceptedCall["isOmitted"],
): readonly Notice[] {
  const { passengers, children, infants, duration_hours: hours } = request;
  return [
    // More children contradict the default, which PARTY_DIFFERS says.
    ...(isOmitted("passengers") && isOmitted("adults") && children + infants <= passengers
      ? [notice("ASSUMED_PASSENGERS", { passengers })]
      : []),
    ...(isOmitted("luggage") ? [notice("ASSUMED_LUGGAGE")] : []),
    ...(request.booking_type !== "hourly" && hours ? [notice("HOURS_IGNORED", { hours })] : []),
    ...offsetNotices(request.pickup_datetime, localTime),
    ...offsetNotices(request.arrive_by, localTime, { by: 1 }),
    ...offsetNotices(request.return_datetime, localTime, { leg: "return" }),
  ];
}

function offsetNotices(sent: string | undefined, localTime: LocalTime, own = {}): readonly Notice[] {
  // Programs write "Z", and no traveler says it; +00:00 may be the time of London.
  const offset = sent && /[+-]\d{2}:\d{2}$/.exec(sent)?.[0];
  if (!offset) return [];
  const local = localTime(instantOf(sent).toISOString());
  if (local.slice(-6) === offset) return [];
  const asSent = `${sent.slice(0, 10)} ${sent.slice(11, 16)} ${offset}`;
  return [notice("LOCAL_TIME", { date: local.slice(0, 10), time: local.slice(11, 16), sent: asSent, ...own })];
}

function end(field: string, text: string): JourneyPoint {
  return { field, text, position: null, dwellMinutes: null };
}

function stopsOf({ waypoints }: QuoteRequest): readonly JourneyPoint[] {
  return (waypoints ?? []).map(({ name, lat, lng, stop_duration_min }, index) => ({
    field: `waypoints.${index}.name`,
    text: name,
    position: typeof lat === "number" && typeof lng === "number" ? { lat, lng } : null,
    dwellMinutes: stop_duration_min ?? null,
  }));
}

function stopFaults({ waypoints }: QuoteRequest): readonly FieldError[] {
  return (waypoints ?? []).flatMap(({ lat, lng }, index) => {
    const hasLat = typeof lat === "number";
    const hasLng = typeof lng === "number";
    if (hasLat === hasLng) return [];
    const [sent, missing] = hasLat ? ["lat", "lng"] : ["lng", "lat"];
    const field = `waypoints.${index}.${missing}`;
    return [{ field, message: `Required with ${sent}: send both, or omit ${sent} and ${missing} to use the name.` }];
  });
}

function hireFaults({ booking_type, duration_hours, return_datetime }: QuoteRequest): readonly FieldError[] {
  if (booking_type !== "hourly") return [];
  const noHours = "Required for booking_type hourly, more than 0 and at most 240.";
  const noReturn = "An hourly hire has no return; omit it, duration_hours covers the whole hire.";
  return [
    ...(duration_hours ? [] : [{ field: "duration_hours", message: noHours }]),
    ...(return_datetime ? [{ field: "return_datetime", message: noReturn }] : []),
  ];
}

/** The arguments with which the journey of a quote is asked for again; luggage that was not stated is not stated again. */
export function requestAgain(quote: StoredQuote, localTime: LocalTime) {
  const { origin, destination, stops, pickupAt, arriveBy, returnAt, hireHours, waitingMinutes } = quote;
  const returnsByItself = hireHours !== null && destination === origin;
  return {
    origin,
    ...(!returnsByItself && { destination }),
    ...(arriveBy === null ? { pickup_datetime: localTime(pickupAt) } : { arrive_by: localTime(arriveBy) }),
    ...(returnAt !== null && { return_datetime: localTime(returnAt) }),
    ...(hireHours !== null && { booking_type: "hourly" as const, duration_hours: hireHours }),
    ...(stops.length > 0 && { waypoints: stops.map(stopAgain) }),
    ...wireParty(quote),
    adults: isAdultsStated(quote) ? quote.adults : undefined,
    luggage: quote.notices.some(({ code }) => code === "ASSUMED_LUGGAGE") ? undefined : quote.luggage,
    ...(waitingMinutes > 0 && { waiting_minutes: waitingMinutes }),
  };
}

/** Omitted adults are stored as the number of passengers, among whom children are; sent again they would need seats. */
function isAdultsStated({ passengers, adults, children, infants, notices }: StoredQuote): boolean {
  const people = adults + children + infants;
  return (
    people === passengers || notices.some(({ code, values }) => code === "PARTY_DIFFERS" && values.people === people)
  );
}

export function stopAgain({ name, at, dwellMinutes }: StoredQuote["stops"][number]) {
  return {
    name,
    ...(at && { lat: at.lat, lng: at.lng }),
    ...(dwellMinutes !== null && { stop_duration_min: dwellMinutes }),
  };
}
