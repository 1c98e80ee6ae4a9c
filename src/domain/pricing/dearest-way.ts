/** A way between points of a journey: kilometers and minutes are not rounded, so that parts add up to the whole. */
export interface Way {
  readonly distanceKm: number;
  readonly drivingMinutes: number;
  readonly trainsRappen: number;
  readonly tollsRappen: number;
  /** Kilometers where every road is open; absent where they are not known. */
  readonly usualKm?: number;
}

/** The way from each point straight to each later one; `undefined` where no open road leads there. */
export type Ways = readonly (readonly (Way | undefined)[])[];

/**
 * The way from the first point to the last that weighs most, over any of the points between in their order: the longest
 * path, which is found without trying every selection of the points.
 */
export function dearestWay(ways: Ways, weigh: (way: Way) => number): Way | undefined {
  const best: ({ readonly way: Way; readonly weight: number } | undefined)[] = [{ way: NOWHERE, weight: 0 }];
  for (let to = 1; to < ways.length; to++) {
    for (let from = 0; from < to; from++) {
      const [before, next] = [best[from], ways[from]?.[to]];
      if (!before || !next) continue;
      const weight = before.weight + weigh(next);
      if (weight > (best[to]?.weight ?? Number.NEGATIVE_INFINITY)) best[to] = { way: sumOf(before.way, next), weight };
    }
  }
  return best[ways.length - 1]?.way;
}

const NOWHERE: Way = { distanceKm: 0, drivingMinutes: 0, trainsRappen: 0, tollsRappen: 0 };

function sumOf(a: Way, b: Way): Way {
  return {
    distanceKm: a.distanceKm + b.distanceKm,
    drivingMinutes: a.drivingMinutes + b.drivingMinutes,
    trainsRappen: a.trainsRappen + b.trainsRappen,
    tollsRappen: a.tollsRappen + b.tollsRappen,
  };
}

export function feesOf({ trainsRappen, tollsRappen }: Pick<Way, "trainsRappen" | "tollsRappen">): number {
  return trainsRappen + tollsRappen;
}
