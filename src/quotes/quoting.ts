import { PublicError } from "../contract/errors.ts";
import type { Clock } from "../ops/clock.ts";
import type { PlaceFinder } from "../places/place-finder.ts";
import { billedHours, eligibleClasses, type PricedLeg, priceLines, totalRappen } from "../pricing/price.ts";
import type { Published } from "../published/published.ts";
import { routeContractVersion, routeFingerprint } from "../routing/fingerprint.ts";
import type { MeasuredRoute, Router } from "../routing/router.ts";
import type { Journey } from "./journey.ts";
import { checkPickup, checkReturn } from "./journey-times.ts";
import { type LocatedPoint, locatePoints, stopOf } from "./locate-points.ts";
import { checkParty } from "./party.ts";
import type { PricedJourney } from "./quote.ts";
import { waitsOf } from "./waits-of.ts";

/** Measures and prices journeys. */
export interface Quoting {
  /**
   * The journey with its prices. Throws the public error of whatever stands in the way: times, places, party, route;
   * UPSTREAM_UNAVAILABLE where a geocoder or router is down. Stops early when `signal` aborts.
   */
  price(journey: Journey, signal: AbortSignal): Promise<PricedJourney>;
}

export interface QuotingParts {
  readonly clock: Clock;
  readonly published: Published;
  readonly places: PlaceFinder;
  readonly router: Router;
}

export function createQuoting({ clock, published, places, router }: QuotingParts): Quoting {
  const { tariff, vehicleClasses } = published;

  return { price };

  async function price(journey: Journey, signal: AbortSignal): Promise<PricedJourney> {
    const now = clock.now();
    checkPickup(journey.pickupAt, now, tariff);
    const party = checkParty(journey, vehicleClasses);
    const points = await locatePoints(journey.points, places, signal);
    const outbound = await measure(points, journey.pickupAt, journey.callerMetrics, signal);
    const measuredAt = knowsAll(journey.callerMetrics) ? null : clock.now().toISOString();
    const dwell = points.reduce((minutes, { dwellMinutes }) => minutes + (dwellMinutes ?? 0), 0);
    const { returnAt } = journey;
    if (returnAt)
      checkReturn(
        returnAt,
        { pickupAt: journey.pickupAt, travelMinutes: outbound.durationMinutes + dwell, now },
        tariff,
      );
    const back = returnAt && (await measure(endsReversed(points), returnAt, null, signal));
    signal.throwIfAborted();

    const outboundLeg = legOf(outbound, journey.pickupAt, waitsOf(points, journey.waitingMinutes));
    const returnLeg = back && returnAt && legOf(back, returnAt, []);
    const request = { outbound: outboundLeg, return: returnLeg, hireHours: journey.hireHours };
    const options = eligibleClasses(vehicleClasses, party).flatMap((vehicle) => {
      const rate = tariff.rates[vehicle.id];
      if (!rate) return [];
      const { id, type, ...capacities } = vehicle;
      const fleetId = vehicleClasses.indexOf(vehicle) + 1;
      const total = totalRappen(tariff, priceLines(tariff, rate, request));
      return [{ fleetId, vehicleClass: id, vehicleType: type, ...capacities, totalRappen: total }];
    });
    if (options.length === 0)
      throw new PublicError("QUOTE_UNAVAILABLE", "The tariff cannot price this journey now.");

    const doubts = [...outbound.doubts, ...(back?.doubts ?? [])];
    const authority = journey.callerMetrics ? authorityOf(journey.callerMetrics) : "SERVER_VERIFIED";
    const first = points[0];
    const last = points[points.length - 1];
    return {
      origin: first?.text ?? "",
      destination: last?.text ?? "",
      stops: points.slice(1, -1).map(({ text, dwellMinutes }) => ({ name: text, dwellMinutes })),
      pickupAt: journey.pickupAt.toISOString(),
      returnAt: returnAt?.toISOString() ?? null,
      passengers: journey.passengers,
      adults: party.adults,
      children: journey.children,
      infants: journey.infants,
      luggage: journey.luggage,
      route: {
        authority,
        automaticallyPayable: !journey.callerMetrics && doubts.length === 0,
        distanceKm: outbound.distanceKm,
        durationMinutes: outbound.durationMinutes,
        measuredAt,
        contractVersion: routeContractVersion(router),
        fingerprint: routeFingerprint(
          points.map(({ place, dwellMinutes }) => ({ ...place, dwellMinutes })),
          router,
        ),
        basis: measuredAt === null ? null : router.basis,
      },
      currency: tariff.currency,
      options,
      requiresManualConfirmation: doubts.length > 0,
      limitations: [
        ...new Set([
          ...points.flatMap(({ notes }) => notes),
          ...party.notes,
          ...outbound.notes,
          ...(back
            ? [`The price includes the way back of ${back.distanceKm} km without stops.`, ...back.notes]
            : []),
          ...hireNotes(journey, outboundLeg),
          ...doubts.map((doubt) => `${doubt} The operator confirms this journey by hand.`),
        ]),
      ],
    };
  }

  async function measure(
    points: readonly LocatedPoint[],
    departure: Date,
    caller: Journey["callerMetrics"],
    signal: AbortSignal,
  ): Promise<MeasuredRoute> {
    if (knowsAll(caller)) {
      const { distanceKm, durationMinutes } = caller;
      return { distanceKm, durationMinutes, feesRappen: 0, notes: [], doubts: [] };
    }
    const stops = points.map((point) => ({ ...stopOf(point), field: point.field }));
    const measured = await router.measure(stops, departure, signal);
    return {
      ...measured,
      distanceKm: caller?.distanceKm ?? measured.distanceKm,
      durationMinutes: caller?.durationMinutes ?? measured.durationMinutes,
    };
  }

  function hireNotes({ hireHours }: Journey, leg: PricedLeg): readonly string[] {
    if (hireHours === null) return [];
    const billed = billedHours(leg, hireHours);
    const included = billed * tariff.hourly.includedKmPerHour;
    const longer =
      billed > Math.ceil(hireHours)
        ? ` The journey takes longer than ${hireHours} h, so ${billed} h are charged.`
        : "";
    return [`Hire of ${billed} h with ${included} km included.${longer}`];
  }
}

/** The way back leads straight from the destination to the origin; stops are not repeated. */
function endsReversed(points: readonly LocatedPoint[]): readonly LocatedPoint[] {
  return [points[points.length - 1], points[0]].filter((point) => point !== undefined);
}

function legOf(route: MeasuredRoute, pickupAt: Date, waits: PricedLeg["waits"]): PricedLeg {
  const { distanceKm, durationMinutes, feesRappen } = route;
  return { pickupAt, distanceKm, drivingMinutes: durationMinutes, feesRappen, waits };
}

/** Whether the caller brings both metrics, so that there is nothing to measure. */
function knowsAll(
  caller: Journey["callerMetrics"],
): caller is { readonly distanceKm: number; readonly durationMinutes: number } {
  return caller !== null && caller.distanceKm !== null && caller.durationMinutes !== null;
}

function authorityOf({ distanceKm, durationMinutes }: NonNullable<Journey["callerMetrics"]>) {
  return distanceKm === null && durationMinutes === null ? "SERVER_VERIFIED" : "CLIENT_PROVIDED";
}
