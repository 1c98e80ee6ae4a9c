import type { PlaceEntry } from "../catalog/places-schema.ts";

export interface Measured {
  readonly name: string;
  readonly catalogKm: number;
  /** `undefined` where the engine has no route. */
  readonly engineKm: number | undefined;
  readonly hasCarTrain: boolean;
}

/** Shorter ones differ by where the stops lie, not by the roads. */
const SHORTEST_KM = 5;

/**
 * Where the catalog's kilometers differ from the engine's by more than so many percent, the largest difference first.
 * Routes with a car train are left out: whether an engine takes it, and how long it is, is no matter of roads.
 */
export function distanceDifferences(measured: readonly Measured[], percent: number) {
  const compared = measured.flatMap(({ name, catalogKm, engineKm, hasCarTrain }) =>
    hasCarTrain || engineKm === undefined || engineKm < SHORTEST_KM
      ? []
      : [{ name, catalogKm, engineKm, difference: (catalogKm / engineKm - 1) * 100 }],
  );
  const errors = compared.map(({ difference }) => Math.abs(difference)).sort((a, b) => a - b);
  const listed = compared
    .filter(({ difference }) => Math.abs(difference) > percent)
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  const at = (share: number) => errors[Math.min(errors.length - 1, Math.floor(errors.length * share))] ?? 0;
  const routeless = measured.filter(({ engineKm }) => engineKm === undefined).length;
  return {
    rows: [
      ["route", "catalog_km", "engine_km", "difference_percent"],
      ...listed.map(({ name, catalogKm, engineKm, difference }) => [
        name,
        catalogKm.toFixed(1),
        engineKm.toFixed(1),
        difference.toFixed(1),
      ]),
    ],
    worstPercent: errors.at(-1) ?? 0,
    summary:
      `${listed.length} of ${compared.length} routes differ by more than ${percent} %; ` +
      `median ${at(0.5).toFixed(1)} %, ninth decile ${at(0.9).toFixed(1)} %, worst ${at(1).toFixed(1)} %. ` +
      `Not compared: ${measured.length - compared.length - routeless} with a car train or under ${SHORTEST_KM} km, ${routeless} without a route on the engine.`,
  };
}

/** Pairs of places that cars reach, the same at every run. */
export function sampledPairs(places: readonly PlaceEntry[], count: number) {
  const reached = places.filter(({ carFree }) => !carFree).map(({ id }) => id);
  let seed = 1;
  const any = () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return reached[Math.floor((seed / 2 ** 32) * reached.length)] ?? "";
  };
  const pairs: { readonly from: string; readonly to: string }[] = [];
  while (pairs.length < count) {
    const pair = { from: any(), to: any() };
    if (pair.from !== pair.to) pairs.push(pair);
  }
  return pairs;
}
