import type { Catalog } from "../catalog/catalog.ts";
import type { Fare } from "../catalog/offer-schema.ts";
import { type PickupTime, pickupTime } from "./calendar.ts";
import type { PriceLine } from "./price.ts";
import { faresOn, type LegEnds } from "./routes.ts";
import { type Surcharge, surchargesOver } from "./surcharges.ts";

/** The outbound or the return journey, as measured. */
export interface MeasuredLeg {
  readonly pickupAt: Date;
  readonly ends: LegEnds;
  /** Priced to the hectometer. */
  readonly distanceKm: number;
  /** Driving time without dwell. */
  readonly drivingMinutes: number;
  /** Tolls and car trains on the route, charged as they are. */
  readonly fees: readonly PriceLine[];
  /** Waiting at the pickup and dwell at each place where the car stops, each with its own free part. */
  readonly waits: readonly { readonly minutes: number; readonly atAirport: boolean }[];
  readonly hasStops: boolean;
  /** Whether it ends where it starts, so that the driver waits for the return. */
  readonly isRoundTrip: boolean;
}

/** Hours of hire with what is charged on top of them. */
export interface Hire {
  readonly hours: number;
  readonly surcharges: readonly Surcharge[];
}

/** A leg with what the catalog says of its ends and its times: all that its price depends on besides the class. */
export interface PricedLeg extends MeasuredLeg {
  readonly pickup: PickupTime;
  /** The pickup; of a hire, the beginning of each hour. */
  readonly times: readonly PickupTime[];
  /** At the pickup. */
  readonly surcharges: readonly Surcharge[];
  /** Between its ends at the pickup; the first that prices a class holds. */
  readonly fares: readonly Fare[];
  /** The hire that takes as long; `null` where no price depends on it. */
  readonly hire: Hire | null;
}

/** `hireHours` are the hours that were asked for, `null` for a transfer. */
export function pricedLeg(
  catalog: Pick<Catalog, "tariff" | "seasons" | "fares">,
  leg: MeasuredLeg,
  hireHours: number | null = null,
): PricedLeg {
  const { tariff, fares } = catalog;
  const { pickupAt, ends, isRoundTrip } = leg;
  const pickup = pickupTime(tariff, pickupAt);
  const hours = hireHours !== null || isRoundTrip ? billedHours(leg, hireHours ?? 0) : 0;
  const begins = Array.from({ length: hours }, (_, hour) => pickupTime(tariff, new Date(+pickupAt + hour * HOUR)));
  return {
    pickup,
    times: hireHours === null ? [pickup] : begins,
    surcharges: surchargesOver(catalog, ends, [pickup]),
    fares: faresOn(fares, ends, pickup),
    hire: hours > 0 ? { hours, surcharges: surchargesOver(catalog, ends, begins) } : null,
    ...leg,
  };
}

const HOUR = 3_600_000;

/** Started hours, never fewer than the journey itself takes with its stops. */
function billedHours({ waits, drivingMinutes }: MeasuredLeg, hours: number): number {
  const dwell = waits.reduce((minutes, wait) => minutes + wait.minutes, 0);
  return Math.max(1, Math.ceil(hours), Math.ceil((drivingMinutes + dwell) / 60));
}
