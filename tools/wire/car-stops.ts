import { z } from "zod/v3";
import { textsOf } from "../../src/contract/notices.ts";
import { carFreeNotices } from "../../src/domain/quotes/leg-notices.ts";
import type { PricedJourney, Services } from "../../src/service/calls/operation.ts";

/** Where the car stops for a car-free place. The wire has three names for what the code calls a car stop. */

const CarStopOut = z.object({ place: z.string(), onward: z.string() }).passthrough().nullable().optional();

export const CAR_STOPS = {
  drop_off: CarStopOut.describe(
    "car stop of a car-free destination, also the return pickup; null = at the destination",
  ),
  pickup_stop: CarStopOut.describe("car stop of a car-free origin, also the end of the return; null = at the origin"),
};

export function wireCarStops({ carStopAtDestination: dropOff, carStopAtOrigin: pickupStop }: PricedJourney) {
  return { drop_off: dropOff && { ...dropOff }, pickup_stop: pickupStop && { ...pickupStop } };
}

/** What is to be translated of them. */
export function carStopTexts({ carStopAtDestination, carStopAtOrigin }: PricedJourney): readonly string[] {
  return [carStopAtDestination, carStopAtOrigin].flatMap((stop) => (stop ? [stop.place, stop.onward] : []));
}

type CorridorEnd = NonNullable<ReturnType<Services["places"]["byId"]>>;

/** A car-free end of a published corridor. */
export function wireCorridorStop(end: CorridorEnd) {
  const note = textsOf(carFreeNotices("CAR_FREE_STOP", end)).join(" ");
  return { place: end.place.name, car_stops_at: end.carStop.name, note };
}
