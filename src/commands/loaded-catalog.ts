import type { Catalog } from "../catalog/catalog.ts";
import { isPackaged } from "../catalog/catalog-folder.ts";
import { createZones } from "../places/zones.ts";
import { colored, wrapped } from "./columns.ts";

const FEW = 5;

/**
 * What a catalog contains, by file, and whether a file is packaged or merged with the packaged one: the number of
 * records, the places of each zone and the routes of each fare, the first few of them unless all are asked for.
 */
export function loadedCatalog(catalog: Catalog, all = false): string {
  const { zones, fares, places, vehicleClasses, corridors, seasons, stopSales, bookingWindows } = catalog;
  const zonesOf = createZones(catalog).of;
  const inZone = (id: string) => places.filter((place) => zonesOf(place).includes(id)).map((place) => place.id);
  const count = (things: readonly unknown[], one: string, many = `${one}s`) =>
    `${things.length} ${things.length === 1 ? one : many}`;
  const from = (file: string) => {
    const source = catalog.sources.get(file) ?? "no file";
    return source === "own" ? "" : ` (${source})`;
  };
  const named = (names: readonly string[], one: string, separator = ", ") => {
    const shown = all ? names : names.slice(0, FEW);
    const more = names.length > shown.length ? ` and ${names.length - shown.length} more, which --all lists` : "";
    return names.length === 0 ? `no ${one}` : `${count(names, one)}: ${shown.join(separator)}${more}`;
  };
  const line = (file: string, text: string) => `${file}: ${text}${from(file)}`;
  const packaged = [...catalog.sources].flatMap(([file, source]) => (source === "packaged" ? [file] : []));
  const lines = [
    line("corridors.json", count(corridors, "corridor")),
    line("vehicle-classes.json", count(vehicleClasses, "class", "classes")),
    `places/: ${count(places, "place")}; roads/: ${count(catalog.roads.edges, "road")}`,
    line("availability.json", `${count(stopSales, "stop-sale")}, ${count(bookingWindows, "booking window")}`),
    line("fares.json", count(fares, "fare")),
    line("seasons.json", count(seasons, "season")),
    line("place-fees.json", count(catalog.placeFees, "fee")),
    line("service-rules.json", count(catalog.serviceRules, "rule")),
    line("closures.json", count(catalog.closures, "closure")),
    line("clients.json", count(catalog.clients, "client")),
    line("zones.json", count(zones, "zone")),
    ...zones.map(({ id }) => `zone ${id} contains ${named(inZone(id), "place")}`),
    ...fares.map(({ id, routes, rappen }) => {
      const ends = routes.map(({ from, to, bothWays }) => `${from} ${bothWays ? "and" : "to"} ${to}`);
      return `fare ${id} is for ${named(ends, "route", "; ")}: ${Object.keys(rappen).join(", ")}`;
    }),
    ...(isPackaged(catalog.folder) ? [] : [`from the package: ${packaged.join(", ") || "nothing"}`]),
  ];
  return `\n${colored("bold", "Loaded")}:\n${lines.map((line) => `- ${wrapped(line, 2)}`).join("")}`;
}
