import { type Finding, warning } from "../../domain/catalog/finding.ts";
import type { RuleRoute, Season, When } from "../../domain/catalog/offer-schema.ts";
import { createPlaceAt } from "../../domain/places/extents.ts";
import type { Position } from "../../domain/places/geo.ts";
import { createZones } from "../../domain/places/zones.ts";
import { localTimeIn } from "../../ops/local-time.ts";
import type { Audited, Found } from "./audit.ts";
import { couldCoincide, directionsOf, pairsOf } from "./fare-conflicts.ts";

const ANYWHERE: readonly RuleRoute[] = [{}];
/** Postcodes that are named unless all are asked for. */
const FEW = 5;

/** Pairs of seasons that apply to the same journey: their percentages are added, which is rarely intended. */
export function auditSeasons({ catalog }: Audited): readonly Finding[] {
  const { meet } = createZones(catalog);
  return pairsOf(catalog.seasons)
    .filter(([one, other]) => haveCommonClass(one, other) && couldCoincide(one, other) && meetSomewhere(one, other))
    .map(([{ id }, other]) => warning("seasons.json", id, `overlaps ${other.id}: their percentages are added`));

  function meetSomewhere(a: Season, b: Season): boolean {
    return directionsOf(a.routes ?? ANYWHERE).some((one) =>
      directionsOf(b.routes ?? ANYWHERE).some((two) => areJoined(one.from, two.from) && areJoined(one.to, two.to)),
    );
  }

  /** An end that is not stated matches every place. */
  function areJoined(id: string | undefined, otherId: string | undefined): boolean {
    return id === undefined || otherId === undefined || meet(id, otherId);
  }
}

/** Ends of fares, and zones, that do not contain any coordinates, and postcodes of zones that no place has. */
export function auditReach({ catalog, all = false }: Audited): readonly Finding[] {
  const { places, zones, fares } = catalog;
  const placeAt = createPlaceAt(catalog);
  const { of: zonesOf } = createZones(catalog);
  const reached = places.filter((place) => around(place).some((at) => placeAt(at)?.id === place.id));
  const reachedIds = new Set(reached.flatMap((place) => [place.id, ...zonesOf(place)]));
  for (const { id, circle } of zones) {
    if (circle && around(circle).some((at) => !placeAt(at))) reachedIds.add(id);
  }
  const text = (id: string) =>
    `no coordinates lie in ${id}: ${zones.some((zone) => zone.id === id) ? "list its places or a circle" : "another place has its position"}`;
  const known = new Set(places.flatMap(({ country, postcodes }) => postcodes.map((each) => `${country} ${each}`)));
  return [
    ...zones.flatMap(({ id, country, postcodes = [] }) => {
      const unknown = postcodes.filter((each) => !known.has(`${country} ${each}`));
      if (unknown.length === 0 || unknown.length === postcodes.length) return [];
      const named = all ? unknown : unknown.slice(0, FEW);
      const more = unknown.length > named.length ? ` and ${unknown.length - named.length} more, which --all lists` : "";
      const text = `no place has ${named.join(", ")}${more}: correct or remove those that no address has; the others match only addresses that a geocoder finds`;
      return warning("zones.json", `${id}.postcodes`, text);
    }),
    ...zones.filter(({ id }) => !reachedIds.has(id)).map(({ id }) => warning("zones.json", id, text(id))),
    ...fares.flatMap(({ id: fare, routes }) => {
      const ends = new Set(routes.flatMap(({ from, to }) => [from, to]));
      return [...ends].filter((id) => !reachedIds.has(id)).map((id) => warning("fares.json", fare, text(id)));
    }),
  ];
}

/** Positions on a grid around a place, up to its radius or one kilometer. */
function around(place: Position & { readonly radiusKm?: number | undefined }): readonly Position[] {
  const { lat, lng, radiusKm = 1 } = place;
  const shares = [0, -0.9, -0.6, -0.3, -0.1, 0.1, 0.3, 0.6, 0.9].map((share) => (share * radiusKm) / KM_PER_DEGREE);
  return shares.flatMap((north) => shares.map((east) => ({ lat: lat + north, lng: lng + east })));
}

const KM_PER_DEGREE = 111;

/** Service rules after one that is for every journey. */
export function auditServiceRules({ catalog: { serviceRules } }: Audited): readonly Finding[] {
  const last = serviceRules.findIndex(
    ({ routes, corridor, endIn, bothEndsIn }) => !(routes ?? corridor ?? endIn ?? bothEndsIn),
  );
  const text = `no journey reaches it, since ${serviceRules[last]?.id} is for every journey: move that rule to the end, or remove this one`;
  return last < 0 ? [] : serviceRules.slice(last + 1).map(({ id }) => warning("service-rules.json", id, text));
}

/** Fares, seasons, stop-sales and closures that have ended. */
export function auditEnded({ catalog, now }: Audited): Found {
  const today = localTimeIn(catalog.tariff.timeZone)(now).slice(0, 10);
  return [
    ...catalog.fares.map(({ validTo, ...fare }) => ["fares.json", fare.id, validTo ?? lastDay(fare)] as const),
    ...catalog.seasons.map((season) => ["seasons.json", season.id, lastDay(season)] as const),
    ...catalog.stopSales.map((stopSale) => ["availability.json", stopSale.id, lastDay(stopSale)] as const),
    ...catalog.closures.map(({ id, to }) => ["closures.json", id, to.slice(0, 10)] as const),
  ].map(([file, id, last]) => {
    const text = `has ended on ${last}: remove it, or give it new dates`;
    return last !== undefined && last < today && warning(file, id, text);
  });
}

/** The last day of the rule; `undefined` where it applies every year. */
function lastDay({ dates }: When): string | undefined {
  const ends = dates?.map(({ to }) => to) ?? [];
  return ends.every((end) => end.length === 10) ? ends.sort().at(-1) : undefined;
}

function haveCommonClass({ classes }: Season, { classes: others }: Season): boolean {
  return classes === undefined || others === undefined || classes.some((id) => others.includes(id));
}
