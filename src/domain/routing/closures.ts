import { PublicError } from "../../contract/errors.ts";
import { instantName } from "../../contract/notice-formats.ts";
import { notice } from "../../contract/notices.ts";
import { DAY } from "../../ops/durations.ts";
import { sha256 } from "../../ops/ids.ts";
import { instantOfLocal, localDateTime } from "../../ops/local-time.ts";
import type { RoadData } from "../catalog/catalog.ts";
import type { Closure, RoadEdge } from "../catalog/roads-schema.ts";
import { type RoadJourney, type RoadNetwork, unlessUnsupported } from "./road-network.ts";
import type { RouteStop } from "./router.ts";
import { minutesAfter } from "./timetable.ts";

interface Closing extends Closure {
  readonly closesAt: Date;
  /** The first instant at which it is open again. */
  readonly opensAt: Date;
}

/** Whether a closure is of this edge, by its name or its two nodes. */
function isOnEdge({ road }: Pick<Closure, "road">, { name, from, to }: RoadEdge): boolean {
  return road === name || road === `${from} ${to}` || road === `${to} ${from}`;
}

/**
 * The network with closures of exact dates: a road counts as closed for a journey during which it is closed at any time.
 * Unlike the yearly closures these have no margin, and leave no doubt.
 */
export function withClosures(
  network: RoadNetwork,
  roads: RoadData,
  { closures, timeZone }: { readonly closures: readonly Closure[]; readonly timeZone: string },
): RoadNetwork {
  if (closures.length === 0) return network;
  const closings = closures.map((closure): Closing => {
    const { from, to } = closure;
    const nextDay = new Date(Date.parse(`${to.slice(0, 10)}T00:00Z`) + DAY).toISOString().slice(0, 10);
    return {
      ...closure,
      closesAt: instantOfLocal(from.length === 10 ? `${from}T00:00:00` : `${from}:00`, timeZone),
      opensAt: instantOfLocal(to.length === 10 ? `${nextDay}T00:00:00` : `${to}:00`, timeZone),
    };
  });
  const version = sha256(JSON.stringify(closures), "hex").slice(0, 8);
  const dataVersion = `${network.dataVersion}+closures-${version}`;
  const edgesOf = (held: readonly Closing[]) =>
    roads.edges.filter((edge) => held.some((closing) => isOnEdge(closing, edge)));
  return { ...network, dataVersion, journey };

  function journey(stops: readonly RouteStop[], departure: Date): RoadJourney {
    return around({ ...network.journey(stops, departure), dataVersion }, stops, departure);
  }

  /** Avoids what is closed on the way, until nothing that the journey uses is closed while it lasts. */
  function around(usual: RoadJourney, stops: readonly RouteStop[], departure: Date): RoadJourney {
    let driven = usual;
    const held: Closing[] = [];
    for (;;) {
      const next = closings.filter(
        (closing) => !held.includes(closing) && isDuring(closing, driven, stops, departure) && uses(driven, closing),
      );
      if (next.length === 0) return driven;
      held.push(...next);
      const detour = unlessUnsupported(() => network.journey(stops, departure, edgesOf(held)));
      if (!detour) throw closedRoad(held, stops);
      const notes = [...held.map((closing) => notice("ROAD_CLOSED_UNTIL", wordsOf(closing))), ...detour.notes];
      // The road that would be driven otherwise stays the usual one, so that a corridor's own figures do not apply.
      driven = {
        ...detour,
        notes,
        usualRoads: usual.usualRoads,
        ...(usual.usualKm !== undefined && { usualKm: usual.usualKm }),
        stages: detour.stages.map((stage, index) => ({
          ...stage,
          usualRoads: usual.stages[index]?.usualRoads ?? stage.usualRoads,
        })),
        seasonalRoads: usual.seasonalRoads,
        dataVersion,
        closures: held.map(({ id }) => id),
      };
    }
  }

  /** The road, when it is closed, and why, as travelers read it. */
  function wordsOf({ road, closesAt, opensAt, reason }: Closing) {
    return {
      name: nameOf(road),
      from: localDateTime(closesAt, timeZone),
      to: localDateTime(opensAt, timeZone),
      reason,
    };
  }

  function closedRoad(held: readonly Closing[], stops: readonly RouteStop[]): PublicError {
    const ends = `from ${stops[0]?.name} to ${stops.at(-1)?.name}`;
    const reasons = held.map(wordsOf).map(({ name, from, to, reason }) => {
      return `${name} is closed from ${instantName(from)} to ${instantName(to)}. ${reason}`;
    });
    return new PublicError("UNSUPPORTED_ROUTE", `No road ${ends} is open at that time. ${reasons.join(" ")}`);
  }

  /** Roads without a name of their own are named by their ends. */
  function nameOf(road: string): string {
    const [from, to] = road.split(" ").map((node) => roads.nodes.get(node)?.name);
    return from !== undefined && to !== undefined ? `${from} – ${to}` : road;
  }
}

function uses({ roads }: RoadJourney, closing: Closing): boolean {
  return roads.some((edge) => isOnEdge(closing, edge));
}

function isDuring(
  { closesAt, opensAt }: Closing,
  { durationMinutes }: RoadJourney,
  stops: readonly RouteStop[],
  departure: Date,
): boolean {
  const dwell = stops.reduce((sum, { dwellMinutes }) => sum + (dwellMinutes ?? 0), 0);
  return closesAt <= minutesAfter(departure, durationMinutes + dwell) && departure < opensAt;
}
