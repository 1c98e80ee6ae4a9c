import { z } from "zod/v3";
import { Route } from "../src/contract/discovery.ts";
import { type FieldError, invalidRequest, PublicError } from "../src/contract/errors.ts";
import { dayName } from "../src/contract/notice-formats.ts";
import { textsOf } from "../src/contract/notices.ts";
import { PlaceText } from "../src/contract/request-fields.ts";
import { nearestName } from "../src/domain/catalog/nearest-name.ts";
import { carFreeNotices } from "../src/domain/quotes/leg-notices.ts";
import { stopOf } from "../src/domain/quotes/locate-points.ts";
import { type Corridor, defineOperation, type Services } from "../src/service/calls/operation.ts";

export const getTransferRoute = defineOperation({
  name: "get_transfer_route",
  title: "Get a transfer corridor",
  description:
    "Returns typical distance and driving time of one published corridor and, in live_context, its closed passes, car " +
    'trains and car-free ends today, from the catalog. For "how far is it?", "how long does it take?" and "is the pass ' +
    'closed?"; tell the traveler that the figures are typical. For prices and other dates, call create_transfer_quote, ' +
    "also where no corridor is published (UNSUPPORTED_ROUTE).",
  examples: () => [{ origin: "ZRH", destination: "Zermatt" }],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "routing",
  rest: [
    {
      operationId: "getRouteByPair",
      method: "get",
      path: "/routes",
      tag: "Discovery",
      query: ["origin", "destination"],
      required: ["origin", "destination"],
      isCacheable: true,
      description:
        "Returns the published corridor between two places, which are matched as in a quote: typical distance and duration, and the usual closures and car trains. A quote is measured for the journey and may have the same figures.",
    },
    {
      operationId: "getRoute",
      method: "get",
      path: "/routes/{route_key}",
      title: "Get a corridor by its key",
      tag: "Discovery",
      isCacheable: true,
      description:
        "Returns the published corridor with this key: typical distance and duration, and the usual closures and car trains. A quote is measured for the journey and may have the same figures.",
    },
  ],

  input: z.strictObject({
    route_key: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe("from list_transfer_services; replaces origin and destination"),
    origin: PlaceText.optional().describe("with destination"),
    destination: PlaceText.optional().describe("with origin"),
  }),
  output: Route,
  errors: ["UNSUPPORTED_ROUTE"],

  async handle({ route_key, origin, destination }, services, { signal }) {
    const { catalog, places } = services;
    const corridor =
      route_key === undefined
        ? await corridorBetween(origin, destination, services, signal)
        : corridorOf(route_key, { origin, destination }, catalog.corridors);
    const ends = [places.byId(corridor.origin), places.byId(corridor.destination)].filter((end) => end !== undefined);
    const conditions = services.roadConditions(ends.map(stopOf), services.clock.now());
    const { other, via } = conditions;
    const way = other && [...via, `${other.distanceKm} km`, `${other.durationMinutes} min`].join(", ");
    const today = way === undefined ? "" : ` Today the way is another: ${way}.`;
    const from = places.nameOf(corridor.origin);
    const to = places.nameOf(corridor.destination);
    return {
      route_key: corridor.key,
      origin: from,
      destination: to,
      transfer_type: corridor.transferType,
      verification_state: "PUBLISHED_BASELINE",
      distance_km: corridor.distanceKm,
      duration_min: corridor.durationMinutes,
      normalized_origin: from,
      normalized_destination: to,
      quotable: true,
      route_contract_version: null,
      routing_basis: "PUBLISHED_CATALOGUE",
      live_context: liveContext(ends, conditions, services),
      waypoints: [],
      ...(via.length > 0 && !other && { via: via.join(", ") }),
      note: `Typical figures of the corridor; live_context is what the catalog has for today, no live traffic.${today} A quote is for the journey from door to door: call create_transfer_quote with ${JSON.stringify({ origin: from, destination: to })}, pickup time and party.`,
    };
  },
});

