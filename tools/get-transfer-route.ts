import { z } from "zod/v3";
import { type FieldError, invalidRequest, PublicError } from "../src/contract/errors.ts";
import { Route } from "../src/contract/route.ts";
import { defineOperation, type OperationContext } from "../src/engine/operation.ts";
import type { Corridor } from "../src/published/schema.ts";
import { stopOf } from "../src/quotes/locate-points.ts";

export const getTransferRoute = defineOperation({
  name: "get_transfer_route",
  title: "Get one published corridor",
  description:
    "Returns the published facts of one corridor: usual distance and duration, never a price and never the basis of one. " +
    "Send either route_key, or origin and destination as people write them. Use it to tell a traveler about a route; " +
    "next comes create_transfer_quote for a price. UNSUPPORTED_ROUTE means that no such corridor is published; the journey may " +
    'still be quoted. Example: {"origin": "ZRH", "destination": "Zermatt"}',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "routing",

  input: z
    .object({
      route_key: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe(
          "key from list_transfer_services, e.g. zurich-airport-to-zermatt; not with origin or destination",
        ),
      origin: z
        .string()
        .min(1)
        .max(512)
        .optional()
        .describe('start, e.g. "Zurich Airport"; together with destination'),
      destination: z
        .string()
        .min(1)
        .max(512)
        .optional()
        .describe('end, e.g. "Zermatt"; together with origin'),
    })
    .strict(),
  output: Route,

  async handle({ route_key, origin, destination }, context) {
    const { published, places } = context;
    const corridor =
      route_key === undefined
        ? await corridorBetween(origin, destination, context)
        : corridorOf(route_key, { origin, destination }, published.corridors);
    if (!corridor)
      throw new PublicError("UNSUPPORTED_ROUTE", "No published corridor has this key or pair of places.");
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
      live_context: liveContext(corridor, context),
      waypoints: [],
    };
  },
});

/** What holds on the corridor today; null where nothing does. */
function liveContext(corridor: Corridor, { places, tellConditions, clock }: OperationContext) {
  const ends = [places.byId(corridor.origin), places.byId(corridor.destination)].filter(
    (end) => end !== undefined,
  );
  const now = clock.now();
  const { closed, carTrains } = tellConditions(ends.map(stopOf), now);
  const dropOffs = ends.filter(({ place, carStop }) => place.id !== carStop.id);
  if (closed.length + carTrains.length + dropOffs.length === 0) return null;
  return {
    as_of: now.toISOString(),
    closed_passes: closed.map(({ name, closedFrom, closedTo }) => ({
      name,
      closed_from: closedFrom,
      closed_to: closedTo,
    })),
    car_trains: [...carTrains],
    drop_offs: dropOffs.map(({ place, carStop, notes }) => ({
      place: place.name,
      car_stops_at: carStop.name,
      note: notes.join(" "),
    })),
  };
}

function corridorOf(key: string, pair: Record<string, string | undefined>, corridors: readonly Corridor[]) {
  const also = Object.keys(pair).filter((field) => pair[field] !== undefined);
  if (also.length > 0) {
    throw invalidRequest(
      also.map((field) => ({ field, message: "Send either route_key or origin and destination." })),
    );
  }
  return corridors.find((corridor) => corridor.key === key);
}

async function corridorBetween(
  origin: string | undefined,
  destination: string | undefined,
  { places, published, signal }: OperationContext,
): Promise<Corridor | undefined> {
  if (origin === undefined || destination === undefined) {
    const missing: FieldError[] = Object.entries({ origin, destination })
      .filter(([, text]) => text === undefined)
      .map(([field]) => ({
        field,
        message: "Required, unless route_key is sent: origin and destination go together.",
      }));
    throw invalidRequest(missing);
  }
  const [from, to] = await Promise.all([places.find(origin, signal), places.find(destination, signal)]);
  if (from.kind !== "found" || to.kind !== "found") return undefined;
  return published.corridors.find(
    (corridor) => corridor.origin === from.place.id && corridor.destination === to.place.id,
  );
}
