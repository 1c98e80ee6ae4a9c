import { PublicError } from "../../contract/errors.ts";
import { classNames } from "../../contract/notice-formats.ts";
import { distinct, type Notice, namingClasses, notice, ofBoth } from "../../contract/notices.ts";
import type { Clock } from "../../ops/clock.ts";
import type { Log } from "../../ops/log.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { townText } from "../places/place-finder.ts";
import { MOST_DISCOUNT_PERCENT } from "../pricing/charge.ts";
import { isOverDiscounted, type PricingRequest } from "../pricing/price.ts";
import { rulesFor } from "../pricing/priced-direction.ts";
import { EMBEDDED } from "../routing/embedded-router.ts";
import { routeContractVersion, routeFingerprint } from "../routing/route-fingerprint.ts";
import type { Router } from "../routing/router.ts";
import { minutesAfter } from "../routing/timetable.ts";
import { type Availability, createFreedom } from "./availability.ts";
import { forHours, inTime, rangeOfAll, rangesOf, sold } from "./eligibility.ts";
import { createServiceRules, listedEnds, namedPlace } from "./journey-ends.ts";
import { legsOf, withFreeWaiting } from "./journey-legs.ts";
import { cancellationNotices, checkPickup, checkReturn, deadlinesOf } from "./journey-times.ts";
import { pickupToArrive } from "./latest-pickup.ts";
import { leaveByNotices } from "./leave-by.ts";
import { arrivalNotice, legNotices, operatorNotices, timesSince, viaNotices } from "./leg-notices.ts";
import { type LocatedPoint, locatePoints } from "./locate-points.ts";
import {
  createDirections,
  createMeasure,
  type Driven,
  dwellOf,
  isFullyStated,
  type Measure,
  measureWays,
  type PricedCall,
} from "./measured-journey.ts";
import { itemCharges, partyOf } from "./party.ts";
import { priceNotices, vatNotices } from "./price-notices.ts";
import { pricedOption } from "./priced-option.ts";
import { type Journey, type PricedJourney, termsOf } from "./quote.ts";
import { checkLeadsSomewhere, createRegularJourney, endsOf } from "./regular-journey.ts";
import { withSavings } from "./savings.ts";

/** Measures and prices journeys. */
export interface Quoting {
  /**
   * The journey with its prices. Throws the public error of the first check that fails: party, places, times, route;
   * UPSTREAM_UNAVAILABLE if a geocoder or router is unavailable.
   */
  price(journey: Journey, call: PricedCall): Promise<PricedJourney>;
}

export interface QuotingParts {
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly router: Router;
  /** Absent where every vehicle is always free. */
  readonly availability?: Availability | undefined;
  readonly log?: Log | undefined;
}

