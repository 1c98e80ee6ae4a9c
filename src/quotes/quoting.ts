import type { Catalog } from "../catalog/catalog.ts";
import { distinct, type Notice, notice, ofDirections } from "../contract/notices.ts";
import type { Clock } from "../ops/clock.ts";
import type { ObserveStage } from "../ops/tracing.ts";
import type { PlaceFinder } from "../places/place-finder.ts";
import type { PricingRequest } from "../pricing/price.ts";
import { rulesFor } from "../pricing/priced-direction.ts";
import { routeContractVersion, routeFingerprint } from "../routing/fingerprint.ts";
import type { MeasuredRoute, Router } from "../routing/router.ts";
import { minutesAfter } from "../routing/timetable.ts";
import { inTime, offered, rangesOf, refusalNotices, sold, widestWindow } from "./eligibility.ts";
import { checkEnds, createCountryOf, createListedEnds, createVatOf } from "./journey-ends.ts";
import { legsOf } from "./journey-legs.ts";
import { cancellationNotices, checkPickup, checkReturn, deadlinesOf, pickupRange } from "./journey-times.ts";
import { pickupToArrive } from "./latest-pickup.ts";
import { arrivalNotices, carStopOf, hireEndNotices, legNotices, operatorNotices, timesSince } from "./leg-notices.ts";
import { type LocatedPoint, locatePoints } from "./locate-points.ts";
import {
  authorityOf,
  createDirections,
  endsOf,
  isFullyStated,
  isOneSpot,
  measure,
  measureShorter,
} from "./measured-journey.ts";
import { optionsFor } from "./options.ts";
import { checkParty, extrasOf, itemCharges } from "./party.ts";
import { priceNotices, vatNotices } from "./price-notices.ts";
import type { Journey, PricedJourney, PricedOption } from "./quote.ts";
import { createServiceRules } from "./service-rules.ts";
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
  const directions = createDirections(catalog);
  const countryOf = createCountryOf(catalog);
  const vatOf = createVatOf(catalog, countryOf);
  const serviceRuleFor = createServiceRules(catalog, countryOf);
  const terms = termsOf(catalog);
  const listedEnds = createListedEnds(catalog);
  const contact = { operator: operator.name, phone: operator.phone, email: operator.email };
  const cancellation = catalog.policies.find(({ key }) => key === "cancellation");

  return { price };

  async function price(journey: Journey, call: PricedCall): Promise<PricedJourney> {
    const { points: _, pickupAt: asked, returnAt, adults: __, callerMetrics, ...stated } = journey;
    const located = await locate(journey, call);
    const timed = await time(journey, located, call);
    const measured = await measureAll(journey, located, timed, call);
    const { points } = located;
    const { outbound, back, pickupAt, measuredAt } = measured;
    const priced = call.observe("pricing", () => priceAll(journey, located, measured, call));
    const { request, options, vatPercent } = priced;

    const legs = legsAlong(journey, located, measured, request);
    const timeOf = timesSince(pickupAt, tariff.timeZone);
    const deadlines = deadlinesOf(pickupAt, returnAt, cancellation);
    const hireEnd = {
      hours: request.outbound.hire?.hours.length ?? 0,
      isRoundTrip: isOneSpot(...endsOf(points)),
      travelMinutes: outbound.durationMinutes + dwellOf(points),
    };
    const doubts = ofDirections(outbound.doubts, back?.doubts);
    const isManual = doubts.length > 0;
    const notices = distinct([
      ...doubts,
      ...(isManual ? [notice("MANUAL_CONFIRMATION", contact)] : []),
      ...legNotices(legs, points, journey, timeOf),
      ...located.notices,
      ...(asked instanceof Date ? [] : arrivalNotices(asked, points, outbound, tariff)),
      ...cancellationNotices(deadlines, cancellation, located.now),
      ...refusalNotices(priced.candidates, { ...located.party, items: located.extras.items }, tariff.timeZone),
      ...ofDirections(outbound.notes, back?.notes),
      ...(back ? [notice("RETURN_INCLUDED", { km: back.distanceKm })] : []),
      ...priceNotices(options),
      ...vatNotices(tariff, vatPercent, options),
      ...(stated.hireHours === null ? [] : hireEndNotices(legs, hireEnd, timeOf)),
      ...(isManual ? [] : onRequestNotices(options, priced.onRequestBecause)),
    ]);
    const measuredOn = { basis: router.basis, dataVersion: versionOf(outbound, back) };
    const [from, to] = endsOf(points);
    return {
      origin: from.text,
      destination: to.text,
      stops: points.slice(1, -1).map(stopOn),
      pickupAt: pickupAt.toISOString(),
      returnAt: returnAt?.toISOString() ?? null,
      adults: located.party.adults,
      carStopAtDestination: carStopOf(to),
      carStopAtOrigin: carStopOf(from),
      route: {
        authority: authorityOf(callerMetrics),
        automaticallyPayable: !callerMetrics && !isManual,
        distanceKm: outbound.distanceKm,
        durationMinutes: outbound.durationMinutes,
        measuredAt,
        contractVersion: routeContractVersion(measuredOn),
        fingerprint: routeFingerprint(points, measuredOn),
        basis: measuredAt === null ? null : router.basis,
      },
      path: outbound.path ?? null,
      ends: located.ends,
      returnRoute: back && { distanceKm: back.distanceKm, durationMinutes: back.durationMinutes },
      currency: tariff.currency,
      tariffVersion: tariff.version,
      terms,
      vatPercent,
      options,
      publishesPriceLines: tariff.publishPriceLines,
      requiresManualConfirmation: isManual,
      notices,
      legs,
      ...deadlines,
      ...stated,
    };
  }

  /** Who travels with what, between which places, and when each class can be booked. */
  async function locate(journey: Journey, { signal, observe, places }: PricedCall) {
    const { pickupAt } = journey;
    const now = clock.now();
    const [found] = await Promise.allSettled([find()]);
    // A pickup that no class accepts on any route is reported before any other error; the exact range of accepted
    // pickups depends on the classes and places.
    const anyRange = () => [pickupRange(now, widestWindow(catalog))];
    const ranges =
      found.status === "fulfilled"
        ? rangesOf(catalog, found.value.party.candidates, directions.rulePoints(found.value.points), now)
        : undefined;
    if (pickupAt instanceof Date) checkPickup(pickupAt, now, ranges ?? anyRange(), catalog);
    if (found.status === "rejected") throw found.reason;
    const { extras, party, points } = found.value;
    if (journey.hireHours === null) checkEnds(points);
    const homeward = homewardOf(points);
    const endsAlong = (some: readonly LocatedPoint[]) => listedEnds(some, directions.rulePoints(some));
    const ends = endsAlong(points);
    const serviceRule = serviceRuleFor(points, directions.rulePoints(points), ends.corridor);
    const pickups = [
      { from: points[0], corridor: ends.corridor },
      ...(journey.returnAt ? [{ from: homeward[0], corridor: endsAlong(homeward).corridor }] : []),
    ];
    const notices = [...operatorNotices(operator, pickups), ...party.notes];
    return { extras, party, points, homeward, ends, serviceRule, now, ranges: ranges ?? [], notices };

    async function find() {
      const extras = extrasOf(journey, luggage);
      const party = checkParty(journey, extras, vehicleClasses);
      return { extras, party, points: await observe("places", () => locatePoints(journey.points, places, signal)) };
    }
  }

  type Located = Awaited<ReturnType<typeof locate>>;

  /** When the car is at the pickup, which way it drives then, and which classes can be booked for that time. */
  async function time(journey: Journey, { points, ranges, party, now }: Located, call: PricedCall) {
    const { pickupAt: asked, waitingMinutes, returnAt, callerMetrics } = journey;
    const measureAt = (leavesAt: Date) => measure(router, points, leavesAt, callerMetrics, call);
    const dwellMinutes = dwellOf(points);
    const arrival = { waitingMinutes, dwellMinutes, leastMinutes: callerMetrics?.durationMinutes ?? 0 };
    const { pickupAt, route } =
      asked instanceof Date
        ? { pickupAt: asked, route: await measureAt(minutesAfter(asked, waitingMinutes)) }
        : await pickupToArrive({ ...asked, ...arrival }, { now, ranges, catalog, measureAt });
    const { candidates, latest } = inTime(catalog, party.candidates, ranges, { pickupAt, returnAt, now });
    const leavesAt = minutesAfter(pickupAt, waitingMinutes);
    const travelMinutes = route.durationMinutes + dwellMinutes;
    if (returnAt) checkReturn(returnAt, { leavesAt, travelMinutes, latest }, tariff.timeZone);
    return { pickupAt, leavesAt, outbound: route, candidates };
  }

  type Timed = Awaited<ReturnType<typeof time>>;

  /** The ways that the price depends on: also the return, and the ways with fewer stops. */
  async function measureAll(
    { callerMetrics, returnAt }: Journey,
    { points, homeward }: Located,
    timed: Timed,
    call: PricedCall,
  ) {
    const measuredAt = isFullyStated(callerMetrics) ? null : clock.now().toISOString();
    const along = (some: readonly LocatedPoint[], at: Date) => measure(router, some, at, callerMetrics, call);
    const shorter = await measureShorter(points, callerMetrics, (some) => along(some, timed.leavesAt));
    const back = returnAt && (await along(homeward, returnAt));
    call.signal.throwIfAborted();
    return { ...timed, shorter, back, measuredAt };
  }

  function legsAlong(
    { waitingMinutes, hireHours, returnAt }: Journey,
    { points, homeward }: Located,
    { pickupAt, outbound, back }: Awaited<ReturnType<typeof measureAll>>,
    { outbound: { hire } }: PricingRequest,
  ) {
    const charged = hireHours === null ? null : (hire?.hours.length ?? hireHours);
    const there = { points, pickupAt, waitingMinutes, route: outbound, hireHours: charged };
    return [
      ...legsOf({ direction: "outbound", ...there }),
      ...(back && returnAt
        ? legsOf({
            ...{ direction: "return", points: homeward, pickupAt: returnAt, waitingMinutes: 0, route: back },
            hireHours: null,
          })
        : []),
    ];
  }

  /** The classes that are sold, with what they are charged. */
  function priceAll(
    { returnAt, waitingMinutes, hireHours }: Journey,
    { points, homeward, extras, serviceRule }: Located,
    { pickupAt, outbound: route, shorter, back, candidates }: Awaited<ReturnType<typeof measureAll>>,
    { client }: PricedCall,
  ) {
    const rules = rulesFor(catalog, client);
    const driven = { route, shorter, points, pickupAt, waitingMinutes, hireHours };
    const outbound = directions.priced(rules, driven);
    const homeDriven = back && returnAt && { route: back, shorter: [], points: homeward, pickupAt: returnAt };
    const home = homeDriven && directions.priced(rules, { ...homeDriven, waitingMinutes: 0, hireHours: null });
    const both = [outbound, ...(home ? [home] : [])];
    const request: PricingRequest = {
      ...{ outbound, return: home, isHire: hireHours !== null },
      atLeast: directions.atLeast(rules, driven, outbound),
      items: itemCharges(extras.ordered, tariff, both),
    };
    const left = sold(catalog, candidates, both, serviceRule);
    const vatPercent = vatOf(points);
    return {
      ...left,
      request,
      vatPercent,
      options: optionsFor(catalog, offered(left.candidates), request, vatPercent),
    };
  }

  function onRequestNotices(options: readonly PricedOption[], reason = ""): readonly Notice[] {
    const names = options.filter(({ onRequest }) => onRequest).map(({ vehicleClass }) => vehicleClass);
    return names.length > 0 ? [notice("ON_REQUEST", { classes: [{ classes: names }], ...contact, reason })] : [];
  }
}

function dwellOf(points: readonly LocatedPoint[]): number {
  return points.reduce((minutes, { dwellMinutes }) => minutes + (dwellMinutes ?? 0), 0);
}

function stopOn({ text, position, place, dwellMinutes }: LocatedPoint): PricedJourney["stops"][number] {
  return { name: text, at: position && { ...position, near: place.near ?? place.name }, dwellMinutes };
}

/** The return journey leads straight from the destination to the origin; stops are not repeated. */
function homewardOf(points: readonly LocatedPoint[]): readonly LocatedPoint[] {
  const [from, to] = endsOf(points);
  return [to, from];
}

/** The version of the road data behind the price; both versions if the data changed between the two measurements. */
function versionOf(outbound: MeasuredRoute, back: MeasuredRoute | null): string {
  const versions = back ? [outbound.dataVersion, back.dataVersion] : [outbound.dataVersion];
  return [...new Set(versions)].join("&");
}
