import { type Finding, fault, warning } from "../../domain/catalog/finding.ts";
import type { Tariff } from "../../domain/catalog/tariff-schema.ts";
import { crowFliesKm, isInBox } from "../../domain/places/geo.ts";
import { DAY } from "../../ops/durations.ts";
import type { Audited, Found } from "./audit.ts";

/** Numbers and combinations that the schemas allow, but that no operator means. */

const DAY_HOURS = 24;
const VAT_OF_SWITZERLAND = [8.1, 3.8, 2.6];

/** Places and zones outside of the service area, and places far from their road node: often swapped coordinates. */
export function auditPositions({ catalog }: Audited): Found {
  const { places, placeFiles, zones, serviceArea, roads } = catalog;
  const outside = ({ lat, lng }: { readonly lat: number; readonly lng: number }) => {
    const swapped = isInBox({ lat: lng, lng: lat }, serviceArea.box) ? ": lat and lng are swapped" : "";
    return `${lat}, ${lng} lies outside the box of service-area.json${swapped}`;
  };
  return [
    ...zones.map(
      ({ id, circle }) =>
        circle !== undefined &&
        !isInBox(circle, serviceArea.box) &&
        fault("zones.json", `${id}.circle`, outside(circle)),
    ),
    ...places.map((place) => {
      const file = placeFiles.get(place.id) ?? "places";
      if (!isInBox(place, serviceArea.box)) return fault(file, place.id, outside(place));
      const node = roads.nodes.get(place.node ?? place.id);
      const km = node ? Math.round(crowFliesKm(place, node)) : 0;
      const text = `${place.lat}, ${place.lng} is ${km} km from its road node ${node?.id}: correct lat, lng or node`;
      return km > 15 && fault(file, place.id, text);
    }),
  ];
}

export function auditTariff({ catalog: { tariff, operator, bookingWindows } }: Audited): Found {
  const { vat, night, returnDiscount, roundingRappen, officeHours = { from: 0, to: DAY_HOURS } } = tariff;
  const at = (path: string, text: string) => warning("tariff.json", path, text);
  const nightHours = (night.toHour - night.fromHour + DAY_HOURS) % DAY_HOURS;
  return [
    vat !== undefined && vatFault(vat),
    vat !== undefined && !operator.vatNumber && at("vat", "VAT is shown, but operator.json has no vatNumber: add it"),
    nightHours > 12 &&
      night.percent > 0 &&
      at("night", `it lasts ${nightHours} h, from ${night.fromHour} to ${night.toHour} o'clock: swap the two hours`),
    returnDiscount.percent > 50 &&
      at("returnDiscount.percent", `${returnDiscount.percent} % is more than half: lower it`),
    roundingRappen > 100 &&
      at("roundingRappen", `${roundingRappen} rounds to more than one franc: state Rappen, such as 5`),
    ...[{ id: undefined, ...tariff }, ...bookingWindows].map((window) => {
      const { id, leadTimeHours = tariff.leadTimeHours, horizonDays = tariff.horizonDays } = window;
      const hours = `${leadTimeHours} h${tariff.officeHours ? " of office hours" : ""}`;
      const text = `${hours} is later than the horizon of ${horizonDays} days: nothing is sold`;
      const isNeverSold = leadTimeHours > horizonDays * (officeHours.to - officeHours.from);
      return isNeverSold && fault(id ? "availability.json" : "tariff.json", `${id ? `${id}.` : ""}leadTimeHours`, text);
    }),
  ];
}

function vatFault({ percent, country }: NonNullable<Tariff["vat"]>): Finding | false {
  if (percent < 1 || percent > 30)
    return fault("tariff.json", "vat.percent", `${percent} % is no rate of VAT: state it in percent, such as 8.1`);
  const usual = VAT_OF_SWITZERLAND.join(", ");
  const isUnusual = country === "CH" && !VAT_OF_SWITZERLAND.includes(percent);
  return isUnusual && warning("tariff.json", "vat.percent", `${percent} % is no Swiss rate; these are ${usual}`);
}

/** Classes that seat more and cost less than the first, which is the smallest by convention, or that nobody is offered. */
export function auditFleet({ catalog: { vehicleClasses, tariff } }: Audited): Found {
  const [first, ...others] = vehicleClasses;
  if (!first) return [];
  const rateOf = (id: string) => tariff.rates[id]?.perKmRappen ?? Number.NaN;
  const smaller = others.find(({ passengerCapacity }) => passengerCapacity < first.passengerCapacity);
  const seats = `${first.passengerCapacity} seats, more than ${smaller?.id} has: classes are listed smallest first`;
  return [
    smaller !== undefined && warning("vehicle-classes.json", first.id, seats),
    ...others.map(({ id, passengerCapacity: each }) => {
      const text = `${rateOf(id)} is less than ${rateOf(first.id)} of ${first.id}, which has fewer seats: correct one of them`;
      const isCheaper = each > first.passengerCapacity && rateOf(id) < rateOf(first.id);
      return isCheaper && warning("tariff.json", `rates.${id}.perKmRappen`, text);
    }),
    ...vehicleClasses.map(({ id, smallestParty = 0, passengerCapacity }) => {
      const text = `${smallestParty} is more than its ${passengerCapacity} seats, so that nobody is offered it: lower it`;
      return smallestParty > passengerCapacity && warning("vehicle-classes.json", `${id}.smallestParty`, text);
    }),
  ];
}

