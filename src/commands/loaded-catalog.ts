import type { Catalog } from "../catalog/catalog.ts";
import { createZones } from "../places/zones.ts";
import { colored, wrapped } from "./columns.ts";

/** What a catalog contains, by file: the number of records, the places of each zone and the ends of each fare. */
export function loadedCatalog(catalog: Catalog): string {
  const { zones, fares, places, vehicleClasses, corridors, seasons, stopSales, bookingWindows } = catalog;
  const zonesOf = createZones(catalog).of;
  const inZone = (id: string) => places.filter((place) => zonesOf(place).includes(id)).map((place) => place.id);
  const count = (things: readonly unknown[], one: string, many = `${one}s`) =>
    `${things.length} ${things.length === 1 ? one : many}`;
  const lines = [
    `corridors.json: ${count(corridors, "corridor")}`,
    `vehicle-classes.json: ${count(vehicleClasses, "class", "classes")}`,
    `places/: ${count(places, "place")}; roads/: ${count(catalog.roads.edges, "road")}`,
    `availability.json: ${count(stopSales, "stop-sale")}, ${count(bookingWindows, "booking window")}`,
    `seasons.json: ${count(seasons, "season")}`,
    `place-fees.json: ${count(catalog.placeFees, "fee")}`,
    `service-rules.json: ${count(catalog.serviceRules, "rule")}`,
    `closures.json: ${count(catalog.closures, "closure")}`,
    `clients.json: ${count(catalog.clients, "client")}`,
    ...zones.map(({ id }) => `zones.json: ${id} contains ${inZone(id).join(", ") || "no place"}`),
    ...fares.map(({ id, routes, rappen }) => {
      const ends = routes.map(({ from, to, bothWays }) => `${from} ${bothWays ? "and" : "to"} ${to}`);
      return `fares.json: ${id} is for ${ends.join("; ")}: ${Object.keys(rappen).join(", ")}`;
    }),
  ];
  return `\n${colored("bold", "Loaded")}:\n${lines.map((line) => `- ${wrapped(line, 2)}`).join("")}`;
}
