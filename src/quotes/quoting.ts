import type { Catalog } from "../catalog/catalog.ts";
import type { VehicleClass } from "../catalog/catalog-schema.ts";
import { PublicError } from "../contract/errors.ts";
import { distinct, type Notice, notice, textsOf, withValues } from "../contract/notices.ts";
import type { Clock } from "../ops/clock.ts";
import type { ObserveStage } from "../ops/tracing.ts";
import type { PlaceFinder } from "../places/place-finder.ts";
import { createZones } from "../places/zones.ts";
import { type PricingRequest, priceOf } from "../pricing/price.ts";
import type { PriceRules } from "../pricing/priced-leg.ts";
import { routeContractVersion, routeFingerprint } from "../routing/fingerprint.ts";
import type { MeasuredRoute, Router } from "../routing/router.ts";
import { minutesAfter } from "../routing/timetable.ts";
import { bookableClasses, rangesOf, soldClasses, widestWindow } from "./availability.ts";
import { arrivalsOf, legsOf } from "./journey-legs.ts";
import { cancellationNotices, checkPickup, checkReturn, deadlinesOf, pickupRange } from "./journey-times.ts";
import { pickupToArrive } from "./latest-pickup.ts";
import { arrivalNotices, carStopOf, hireEndNotices, legNotices, operatorNotices, timesSince } from "./leg-notices.ts";
import {
  authorityOf,
  checkEnds,
  createListedEnds,
  createVatOf,
  endsOf,
  isFullyStated,
  legOf,
  measure,
} from "./legs.ts";
import { type LocatedPoint, locatePoints } from "./locate-points.ts";
import { checkParty, extraLines, extrasOf } from "./party.ts";
import { priceNotices, vatNotices } from "./price-notices.ts";
import type { Journey, PricedJourney, PricedOption } from "./quote.ts";
import { termsOf } from "./terms.ts";

/** Measures and prices journeys. */
export interface Quoting {
  /**
   * The journey with its prices. Throws the public error of the first check that fails: party, places, times, route;
   * UPSTREAM_UNAVAILABLE if a geocoder or router is unavailable.
   */
  price(journey: Journey, call: PricedCall): Promise<PricedJourney>;
}

/** The call for which a journey is priced. */
export interface PricedCall {
  /** Aborts pricing. */
  readonly signal: AbortSignal;
  readonly observe: ObserveStage;
  readonly places: PlaceFinder;
  /** The client that the caller's token was issued to. */
  readonly client?: string | undefined;
}

export interface QuotingParts {
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly router: Router;
}