export function createQuoting({ clock, catalog, router, availability, log }: QuotingParts): Quoting {
  const { tariff, vehicleClasses, operator } = catalog;
  const directions = createDirections(catalog);
  const regularJourney = createRegularJourney(catalog);
  const onRequestBecause = createServiceRules(catalog);
  const terms = termsOf(catalog);
  const nameOf = classNames(vehicleClasses);
  const contact = { operator: operator.name, phone: operator.phone, email: operator.email };
  const cancellation = catalog.policies.find(({ key }) => key === "cancellation");

  return { price: withSavings(price, catalog, router.basis === EMBEDDED) };

  async function price(journey: Journey, call: PricedCall): Promise<PricedJourney> {
    const measure = createMeasure(router, tariff, journey.callerMetrics, call);
    const located = await locate(journey, call);
    const timed = await time(journey, located, measure);
    const measured = await measureAll(journey, located, timed, measure, call);
    const priced = call.observe("pricing", () => priceAll(journey, located, timed, measured));
    const { points: _, pickupAt: __, returnAt, adults: ___, callerMetrics, ...stated } = journey;
    const { points, regular, party } = located;
    const { driven, measuredAt } = measured;
    const { options } = priced;
    const [{ route }, back] = driven;
    const leaveBy: (readonly Notice[])[] = [];
    const timeOf = timesSince(timed.pickupAt.toISOString(), tariff.timeZone);
    for (const way of driven) {
      const optionsOf = (later: Driven) =>
        priced.optionsOf({ ...priced.request, [way.direction]: directions.priced(measured.rules, later) });
      leaveBy.push(await leaveByNotices(way, { ...priced, catalog, optionsOf, measure, timeOf }));
    }
    const isManual = measured.doubts.length > 0 || options.every(({ onRequest }) => onRequest);
    // Both versions of the road data if it changed between the two measurements.
    const versions = new Set(driven.map((way) => way.route.dataVersion));
    const measuredOn = { basis: router.basis, dataVersion: [...versions].join("&") };
    const [from, to] = endsOf(points);
    return {
      origin: from.text,
      destination: to.text,
      originPlace: namedPlace(from),
      destinationPlace: namedPlace(to),
      stops: points.slice(1, -1).map(stopOn),
      pickupAt: timed.pickupAt.toISOString(),
      returnAt: returnAt?.toISOString() ?? null,
      route: {
        authority: callerMetrics ? "CLIENT_PROVIDED" : "SERVER_VERIFIED",
        automaticallyPayable: !callerMetrics && !isManual,
        distanceKm: route.distanceKm,
        durationMinutes: route.durationMinutes,
        measuredAt,
        contractVersion: routeContractVersion(measuredOn),
        fingerprint: routeFingerprint(regular.points, measuredOn),
        basis: measuredAt === null ? null : router.basis,
      },
      ends: located.ends,
      returnRoute: back ? { distanceKm: back.route.distanceKm, durationMinutes: back.route.durationMinutes } : null,
      currency: tariff.currency,
      tariffVersion: tariff.version,
      terms,
      vatPercent: priced.vatPercent,
      options,
      publishesPriceLines: tariff.publishPriceLines,
      requiresManualConfirmation: isManual,
      notices: namingClasses(distinct([...priced.notices, ...ofBoth(leaveBy)]), nameOf, labelsOf(points)),
      legs: priced.legs,
      savings: [],
      arriveBy: journey.pickupAt instanceof Date ? null : journey.pickupAt.arriveBy.toISOString(),
      ...timed.deadlines,
      ...stated,
      ...party.stated,
    };
  }

  /** Who travels with what, between which places, and when each class can be booked. */
  async function locate(journey: Journey, { signal, observe, places, onAsked }: PricedCall) {
    const { pickupAt } = journey;
    const now = clock.now();
    const [seated, located] = await Promise.allSettled([
      (async () => partyOf(journey, catalog))(),
      observe("places", () => locatePoints(journey.points, places, signal, reportEnds)),
    ]);
    if (seated.status === "rejected" || located.status === "rejected") {
      // A pickup that no class accepts on any route is reported first, then the party, then the places.
      if (pickupAt instanceof Date) checkPickup(pickupAt, now, [rangeOfAll(catalog, now)], catalog);
      throw [seated, located].flatMap((each) => (each.status === "rejected" ? [each.reason] : []))[0];
    }
    const [party, points] = [seated.value, located.value];
    const regular = regularJourney(points, journey.waitingMinutes);
    const rulePoints = directions.rulePointsOf(regular.points);
    const ranges = rangesOf(catalog, party.candidates, rulePoints, now);
    if (pickupAt instanceof Date) checkPickup(pickupAt, now, ranges, catalog);
    if (journey.hireHours === null) checkLeadsSomewhere(regular);
    const [from, to] = endsOf(regular.points);
    // The return journey leads straight from the destination to the origin; stops and their stays are not repeated.
    const homeward = [to, from].map((point) => ({ ...point, dwellMinutes: null }));
    const ends = listedEnds(catalog, regular.points, rulePoints);
    const pickups = [
      { from, corridor: ends.corridor },
      ...(journey.returnAt
        ? [{ from: to, corridor: listedEnds(catalog, homeward, directions.rulePointsOf(homeward)).corridor }]
        : []),
    ];
    const onRequest = onRequestBecause(regular.points, rulePoints, ends.corridor);
    const notices = [...operatorNotices(operator, pickups), ...party.notices];
    return { now, party, points, regular, homeward, ends, ranges, onRequest, notices };

    function reportEnds(found: readonly (LocatedPoint | undefined)[]): void {
      const rulePointOf = (point: LocatedPoint | undefined) => point && directions.rulePointsOf([point])[0];
      onAsked?.(() => listedEnds(catalog, found, found.map(rulePointOf)));
    }
  }

  type Located = Awaited<ReturnType<typeof locate>>;

  /** When the car is at the pickup, which way it drives then, and which classes can be booked for that time. */
  async function time(journey: Journey, { regular, ranges, party, now }: Located, measure: Measure) {
    const { pickupAt: asked, returnAt, callerMetrics } = journey;
    const { points, waitingMinutes } = regular;
    const measureAt = (leavesAt: Date) => measure(points, leavesAt);
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
    const deadlines = deadlinesOf(pickupAt, returnAt, cancellation);
    const notices = [
      ...(asked instanceof Date ? [] : [arrivalNotice({ ...asked, waitingMinutes }, endsOf(points), route, tariff)]),
      ...cancellationNotices(deadlines, cancellation, now, tariff.timeZone),
    ];
    return { pickupAt, leavesAt, travelMinutes, route, candidates, deadlines, notices };
  }

  type Timed = Awaited<ReturnType<typeof time>>;

  /** The ways that the price depends on, also the return and those with fewer stops; where to be on them, and when. */
  async function measureAll(
    { callerMetrics, returnAt, hireHours }: Journey,
    { regular, homeward }: Located,
    { pickupAt, leavesAt, route }: Timed,
    measure: Measure,
    call: PricedCall,
  ) {
    const measuredAt = isFullyStated(callerMetrics) ? null : clock.now().toISOString();
    const ways = await measureWays(regular.points, leavesAt, callerMetrics, measure);
    const outbound: Driven = { direction: "outbound", route, ways, pickupAt, hireHours, ...regular };
    const driven: [Driven, ...Driven[]] = [outbound];
    if (returnAt) {
      const back = { route: await measure(homeward, returnAt), ways: [], pickupAt: returnAt, hireHours: null };
      driven.push({ direction: "return", ...back, ...regularJourney(homeward, 0) });
    }
    call.signal.throwIfAborted();
    const rules = rulesFor(catalog, call.client);
    const [first, back = null] = driven.map((way) => directions.priced(rules, way));
    if (!first) throw new Error("a journey has an outbound direction");
    const isHire = hireHours !== null;
    const request = { outbound: first, return: back, isHire, parts: directions.parts(rules, outbound, first) };
    const legs = driven.flatMap((way) => legsOf(way, way.hireHours === null ? null : first.times.length));
    return { driven, measuredAt, rules, request, legs, doubts: ofBoth(driven.map((way) => way.route.doubts)) };
  }

  type Measured = Awaited<ReturnType<typeof measureAll>>;

  /** The classes that are sold, with what they are charged. */
  function priceAll(
    journey: Journey,
    { points, regular, party, ends, onRequest, notices: ofPlaces }: Located,
    { pickupAt, travelMinutes, candidates, notices: ofTimes }: Timed,
    { driven, rules, doubts, ...measured }: Measured,
  ) {
    const both = [measured.request.outbound, ...(measured.request.return ? [measured.request.return] : [])];
    const request: PricingRequest = { ...measured.request, items: itemCharges(party.ordered, tariff, both) };
    const hours = measured.request.outbound.times.length;
    const left = journey.hireHours === null ? candidates : forHours(candidates, tariff, hours);
    const offer = sold(catalog, left, both, onRequest, createFreedom(catalog, availability, measured.legs));
    const { vat } = tariff;
    const vatPercent = vat && points.every(({ place }) => place.country === vat.country) ? vat.percent : null;
    const given = offer.vehicles.filter(({ id }) => isOverDiscounted(id, request));
    if (given.length > 0) {
      const facts = { vehicle_classes: given.map(({ id }) => id), pickup_at: pickupAt.toISOString() };
      log?.warn({ ...facts, ...ends }, `not sold: discounts reach ${MOST_DISCOUNT_PERCENT} % together`);
    }
    const vehicles = offer.vehicles.filter((vehicle) => !given.includes(vehicle));
    const optionsOf = (asked: PricingRequest) =>
      vehicles.flatMap((vehicle) => pricedOption(vehicle, catalog, rules.tariff, asked, vatPercent) ?? []);
    const options = optionsOf(request);
    if (options.length === 0) throw new PublicError("QUOTE_UNAVAILABLE", "The tariff cannot price this journey now.");
    const requested = options.filter((option) => option.onRequest).map(({ vehicleClass }) => vehicleClass);
    const legs = withFreeWaiting(measured.legs, options);
    const notices = [
      ...doubts,
      ...(doubts.length > 0 ? [notice("MANUAL_CONFIRMATION", contact)] : []),
      ...legNotices(legs, regular, journey, { travelMinutes, timeZone: tariff.timeZone, options }),
      ...ofPlaces,
      ...ofTimes,
      ...viaNotices(driven.map(({ route }) => route.via)),
      ...ofBoth(driven.map(({ route }) => route.notes)),
      ...driven.slice(1).map(({ route }) => notice("RETURN_INCLUDED", { km: route.distanceKm })),
      ...offer.notices,
      ...priceNotices(options),
      ...vatNotices(tariff, vatPercent, options),
      ...(doubts.length > 0 || requested.length === 0
        ? []
        : [
            notice("ON_REQUEST", {
              classes: [{ classes: requested }],
              ...contact,
              reason: offer.onRequestBecause || undefined,
            }),
          ]),
    ];
    return { request, vatPercent, options, optionsOf, legs, notices };
  }
}

/** What callers call positions, in any words. */
function labelsOf(points: readonly LocatedPoint[]): ReadonlySet<string> {
  return new Set(points.flatMap(({ position, place }) => (position && place.isPosition ? [place.name] : [])));
}

function stopOn(point: LocatedPoint): PricedJourney["stops"][number] {
  const { text, position, place, dwellMinutes } = point;
  const at = position && { ...position, near: townText(place.town) };
  return { name: text, place: namedPlace(point), at, dwellMinutes };
}
