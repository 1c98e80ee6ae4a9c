import type { RoadEdge } from "../catalog/roads-schema.ts";

/** A motorway or expressway is named from this length on, another numbered road from the greater one. */
const NAMED_KM = { fast: 5, other: 15 };
/** The most characters of all parts together, with ", " between them. */
const LONGEST = 160;

interface Part {
  readonly text: string;
  readonly km: number;
  /** Passes, tunnels, car trains and borders are kept where numbers of roads are too many. */
  readonly isNumber: boolean;
  readonly isFast: boolean;
  /** The number of the road on which a pass or tunnel is. */
  readonly ref: string | undefined;
}

/**
 * The way that these roads are, as drivers say it: numbers of roads, passes, tunnels, car trains, and borders such as
 * "CH–IT", in order of travel. Short stretches and roads without number or name are left out; empty where nothing is
 * left. `roads` are in order of travel; `start` is the node where it starts, if it starts at one.
 */
export function viaOf(roads: readonly RoadEdge[], start?: string): readonly string[] {
  const parts = merged(directed(roads, start).flatMap((driven, index) => partsOf(driven, roads[index - 1]))).filter(
    ({ isNumber, km, isFast }) => !isNumber || km >= (isFast ? NAMED_KM.fast : NAMED_KM.other),
  );
  let kept = merged(parts);
  while (lengthOf(kept) > LONGEST) kept = merged(withoutLeast(kept));
  return kept.map(({ text }) => text);
}

interface Driven {
  readonly edge: RoadEdge;
  readonly isForward: boolean;
}

function directed(roads: readonly RoadEdge[], start: string | undefined): readonly Driven[] {
  let at = start;
  return roads.map((edge, index) => {
    const next = roads[index + 1];
    const leadsOn = (node: string) => next !== undefined && (next.from === node || next.to === node);
    if (at !== edge.from && at !== edge.to) at = leadsOn(edge.from) && !leadsOn(edge.to) ? edge.to : edge.from;
    const isForward = at === edge.from;
    at = isForward ? edge.to : edge.from;
    return { edge, isForward };
  });
}

/** A border is before a road whose number begins there, otherwise after it. */
function partsOf({ edge, isForward }: Driven, before: RoadEdge | undefined): readonly Part[] {
  const { km, ref, name, carTrain, border, road } = edge;
  const isFast = road === "motorway" || road === "expressway";
  const [here, there] = border?.split("–") ?? [];
  const sides = border === undefined ? [] : [isForward ? border : `${there}–${here}`];
  const borders = sides.map((text) => ({ text, km: 0, isNumber: false, isFast, ref: undefined }));
  if (name !== undefined)
    return [{ text: name, km, isNumber: false, isFast, ref: carTrain ? undefined : ref }, ...borders];
  if (ref === undefined) return borders;
  const number = { text: ref, km, isNumber: true, isFast, ref };
  return before?.ref === ref ? [number, ...borders] : [...borders, number];
}

/** Parts that follow each other with the same text as one, and a road that goes on after its tunnel or pass named once. */
function merged(parts: readonly Part[]): readonly Part[] {
  const into: Part[] = [];
  for (const part of parts) {
    const before = into[into.length - 1];
    if (before?.text === part.text) into[into.length - 1] = { ...before, km: before.km + part.km };
    else if (part.isNumber && before?.ref === part.ref && into.some(({ text }) => text === part.text)) {
      const own = into.findLastIndex(({ text }) => text === part.text);
      const first = into[own];
      if (first) into[own] = { ...first, km: first.km + part.km };
    } else into.push(part);
  }
  return into;
}

/** Without the shortest number of a road, or without the shortest part where none is left. */
function withoutLeast(parts: readonly Part[]): readonly Part[] {
  const numbers = parts.filter(({ isNumber }) => isNumber);
  const [least] = [...(numbers.length > 0 ? numbers : parts)].sort((a, b) => a.km - b.km);
  return parts.filter((part) => part !== least);
}

function lengthOf(parts: readonly Part[]): number {
  return parts.map(({ text }) => text).join(", ").length;
}