export function createQuoting({ clock, catalog, router }: QuotingParts): Quoting {
  const { tariff, vehicleClasses, luggage, operator } = catalog;
  const zones = createZones(catalog);
  const vatOf = createVatOf(catalog);
  const terms = termsOf(catalog);
  const listedEnds = createListedEnds(catalog, zones);
  const contact = { operator: operator.name, phone: operator.phone, email: operator.email };
  const cancellation = catalog.policies.find(({ key }) => key === "cancellation");

  return { price };

  async function price(journey: Journey, call: PricedCall): Promise<PricedJourney> {
    const { signal, observe } = call;
    const { points: _, pickupAt: asked, returnAt, adults, callerMetrics, ...stated } = journey;
    const { hireHours, waitingMinutes } = stated;
    const now = clock.now();
    const { extras, party, points } = await travelersAndPlaces(journey, call).catch((error: unknown) => {
      // A pickup that no class accepts on any route is reported before this error. The exact range of accepted pickups
      // depends on classes and places, so it is checked once both are known.
      if (asked instanceof Date) checkPickup(asked, now, [pickupRange(now, widestWindow(catalog))], catalog);
      throw error;
    });
    const ends = endsOf(points, zones);
    const ranges = rangesOf(catalog, party.classes, ends, now);
    if (asked instanceof Date) checkPickup(asked, now, ranges, catalog);
    if (hireHours === null) checkEnds(points);
    const measureAt = (leavesAt: Date) => measure(router, points, leavesAt, callerMetrics, call);
    const fixed = { waitingMinutes, dwellMinutes: dwellOf(points), leastMinutes: callerMetrics?.durationMinutes ?? 0 };
    const { pickupAt, route: outbound } =
      asked instanceof Date
        ? { pickupAt: asked, route: await measureAt(minutesAfter(asked, waitingMinutes)) }
        : await pickupToArrive({ ...asked, ...fixed }, { now, ranges, catalog, measureAt });
    const bookable = bookableClasses(catalog, ranges, { pickupAt, returnAt, now });
    const leavesAt = minutesAfter(pickupAt, waitingMinutes);
    const measuredAt = isFullyStated(callerMetrics) ? null : clock.now().toISOString();
    const travelMinutes = outbound.durationMinutes + fixed.dwellMinutes;
    if (returnAt) {
      checkReturn(returnAt, { leavesAt, travelMinutes, latest: bookable.latest }, tariff.timeZone);
    }
    const homeward = endsReversed(points);
    const back = returnAt && (await measure(router, homeward, returnAt, callerMetrics, call));
    signal.throwIfAborted();

    const vatPercent = vatOf(points);
    const rules = rulesFor(catalog, call.client);
    const { request, sold, options } = observe("pricing", () => {
      const journeys = {
        outbound: legOf(rules, zones, { route: outbound, points, pickupAt, waitingMinutes, hireHours }),
        return:
          back && returnAt
            ? legOf(rules, zones, {
                route: back,
                points: homeward,
                pickupAt: returnAt,
                waitingMinutes: 0,
                hireHours: null,
              })
            : null,
        isHire: hireHours !== null,
      };
      const legs = [journeys.outbound, journeys.return].filter((leg) => leg !== null);
      const request: PricingRequest = { ...journeys, extras: extraLines(extras.ordered, tariff, legs) };
      const sold = soldClasses(catalog, bookable.classes, legs);
      return { request, sold, options: optionsFor(sold.classes, request, vatPercent) };
    });
    const { hire, isRoundTrip } = request.outbound;
    const legs = [
      ...legsOf({
        ...{ direction: "outbound", points, pickupAt, waitingMinutes, route: outbound },
        hireHours: hireHours === null ? null : (hire?.hours ?? hireHours),
      }),
      ...(back && returnAt
        ? legsOf({
            ...{ direction: "return", points: homeward, pickupAt: returnAt, waitingMinutes: 0, route: back },
            hireHours: null,
          })
        : []),
    ];
    const timeOf = timesSince(pickupAt, tariff.timeZone);
    const deadlines = deadlinesOf(pickupAt, returnAt, cancellation);
    const doubts = ofLegs(outbound.doubts, back?.doubts);
    const hireEnd = { hours: hire?.hours ?? 0, isRoundTrip, travelMinutes };
    const outboundEnds = listedEnds(points, ends);
    const notices = distinct([
      ...doubts,
      ...(doubts.length > 0 ? [notice("MANUAL_CONFIRMATION", contact)] : []),
      ...legNotices(legs, points, journey, timeOf),
      ...operatorNotices(operator, [
        { from: points[0], corridor: outboundEnds.corridor },
        ...(back ? [{ from: homeward[0], corridor: listedEnds(homeward, endsOf(homeward, zones)).corridor }] : []),
      ]),
      ...party.notes,
      ...(asked instanceof Date ? [] : arrivalNotices(asked, points, outbound, tariff)),
      ...cancellationNotices(deadlines, cancellation, now),
      ...bookable.notes,
      ...sold.notes,
      ...ofLegs(outbound.notes, back?.notes),
      ...(back ? [notice("RETURN_INCLUDED", { km: back.distanceKm })] : []),
      ...priceNotices(tariff, request, options, hireHours),
      ...vatNotices(tariff, vatPercent, options),
      ...(hireHours === null ? [] : hireEndNotices(legs, hireEnd, timeOf)),
      ...(doubts.length > 0 ? [] : onRequestNotices(options, sold.onRequestBecause)),
    ]);
    const measuredOn = { basis: router.basis, dataVersion: versionOf(outbound, back) };
    return {
      origin: points[0]?.text ?? "",
      destination: points[points.length - 1]?.text ?? "",
      stops: points.slice(1, -1).map(stopOn),
      pickupAt: pickupAt.toISOString(),
      returnAt: returnAt?.toISOString() ?? null,
      adults: party.adults,
      carStopAtDestination: carStopOf(points[points.length - 1]),
      carStopAtOrigin: carStopOf(points[0]),
      route: {
        authority: authorityOf(callerMetrics),
        automaticallyPayable: !callerMetrics && doubts.length === 0,
        distanceKm: outbound.distanceKm,
        durationMinutes: outbound.durationMinutes,
        measuredAt,
        contractVersion: routeContractVersion(measuredOn),
        fingerprint: routeFingerprint(points, measuredOn),
        basis: measuredAt === null ? null : router.basis,
      },
      path: outbound.path ?? null,
      ends: outboundEnds,
      returnRoute: back && { distanceKm: back.distanceKm, durationMinutes: back.durationMinutes },
      currency: tariff.currency,
      tariffVersion: tariff.version,
      terms,
      vatPercent,
      options,
      publishesPriceLines: tariff.publishPriceLines,
      requiresManualConfirmation: doubts.length > 0,
      limitations: textsOf(notices),
      notices,
      legs,
      ...arrivalsOf(legs),
      ...deadlines,
      ...stated,
    };
  }

  async function travelersAndPlaces(journey: Journey, { signal, observe, places }: PricedCall) {
    const extras = extrasOf(journey, luggage);
    const party = checkParty(journey, extras, vehicleClasses);
    return { extras, party, points: await observe("places", () => locatePoints(journey.points, places, signal)) };
  }

  /** Throws QUOTE_UNAVAILABLE if the tariff has a price for none of the classes. */
  function optionsFor(
    classes: readonly VehicleClass[],
    request: PricingRequest,
    vatPercent: number | null,
  ): readonly PricedOption[] {
    const options = classes.flatMap((vehicle) => {
      const { id } = vehicle;
      const price = priceOf(tariff, id, request);
      if (!price) return [];
      const { totalRappen, lines: priceLines } = price;
      if (!Number.isSafeInteger(totalRappen))
        throw new Error(`the price of ${id} is not a safe integer: ${totalRappen}`);
      // Field by field, because a rest and a spread for each class take a tenth of a quote's time.
      return [
        {
          fleetId: vehicleClasses.findIndex((each) => each.id === id) + 1,
          vehicleClass: id,
          vehicleType: vehicle.type,
          totalRappen,
          vatRappen: vatPercent === null ? null : Math.round((totalRappen * vatPercent) / (100 + vatPercent)),
          priceLines,
          passengerCapacity: vehicle.passengerCapacity,
          luggageCapacity: vehicle.luggageCapacity,
          largeLuggageCapacity: vehicle.largeLuggageCapacity,
          smallLuggageCapacity: vehicle.smallLuggageCapacity,
          onRequest: vehicle.onRequest,
        },
      ];
    });
    if (options.length > 0) return options;
    throw new PublicError("QUOTE_UNAVAILABLE", "The tariff cannot price this journey now.");
  }

  function onRequestNotices(options: readonly PricedOption[], reason = ""): readonly Notice[] {
    const names = options.filter(({ onRequest }) => onRequest).map(({ vehicleClass }) => vehicleClass);
    return names.length > 0 ? [notice("ON_REQUEST", { classes: [{ classes: names }], ...contact, reason })] : [];
  }
}

