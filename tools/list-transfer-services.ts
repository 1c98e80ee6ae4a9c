import { z } from "zod/v3";
import { TransferServiceList } from "../src/contract/route.ts";
import { defineOperation } from "../src/engine/operation.ts";

export const listTransferServices = defineOperation({
  name: "list_transfer_services",
  title: "List published transfer corridors",
  description:
    "Lists the published transfer corridors (route_key, origin, destination, type, usual km and minutes) without prices. " +
    "Use it first to see what is served. Journeys off these corridors can be quoted too. " +
    "Next: get_transfer_route for one corridor, or create_transfer_quote for a price. Example: {}",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "discovery",

  input: z.object({}).strict(),
  output: TransferServiceList,

  async handle(_input, { published, places }) {
    return {
      services: published.corridors.map(
        ({ key, origin, destination, transferType, distanceKm, durationMinutes }) => ({
          route_key: key,
          origin: places.nameOf(origin),
          destination: places.nameOf(destination),
          transfer_type: transferType,
          distance_km: distanceKm,
          duration_min: durationMinutes,
        }),
      ),
    };
  },
});