/** The road conditions of this day on the corridor; null if there are none to report. */
function liveContext(
  ends: readonly CorridorEnd[],
  { closed, carTrains }: ReturnType<Services["roadConditions"]>,
  { clock, localTime }: Services,
) {
  const elsewhere = ends.filter(({ connection }) => connection);
  if (closed.length + carTrains.length + elsewhere.length === 0) return null;
  return {
    as_of: localTime(clock.now().toISOString()),
    closed_passes: closed.map(({ name, closedFrom, closedTo }) => ({
      name,
      closed_from: dayName(closedFrom),
      closed_to: dayName(closedTo),
    })),
    car_trains: [...carTrains],
    drop_offs: elsewhere.map((end) => ({
      place: end.place.name,
      car_stops_at: end.carStop.name,
      note: textsOf(carFreeNotices(end)).join(" "),
    })),
  };
}

type CorridorEnd = NonNullable<ReturnType<Services["places"]["byId"]>>;

function corridorOf(key: string, pair: Record<string, string | undefined>, corridors: readonly Corridor[]): Corridor {
  const also = Object.keys(pair).filter((field) => pair[field] !== undefined);
  if (also.length > 0) {
    const message = "Not accepted together with route_key, which names the corridor; omit it.";
    throw invalidRequest(also.map((field) => ({ field, message })));
  }
  const corridor = corridors.find((corridor) => corridor.key === key);
  if (corridor) return corridor;
  const keys = corridors.map((each) => each.key);
  const nearest = nearestName(key, keys);
  const fieldErrors = nearest === undefined ? [] : [notPublished("route_key", [nearest])];
  throw noCorridor("No published corridor has this key.", fieldErrors);
}

async function corridorBetween(
  origin: string | undefined,
  destination: string | undefined,
  { places, catalog, observe }: Services,
  signal: AbortSignal,
): Promise<Corridor> {
  if (origin === undefined || destination === undefined) {
    const missing: FieldError[] = Object.entries({ origin, destination })
      .filter(([, text]) => text === undefined)
      .map(([field]) => ({ field, message: "Required unless route_key is sent; send both origin and destination." }));
    throw invalidRequest(missing, "Ask the traveler for both ends of the journey, or send a route_key.");
  }
  const both = () => Promise.all([places.find(origin, signal), places.find(destination, signal)]);
  const [from, to] = await observe("places", both);
  const unclear = Object.entries({ origin: from, destination: to }).flatMap(([field, end]) => {
    if (end.kind === "question") return [notPublished(field, end.candidates)];
    return end.kind === "unknown" ? [notPublished(field, [])] : [];
  });
  const ends = from.kind === "found" && to.kind === "found" && `${from.place.id} ${to.place.id}`;
  const corridor = ends && catalog.corridorsByEnds.get(ends);
  if (corridor) return corridor;
  throw noCorridor("No published corridor has this pair of places.", unclear, { origin, destination });
}

function notPublished(field: string, candidates: readonly string[]): FieldError {
  const quoted = candidates.map((candidate) => `"${candidate}"`).join(", ");
  return { field, message: candidates.length > 0 ? `Unknown; send one of ${quoted}.` : "Unknown.", candidates };
}

function noCorridor(detail: string, fieldErrors: readonly FieldError[], pair?: object): PublicError {
  const [candidate, ...others] = fieldErrors.flatMap(({ candidates = [] }) => candidates);
  return new PublicError("UNSUPPORTED_ROUTE", detail, {
    ...(fieldErrors.length > 0 && { fieldErrors }),
    nextAction: candidate
      ? others.length > 0
        ? "Ask the traveler which place is meant, and send that candidate unchanged."
        : `Send the candidate unchanged, e.g. "${candidate}".`
      : `Call create_transfer_quote with ${pair ? JSON.stringify(pair) : "the two places"}, pickup time and party: journeys off the published corridors can be quoted too. Its via is the way on that date, over passes that are usually open then; nobody here knows live traffic.`,
  });
}
