import { z } from "zod/v3";
import { TransferServiceList } from "../src/contract/discovery.ts";
import { PlaceText } from "../src/contract/request-fields.ts";
import { locatePoints } from "../src/domain/quotes/locate-points.ts";
import { defineOperation, perCatalog } from "../src/service/calls/operation.ts";

export const listTransferServices = defineOperation({
  name: "list_transfer_services",
  title: "List published transfer corridors",
  description:
    "Lists the published transfer corridors with route_key, places and type, those of an end also with typical distance and " +
    "duration; no prices. " +
    'For "which transfers do you offer?" and "where do you go from Geneva Airport?"; for closures and car trains of one ' +
    "corridor, get_transfer_route. Send origin, destination or both. Other journeys are quoted " +
    "too, so an empty list does not mean that one is not served. Not needed before create_transfer_quote.",
  examples: () => [{ origin: "Geneva Airport" }, { destination: "Zermatt" }],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "discovery",
  rest: {
    operationId: "listTransferServices",
    method: "get",
    path: "/services/transfers",
    tag: "Discovery",
    query: ["origin", "destination"],
    isCacheable: true,
    description: "Returns the published corridors, without prices. Other journeys can be quoted too.",
  },

  input: z.strictObject({
    origin: PlaceText.optional().describe('only corridors from here, written as people do, e.g. "ZRH"'),
    destination: PlaceText.optional().describe('only corridors to here, e.g. "Zermatt"'),
  }),
  output: TransferServiceList,
  errors: ["INVALID_LOCATION", "UNSUPPORTED_ROUTE"],

  async handle(wanted, { catalog, places }, { signal }) {
    const all = everyService(catalog);
    const points = Object.entries(wanted).flatMap(([field, text]) =>
      text === undefined ? [] : [{ field, text, position: null, dwellMinutes: null }],
    );
    if (points.length === 0) return briefly(catalog);
    const located = await locatePoints(points, places, signal);
    const ids = new Map(located.map(({ field, place }) => [field, [place.id, place.partOf]]));
    const isWanted = (field: keyof typeof wanted, id: string) => ids.get(field)?.includes(id) ?? true;
    const isListed = catalog.corridors.map(
      ({ origin, destination }) => isWanted("origin", origin) && isWanted("destination", destination),
    );
    const services = all.services.filter((_service, index) => isListed[index]);
    if (services.length > 0) return { services };
    const pair = located.map(({ field, place }) => `${field === "origin" ? "from" : "to"} ${place.name}`).join(" ");
    const rest = `${located.length < 2 ? "the other end, " : ""}pickup time and party`;
    return {
      services,
      note: `No corridor ${pair} is published, but other journeys are quoted too: call create_transfer_quote with ${JSON.stringify(wanted)}, ${rest}.`,
    };
  },
});

/** The whole list is long: it has only what the contract requires. */
const briefly = perCatalog((catalog) => ({
  services: everyService(catalog).services.map(({ route_key, origin, destination, transfer_type }) => ({
    ...{ route_key, origin, destination, transfer_type },
  })),
}));

const everyService = perCatalog(({ corridors, places }) => {
  const names = new Map(places.map(({ id, name }) => [id, name]));
  const carStops = new Map(places.flatMap(({ id, carFree }) => (carFree ? [[id, carFree.carStop]] : [])));
  const nameOf = (id: string) => names.get(id) ?? id;
  const dropOffs = (ends: readonly string[]) => {
    const carFree = ends.flatMap((id) => {
      const carStop = carStops.get(id);
      return carStop === undefined ? [] : [{ place: nameOf(id), car_stops_at: nameOf(carStop) }];
    });
    return carFree.length > 0 ? { drop_offs: carFree } : {};
  };
  return {
    services: corridors.map(({ key, origin, destination, transferType, distanceKm, durationMinutes }) => ({
      route_key: key,
      origin: nameOf(origin),
      destination: nameOf(destination),
      transfer_type: transferType,
      distance_km: distanceKm,
      duration_min: durationMinutes,
      ...dropOffs([origin, destination]),
    })),
  };
});
