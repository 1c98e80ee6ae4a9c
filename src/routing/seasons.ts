import type { RoadData } from "../catalog/load-roads.ts";
import type { RoadEdge } from "../catalog/roads-schema.ts";
import { isClosed, isUncertain } from "./closure.ts";

/** A road that is closed in winter, on a given day. Days are MM-DD, both included. */
export interface SeasonalRoad {
  readonly name: string;
  readonly closedFrom: string;
  readonly closedTo: string;
  readonly isClosed: boolean;
  /** Usually opens or closes within three weeks of that day. */
  readonly isUncertain: boolean;
}

/** Those of the roads that have a season, each once. */
export function seasonalRoads(
  route: readonly RoadEdge[],
  { nodes }: Pick<RoadData, "nodes">,
  monthDay: string,
): readonly SeasonalRoad[] {
  const roads = new Map<string, SeasonalRoad>();
  for (const edge of route) {
    // A train with a season replaces a pass, and runs by its timetable.
    if (!edge.closed || edge.carTrain) continue;
    const { from, to } = edge.closed;
    const name = edge.name ?? `The road between ${nodes.get(edge.from)?.name} and ${nodes.get(edge.to)?.name}`;
    roads.set(name, {
      name,
      closedFrom: from,
      closedTo: to,
      isClosed: isClosed(edge, monthDay),
      isUncertain: isUncertain(edge, monthDay),
    });
  }
  return [...roads.values()];
}
