import type { Corridor, OperationContext } from "../calls/operation.ts";
import { type Places, type SentName, textsOf } from "./sent-names.ts";

type Context = Pick<OperationContext, "catalog" | "places" | "signal" | "observe">;

/**
 * Real places for the names of a request, by field: ends of published corridors, with the other end of the request where
 * there is such a corridor, and never a place that the request has already.
 */
export async function standInsFor(
  names: readonly SentName[],
  request: Places,
  { catalog, places, signal, observe }: Context,
): Promise<ReadonlyMap<string, string>> {
  const named = new Set(names.map(({ field }) => field));
  const others = textsOf(request).filter(({ field, isPositioned }) => !named.has(field) && !isPositioned);
  const ids = new Map<string, string | null>();
  for (const { field, text } of others) {
    const location = await observe("places", () => places.find(text, signal));
    if (location.kind === "found") ids.set(field, location.place.id);
  }
  for (const { field } of names) ids.set(field, standInFor(field, ids, catalog.corridors));
  return new Map(names.map(({ field }) => [field, places.nameOf(ids.get(field) ?? "")]));
}

function standInFor(
  field: string,
  taken: ReadonlyMap<string, string | null>,
  corridors: readonly Corridor[],
): string | null {
  const [mine, other] =
    field === "origin" ? (["origin", "destination"] as const) : (["destination", "origin"] as const);
  const used = new Set(taken.values());
  const free = corridors.filter((corridor) => !used.has(corridor[mine]));
  const together = free.find((corridor) => corridor[other] === taken.get(other));
  return (together ?? free[0])?.[mine] ?? null;
}

/** The request with real places in the place of names. */
export function withStandIns<T extends Places>(request: T, standIns: ReadonlyMap<string, string>): T {
  const { origin, destination, waypoints } = request;
  return {
    ...request,
    ...(origin !== undefined && { origin: standIns.get("origin") ?? origin }),
    ...(destination !== undefined && { destination: standIns.get("destination") ?? destination }),
    ...(waypoints && {
      waypoints: waypoints.map((stop, index) => ({
        ...stop,
        name: standIns.get(`waypoints.${index}.name`) ?? stop.name,
      })),
    }),
  };
}
