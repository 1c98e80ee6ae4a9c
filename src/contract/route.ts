import { z } from "zod/v3";
import { WaypointOut } from "./quote.ts";

const publishedMetrics = {
  distance_km: z.number().nullable().optional(),
  duration_min: z.number().int().nullable().optional(),
};

/** Published facts about one corridor; never the basis of a price. */
export const Route = z
  .object({
    route_key: z.string(),
    origin: z.string(),
    destination: z.string(),
    transfer_type: z.string().describe("airport, resort or city"),
    verification_state: z.string().describe("PUBLISHED_BASELINE = from the catalog, not measured for you"),
    ...publishedMetrics,
    normalized_origin: z.string().default(""),
    normalized_destination: z.string().default(""),
    quotable: z.boolean().default(true),
    route_contract_version: z.string().nullable().optional(),
    routing_basis: z.string().nullable().optional(),
    live_context: z.record(z.unknown()).nullable().optional().describe("current road conditions on the route"),
    waypoints: z.array(WaypointOut).optional(),
  })
  .passthrough();
export type Route = z.output<typeof Route>;

/** One published corridor; carries no price. */
export const TransferService = z
  .object({
    route_key: z.string(),
    origin: z.string(),
    destination: z.string(),
    transfer_type: z.string().describe("airport, resort or city"),
    ...publishedMetrics,
  })
  .passthrough();

export const TransferServiceList = z.object({ services: z.array(TransferService) }).passthrough();
