import { francsText } from "../../contract/notice-formats.ts";
import { type Notice, notice } from "../../contract/notices.ts";
import { MINUTE } from "../../ops/durations.ts";
import { localDateTime } from "../../ops/local-time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type MeasuredRoute, unlessClosed } from "../routing/router.ts";
import { minutesAfter } from "../routing/timetable.ts";
import type { Driven, Measure } from "./measured-journey.ts";
import type { Leg, PricedOption } from "./quote.ts";

/** The way and the prices if the car leaves at some time. */
interface Leaving {
  readonly route: MeasuredRoute;
  readonly options: readonly Pick<PricedOption, "vehicleClass" | "totalRappen">[];
}

interface Priced {
  readonly catalog: Pick<Catalog, "closures" | "tariff">;
  readonly legs: readonly Leg[];
  readonly options: Leaving["options"];
  /** The prices if this direction is driven like that. */
  optionsOf(driven: Driven): Leaving["options"];
  readonly measure: Measure;
  timeOf(instant: string): string;
}

/**
 * Where the way gets longer or the price higher within the free waiting at the pickup of a direction: by when the car
 * has to leave, and what holds at the end of the free waiting. The minute is found by bisection, so that the way is tried
 * at most seven times for an hour, and mostly only once, because nothing changes; it is measured only where it may.
 */
export async function leaveByNotices(
  driven: Driven,
  { catalog, legs, options, optionsOf, measure, timeOf }: Priced,
): Promise<readonly Notice[]> {
  const own = { route: driven.route, options };
  const pickup = legs.find((leg) => leg.action === "pickup" && leg.direction === driven.direction);
  // On a round trip waiting is part of its hours, not of when it begins.
  if (driven.isRoundTrip && !pickup?.landing) return [];
  if (!pickup?.at || !pickup.departsAt || !pickup.freeUntil) return [];
  let [kept, lost] = [Date.parse(pickup.departsAt), Date.parse(pickup.freeUntil)];
  if (lost <= kept) return [];
  const last = await openAt(lost);
  if (last && !isWorse(last)) return [];
  while (lost - kept > MINUTE) {
    const between = kept + Math.ceil((lost - kept) / MINUTE / 2) * MINUTE;
    const leaving = await openAt(between);
    if (leaving && !isWorse(leaving)) kept = between;
    else lost = between;
  }
  const time = timeOf(new Date(kept).toISOString());
  if (!last) return [notice("LEAVE_BY_CLOSING", { time })];
  const { distanceKm, durationMinutes } = last.route;
  const isOtherWay = distanceKm !== own.route.distanceKm || durationMinutes !== own.route.durationMinutes;
  const way = isOtherWay ? { km: distanceKm, minutes: durationMinutes } : {};
  const prices = last.options.map(({ vehicleClass, totalRappen }) => ({
    text: francsText(totalRappen),
    classes: [vehicleClass],
  }));
  // Waiting can be asked for at the first pickup only.
  const wait_min =
    pickup.direction === "outbound" ? (Date.parse(pickup.freeUntil) - Date.parse(pickup.at)) / MINUTE : undefined;
  const missed = trainsOf(own.route).filter((name) => !trainsOf(last.route).includes(name));
  const name = missed.length > 0 ? missed.map((text) => ({ text })) : undefined;
  const lands = pickup.landing ? 1 : undefined;
  return [notice("LEAVE_BY", { time, name, lands, ...way, prices, wait_min })];

  function isWorse({ route, options }: Leaving): boolean {
    const totals = new Map(own.options.map(({ vehicleClass, totalRappen }) => [vehicleClass, totalRappen]));
    const isDearer = options.some((each) => each.totalRappen > (totals.get(each.vehicleClass) ?? each.totalRappen));
    return isDearer || route.distanceKm > own.route.distanceKm;
  }

  /** `undefined` where no road is open then. */
  async function openAt(instant: number): Promise<Leaving | undefined> {
    const { route: usual, points, pickupAt } = driven;
    const leavesAt = minutesAfter(pickupAt, driven.waitingMinutes);
    const isOther = dependsOnDeparture(usual, catalog, [leavesAt, new Date(instant)]);
    const route = isOther ? await measure(points, new Date(instant)).catch(unlessClosed) : usual;
    const waitingMinutes = (instant - pickupAt.getTime()) / MINUTE;
    return route && { route, options: optionsOf({ ...driven, route, waitingMinutes }) };
  }
}

function trainsOf({ notes }: MeasuredRoute): readonly string[] {
  return notes.flatMap(({ code, values }) => (code === "CAR_TRAIN" ? [String(values.name)] : []));
}

/** Whether the way may depend on when the car leaves within a span: by car trains, closures or another day's roads. */
function dependsOnDeparture(
  route: MeasuredRoute,
  { closures, tariff: { timeZone } }: Pick<Catalog, "closures" | "tariff">,
  [first, last]: readonly [Date, Date],
): boolean {
  const dayOf = (at: Date) => localDateTime(at, timeZone).slice(0, 10);
  const [day, lastDay] = [dayOf(first), dayOf(last)];
  const arrival = dayOf(minutesAfter(last, route.durationMinutes));
  return (
    day !== lastDay ||
    trainsOf(route).length > 0 ||
    closures.some(({ from, to }) => from.slice(0, 10) <= arrival && day <= to.slice(0, 10))
  );
}
