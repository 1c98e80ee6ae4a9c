import type { Corridor } from "../../domain/catalog/catalog-schema.ts";
import type { PlaceEntry } from "../../domain/catalog/places-schema.ts";
import { contentsOf } from "../../domain/catalog/read-contents.ts";
import type { RoadEdge } from "../../domain/catalog/roads-schema.ts";
import { crowFliesKm, isInBox } from "../../domain/places/geo.ts";
import type { PlaceFinder } from "../../domain/places/place-finder.ts";
import { stopOf } from "../../domain/quotes/locate-points.ts";
import { unlessUnsupported } from "../../domain/routing/road-network.ts";
import type { RouteStop } from "../../domain/routing/router.ts";
import { type Audited, always, type Check, fault, repeated, warning } from "./catalog-check.ts";

const ZONES = "zones.json";
const CORRIDORS = "corridors.json";

/** A corridor so many times as long, or as short, as the roads is no journey between its ends. */
const MOST_TIMES = 1.5;

const MOST_KM_PER_HOUR = 140;
const LEAST_TRAIN_RAPPEN = 500;

/** When every pass is open and every car train runs, as routing engines assume at any time. */
export const SUMMER_NOON = new Date("2026-08-18T10:00:00Z");

/** What can be wrong with places, zones and corridors. */
// biome-ignore format: a table reads by its columns
export const ofPlaces: readonly Check[] = [
  fault(positions, ({ file }) => file, ({ path }) => path, ({ box, ...at }) => !isInBox(at, box), ({ lat, lng, box }) => `${lat}, ${lng} lies outside the box of service-area.json${isInBox({ lat: lng, lng: lat }, box) ? ": lat and lng are swapped" : ""}`),
  fault(positions, ({ file }) => file, ({ path }) => path, ({ box, km, ...at }) => isInBox(at, box) && km > 15, ({ lat, lng, km, node }) => `${lat}, ${lng} is ${km} km from its road node ${node?.id}: correct lat, lng or node`),
  fault(unreachedPlaces, ({ file }) => file, ({ path }) => path, always, ({ start }) => `no road leads there from ${start}`),
  fault(({ catalog }) => catalog.corridors, CORRIDORS, ({ key }) => `${key}.durationMinutes`, (corridor) => speedOf(corridor) > 120, (corridor) => `${corridor.durationMinutes} min for ${corridor.distanceKm} km is ${speedOf(corridor)} km/h on average: correct one of them`),
  warning(({ catalog }) => catalog.corridors, CORRIDORS, ({ key }) => `${key}.durationMinutes`, (corridor) => corridor.distanceKm > 10 && speedOf(corridor) < 20, (corridor) => `${corridor.durationMinutes} min for ${corridor.distanceKm} km is ${speedOf(corridor)} km/h on average: correct one of them`),
  warning(({ catalog }) => repeated(catalog.corridors, ({ origin, destination }) => [origin, destination]), CORRIDORS, ({ each }) => each.key, always, ({ each, earlier }) => `leads from ${each.origin} to ${each.destination} as ${earlier.key} does: correct its ends, or remove one of them`),
  warning(corridorsByRoad, CORRIDORS, ({ key }) => `${key}.distanceKm`, ({ distanceKm, km }) => Math.max(distanceKm, km) > 10 && (distanceKm > km * MOST_TIMES || km > distanceKm * MOST_TIMES), ({ distanceKm, km }) => `${distanceKm} km, and ${Math.round(km)} km by the roads: correct it, or its ends`),
  warning(edgesIn, ({ file }) => file, ({ from, to }) => `${from} ${to}.minutes`, ({ km = 0, minutes = 1, carTrain }) => !carTrain && (km / minutes) * 60 > MOST_KM_PER_HOUR, ({ km, minutes }) => `${minutes} min for ${km} km are no speed of a car: correct one of them`),
  warning(edgesIn, ({ file }) => file, ({ from, to }) => `${from} ${to}.carTrain.fareRappen`, ({ carTrain }) => (carTrain?.fareRappen ?? LEAST_TRAIN_RAPPEN) < LEAST_TRAIN_RAPPEN, ({ carTrain }) => `${carTrain?.fareRappen} Rappen for a car on a train: correct it, in Rappen`),
  warning(strayPostcodes, ZONES, ({ id }) => `${id}.postcodes`, always, ({ postcode, name, canton, usual }) => `${postcode} is ${name} in ${canton}, and most others are in ${usual}: correct it, or name the place in \`places\``),
  warning(({ catalog, zones }) => catalog.zones.filter(({ id, circle }) => !circle && zones.placesIn(id).size === 0), ZONES, ({ id }) => id, always, "no place lies in it: list its places, or a circle"),
];