/** The price rules of the catalog, with those agreed with the client. */
function rulesFor(catalog: Catalog, clientId: string | undefined): PriceRules {
  const client = catalog.clients.find(({ id }) => id === clientId);
  if (!client) return catalog;
  const { id, label, percent = 0, fares = {} } = client;
  return {
    tariff: catalog.tariff,
    fares: catalog.fares.map((fare) => ({ ...fare, rappen: { ...fare.rappen, ...fares[fare.id] } })),
    seasons: [...catalog.seasons, { id, label, percent, isAgreed: true }],
  };
}

function dwellOf(points: readonly LocatedPoint[]): number {
  return points.reduce((minutes, { dwellMinutes }) => minutes + (dwellMinutes ?? 0), 0);
}

function stopOn({ text, position, place, dwellMinutes }: LocatedPoint): PricedJourney["stops"][number] {
  return { name: text, at: position && { ...position, near: place.near ?? place.name }, dwellMinutes };
}

/** The return journey leads straight from the destination to the origin; stops are not repeated. */
function endsReversed(points: readonly LocatedPoint[]): readonly LocatedPoint[] {
  return [points[points.length - 1], points[0]].filter((point) => point !== undefined);
}

/** Merges the notices of both directions: equal ones appear once, others are marked with their direction. */
function ofLegs(outbound: readonly Notice[], back: readonly Notice[] | undefined): readonly Notice[] {
  if (!back) return outbound;
  const alone = (leg: string, notes: readonly Notice[], others: readonly Notice[]) =>
    notes.map((each) => (others.some(({ text }) => text === each.text) ? each : withValues(each, { leg })));
  return distinct([...alone("outbound", outbound, back), ...alone("return", back, outbound)]);
}

/** The version of the road data behind the price; both versions if the data changed between the two measurements. */
function versionOf(outbound: MeasuredRoute, back: MeasuredRoute | null): string {
  const versions = back ? [outbound.dataVersion, back.dataVersion] : [outbound.dataVersion];
  return [...new Set(versions)].join("&");
}
