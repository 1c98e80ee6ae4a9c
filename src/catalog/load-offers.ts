import type { CatalogFolder } from "./catalog-folder.ts";
import type { BookingWindow, Client, Fare, PlaceFee, Route, Season, StopSale, Zone } from "./offer-schema.ts";
import type { ServiceRule } from "./service-rules-schema.ts";

/** How an operator refines the tariff; empty where a folder has no such file. */
export interface Offers {
  readonly zones: readonly Zone[];
  readonly fares: readonly Fare[];
  readonly seasons: readonly Season[];
  /** Parking, access and other fees of places. */
  readonly placeFees: readonly PlaceFee[];
  readonly stopSales: readonly StopSale[];
  readonly bookingWindows: readonly BookingWindow[];
  /** What is sold, the first rule that matches; empty where everything in the service area is sold at once. */
  readonly serviceRules: readonly ServiceRule[];
  /** Clients with prices, budgets or a commission of their own. */
  readonly clients: readonly Client[];
}

interface Known {
  readonly placeIds: ReadonlySet<string>;
  readonly classIds: ReadonlySet<string>;
  /** Those with a price of their own; several vehicles have that of their class. */
  readonly pricedIds: ReadonlySet<string>;
}

interface Rule {
  readonly id: string;
  readonly routes?: readonly Route[] | undefined;
  readonly classes?: readonly string[] | undefined;
}

/** Reads the files, and reports references to unknown records. */
export function loadOffers(folder: CatalogFolder, { placeIds, classIds, pricedIds }: Known): Offers {
  const { zones } = folder.readIfPresent("zones", { zones: [] });
  const { fares } = folder.readIfPresent("fares", { fares: [] });
  const { seasons } = folder.readIfPresent("seasons", { seasons: [] });
  const { placeFees } = folder.readIfPresent("place-fees", { placeFees: [] });
  const { clients } = folder.readIfPresent("clients", { clients: [] });
  const { stopSales, bookingWindows } = folder.readIfPresent("availability", { stopSales: [], bookingWindows: [] });
  const { rules: serviceRules } = folder.readIfPresent("service-rules", { rules: [] });
  const ends = new Set([...placeIds, ...zones.map(({ id }) => id)]);
  checkZones();
  check(
    "fares.json",
    fares.map((fare) => ({ ...fare, classes: Object.keys(fare.rappen) })),
    pricedIds,
  );
  check("seasons.json", seasons, pricedIds);
  check("place-fees.json", placeFees, pricedIds);
  for (const { id, places } of placeFees) checkEnds("place-fees.json", `${id}.places`, places);
  check("availability.json", stopSales);
  check("availability.json", bookingWindows);
  checkClients();
  check("service-rules.json", serviceRules);
  checkAreas();
  return { serviceRules, zones, fares, seasons, placeFees, stopSales, bookingWindows, clients };

  function checkClients(): void {
    checkIds("clients.json", clients);
    for (const { id, fares: own = {} } of clients) {
      for (const [fareId, rappen] of Object.entries(own)) {
        const fareIds = fares.map((fare) => fare.id);
        if (!fareIds.includes(fareId)) folder.reportUnknown("clients.json", id, "fare", fareId, fareIds);
        for (const unknown of Object.keys(rappen).filter((each) => !pricedIds.has(each)))
          folder.reportUnknown("clients.json", id, "vehicle class", unknown, pricedIds);
      }
    }
  }

  function checkAreas(): void {
    const codes = folder.read("service-area").countries;
    for (const { id, ...rule } of serviceRules) {
      for (const field of ["endIn", "bothEndsIn"] as const) {
        const { countries = [], places = [] } = rule[field] ?? {};
        checkEnds("service-rules.json", `${id}.${field}`, places);
        for (const unknown of countries.filter((each) => !codes.includes(each)))
          folder.reportUnknown("service-rules.json", `${id}.${field}`, "country of service-area.json", unknown, codes);
      }
    }
  }

  function checkZones(): void {
    checkIds("zones.json", zones);
    for (const { id, places = [] } of zones) {
      if (placeIds.has(id)) folder.report("zones.json", id, "a place has this id");
      for (const unknown of places.filter((place) => !placeIds.has(place)))
        folder.reportUnknown("zones.json", `${id}.places`, "place", unknown, placeIds);
    }
  }

  function check(file: string, rules: readonly Rule[], known = classIds): void {
    checkIds(file, rules);
    for (const { id, routes = [], classes = [] } of rules) {
      for (const unknown of classes.filter((each) => !known.has(each)))
        folder.reportUnknown(file, id, "vehicle class", unknown, known);
      const named = routes.flatMap(({ from, to }) => [from, to]).filter((end) => end !== undefined);
      checkEnds(file, `${id}.routes`, named);
    }
  }

  function checkEnds(file: string, path: string, ids: readonly string[]): void {
    for (const unknown of ids.filter((each) => !ends.has(each)))
      folder.reportUnknown(file, path, "place or zone", unknown, ends);
  }

  function checkIds(file: string, records: readonly { readonly id: string }[]): void {
    folder.reportDuplicates(
      file,
      records.map(({ id }) => id),
    );
  }
}