/** Postcodes of a zone whose places are in another canton than three of four of its others. */
function strayPostcodes({ catalog: { zones, places } }: Audited) {
  const byPostcode = new Map<string, PlaceEntry>();
  for (const place of places) for (const each of place.postcodes) byPostcode.set(`${place.country} ${each}`, place);
  return zones.flatMap(({ id, country, postcodes = [] }) => {
    const found = postcodes.flatMap((postcode) => {
      const { name, canton } = byPostcode.get(`${country} ${postcode}`) ?? {};
      return canton === undefined ? [] : [{ id, postcode, name, canton }];
    });
    const isUsual = ({ canton }: { canton: string }) =>
      found.filter((each) => each.canton === canton).length >= found.length * 0.75;
    const { canton: usual } = found.find(isUsual) ?? {};
    return usual ? found.flatMap((each) => (each.canton === usual ? [] : { ...each, usual })) : [];
  });
}

/** Every place and the center of every zone. */
function positions(audited: Audited) {
  const { zones, roads, serviceArea } = audited.catalog;
  const places = placesIn(audited).map(({ file, id, lat = 0, lng = 0, node: nodeId = id }) => {
    const node = roads.nodes.get(nodeId);
    const km = node ? Math.round(crowFliesKm({ lat, lng }, node)) : 0;
    return { file, path: id, lat, lng, node, km, ...serviceArea };
  });
  const circles = zones.flatMap(({ id, circle }) => {
    return circle ? [{ file: ZONES, path: `${id}.circle`, ...circle, node: undefined, km: 0, ...serviceArea }] : [];
  });
  return [...places, ...circles];
}

function placesIn({ contents }: Audited) {
  return contentsOf(contents, "places").flatMap(([file, { places }]) => places.map((place) => ({ file, ...place })));
}

function edgesIn({ contents }: Audited) {
  return contentsOf(contents, "roads").flatMap(([file, { edges }]) => edges.map((edge) => ({ file, ...edge })));
}

function speedOf({ distanceKm, durationMinutes }: Corridor): number {
  return Math.round(distanceKm / (durationMinutes / 60));
}

/** Each corridor with its length by the roads. */
function corridorsByRoad(audited: Audited) {
  return audited.catalog.corridors.flatMap((corridor) => {
    const km = kmBetween(audited, corridor.origin, corridor.destination);
    return km === undefined ? [] : [{ ...corridor, km }];
  });
}

/** Places that cars cannot reach in summer from the origin of the first corridor. */
function unreachedPlaces(audited: Audited) {
  const { catalog, places, network } = audited;
  const [start] = stopsAt(places, [catalog.corridors[0]?.origin ?? ""]);
  const joined = nodesJoinedTo(start?.roadNode ?? "", catalog.roads.edges);
  return placesIn(audited).flatMap(({ file, id }) => {
    const [stop] = stopsAt(places, [id]);
    // A road network measures only the few places that are not at a node of the largest part of the roads.
    if (!start || !stop || joined.has(stop.roadNode ?? "") || network.joins([start, stop], SUMMER_NOON)) return [];
    return [{ file, path: id, start: start.name }];
  });
}

/** The nodes that open roads join to one of them, itself included. */
function nodesJoinedTo(first: string, edges: readonly RoadEdge[]): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    next.set(from, [...(next.get(from) ?? []), to]);
    next.set(to, [...(next.get(to) ?? []), from]);
  }
  const joined = new Set([first]);
  for (const node of joined) for (const neighbor of next.get(node) ?? []) joined.add(neighbor);
  return joined;
}

export function stopsAt(places: PlaceFinder, ids: readonly string[]): readonly RouteStop[] {
  return ids.flatMap((id) => places.byId(id) ?? []).map(stopOf);
}

/** The length of the road between two places in summer; `undefined` where there is none. */
export function kmBetween({ places, network }: Pick<Audited, "places" | "network">, from: string, to: string) {
  const stops = stopsAt(places, [from, to]);
  return stops.length === 2 ? unlessUnsupported(() => network.journey(stops, SUMMER_NOON).distanceKm) : undefined;
}