/** Corridors that no car drives in that time, whose key names other ends, and those without their opposite direction. */
export function auditCorridorFigures({ catalog: { corridors } }: Audited): Found {
  return corridors.flatMap(({ key, origin, destination, distanceKm, durationMinutes }) => {
    const speed = Math.round(distanceKm / (durationMinutes / 60));
    const text = `${durationMinutes} min for ${distanceKm} km is ${speed} km/h on average: correct one of them`;
    const named = `${origin}-to-${destination}`;
    const isPaired = corridors.some((other) => other.origin === destination && other.destination === origin);
    return [
      speed > 120 && fault("corridors.json", `${key}.durationMinutes`, text),
      key !== named &&
        warning("corridors.json", key, `the key does not name its ends, which are ${named}: correct one of them`),
      speed < 15 && warning("corridors.json", `${key}.durationMinutes`, text),
      !isPaired && warning("corridors.json", key, `no corridor leads from ${destination} to ${origin}: add it`),
    ];
  });
}

/** Policies whose hours contradict each other or their text. */
export function auditPolicies({ catalog: { policies } }: Audited): Found {
  const cancellation = policies.find(({ key }) => key === "cancellation");
  if (!cancellation)
    return [fault(POLICIES, "cancellation", "missing: without it no free cancellation is stated anywhere")];
  const { fullRefundCutoffHours: hours, partialRefunds: [tier] = [], text } = cancellation;
  const [, stated] = /\b(\d+) (?:hours|h)\b/.exec(text) ?? [];
  const tooLate = `${tier?.hours} h: until ${hours} h all is refunded: state fewer than ${hours} hours`;
  const contradiction = `"${stated} hours", but fullRefundCutoffHours is ${hours}: write {fullRefundCutoffHours}`;
  return [
    tier !== undefined && tier.hours >= hours && fault(POLICIES, "cancellation.partialRefunds", tooLate),
    ...policies.map(
      ({ key, fullRefundCutoffHours: own }) =>
        own !== hours && warning(POLICIES, `${key}.fullRefundCutoffHours`, `${own}, but cancellation has ${hours}`),
    ),
    stated !== undefined && Number(stated) !== hours && warning(POLICIES, "cancellation.text", contradiction),
  ];
}

const POLICIES = "policies.json";

/** Rules that leave nothing to sell, and closures of nearly a whole year. */
export function auditRules({ catalog }: Audited): Found {
  const { stopSales, clients, budgets, roads, closures, serviceRules } = catalog;
  const { points, seconds } = budgets.quote_authoritative;
  const [rule] = serviceRules;
  const isForEverything = rule?.offer === "none" && !(rule.routes ?? rule.corridor ?? rule.endIn ?? rule.bothEndsIn);
  const ALWAYS = "it is for every class, journey and time, so that nothing is sold: limit it";
  const FIRST = "the first rule is for every journey, so that nothing is sold: limit it";
  return [
    ...stopSales.map(({ id, offer, classes, routes, dates, weekdays, hours }) => {
      const isLimited = classes ?? routes ?? dates ?? weekdays ?? hours;
      return offer === "none" && !isLimited && fault("availability.json", id, ALWAYS);
    }),
    rule !== undefined && isForEverything && fault("service-rules.json", rule.id, FIRST),
    ...closures.map(({ id, road, from, to }) => {
      const days = Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / DAY) + 1;
      const text = `${road} is closed on ${days} days, until ${to}: correct the year`;
      return days > 300 && warning("closures.json", `${id}.to`, text);
    }),
    ...clients.map(({ id, percent = 0 }) => {
      const text = `${percent} % changes the fare by a third or more: correct it, unless that is agreed`;
      return Math.abs(percent) > 30 && warning("clients.json", `${id}.percent`, text);
    }),
    (points * 3600) / seconds < 10 &&
      warning(
        "budgets.json",
        "quote_authoritative",
        `${points} in ${seconds} s, so that an agent stops at its first journey: allow more`,
      ),
    ...roads.edges.map((edge) => {
      const { from, to, name = "the road", closed } = edge;
      const days = closed ? daysOf(closed.from, closed.to) : 0;
      const text = `${name} is closed on ${days} days, from ${closed?.from} to ${closed?.to}: swap the two days`;
      return days > 300 && warning(roads.fileOf.get(edge) ?? "roads", `edges.${from} ${to}.closed`, text);
    }),
  ];
}

function daysOf(from: string, to: string): number {
  const [first, last] = [from, to].map((day) => Date.parse(`2027-${day}T00:00Z`) / DAY);
  return (((last ?? 0) - (first ?? 0) + 365) % 365) + 1;
}
