import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import type { CatalogFiles } from "./catalog-folder.ts";
import type { Fields } from "./mcp-client.ts";

/** Rules that end are in a year that has not ended. */
const NEXT_YEAR = new Date().getFullYear() + 1;

function packaged(file: string): Fields {
  return JSON.parse(readFileSync(join(packagedCatalog, file), "utf8"));
}

/** The files that an operator has over the packaged catalog, in which `check` finds nothing. */
export function ownCatalog(): CatalogFiles {
  const { corridors } = packaged("corridors.json");
  const { places } = packaged("places/resorts-east.json");
  const { edges } = packaged("roads/grisons.json");
  const { policies } = packaged("policies.json");
  const corridorOf = (key: string) => corridors.find((each: Fields) => each.key === key);
  const { rules: packagedRules } = packaged("service-rules.json");
  const fare = (id: string, label: string, [from, to]: readonly [string, string], rappen: Fields) => ({
    ...{ id, label, routes: [{ from, to, bothWays: true }], rappen, includes: ["fees"] },
    validTo: `${NEXT_YEAR}-12-31`,
  });
  const files: Readonly<Record<string, Fields>> = {
    "catalog.json": { base: "packaged" },
    "operator.json": {
      ...{ name: "Alpenglanz Transfers", phone: "+41 81 410 20 30", email: "info@alpenglanz.test" },
      ...{ website: "https://alpenglanz.test", vatNumber: "CHE-116.281.710 MWST", color: "#0b5d66" },
      meetingPoints: { "zurich-airport": "The driver waits in Arrivals 2." },
      corridorTexts: { "zurich-airport-to-davos": "Snow chains are on board." },
    },
    "tariff.json": { ...packaged("tariff.json"), version: "own-1", vat: { percent: 8.1, country: "CH" } },
    "vehicle-classes.json": { replace: true, ...packaged("vehicle-classes.json") },
    "zones.json": {
      zones: [
        { id: "verbier-valley", places: ["verbier", "le-chable"] },
        { id: "davos-region", country: "CH", postcodes: ["7260", "7270"] },
        { id: "zermatt-region", circle: { lat: 46.0207, lng: 7.7491, radiusKm: 3 } },
      ],
    },
    "fares.json": {
      replace: true,
      fares: [
        fare("zurich-davos", "Zurich Airport – Davos", ["zurich-airport", "davos-region"], {
          sedan: 49_000,
          van: 59_000,
        }),
        fare("zurich-zermatt", "Zurich Airport – Zermatt", ["zurich-airport", "zermatt-region"], {
          sedan: 80_000,
          van: 98_000,
        }),
        fare("geneva-verbier", "Geneva Airport – Verbier", ["geneva-airport", "verbier-valley"], {
          sedan: 49_500,
          van: 60_000,
        }),
      ],
    },
    "seasons.json": {
      replace: true,
      seasons: [
        { id: "winter", label: "Winter surcharge", percent: 12, dates: [{ from: "12-20", to: "03-15" }] },
        { id: "quiet", label: "Autumn discount", percent: -5, dates: [{ from: "11-02", to: "11-29" }] },
      ],
    },
    "availability.json": {
      replace: true,
      stopSales: [
        {
          ...{ id: "new-year", reason: "On New Year's Eve cars are assigned by phone.", offer: "on_request" },
          ...{ classes: ["first_class"], dates: [{ from: "12-31", to: "12-31" }] },
        },
      ],
      bookingWindows: [{ id: "coach", leadTimeHours: 72, classes: ["coach"] }],
    },
    "service-rules.json": {
      rules: [{ id: "at-home", offer: "at_once", endIn: { countries: ["CH", "LI"] } }, packagedRules.at(-1)],
    },
    "closures.json": {
      closures: [
        {
          ...{ id: "julier", road: "Julier Pass", reason: "The Julier Pass is closed for blasting." },
          ...{ from: `${NEXT_YEAR}-01-12`, to: `${NEXT_YEAR}-01-14T18:00` },
        },
      ],
    },
    "clients.json": {
      clients: [
        {
          ...{ id: "globetrek", label: "Agency discount", percent: -10, commissionPercent: 10 },
          budgets: { quote_authoritative: { points: 30, seconds: 60 } },
        },
        { id: "bellevue", percent: -5 },
      ],
    },
    "place-fees.json": {
      placeFees: [{ id: "parking", label: "Parking", places: ["zurich-airport"], at: "pickup", rappen: 600 }],
    },
    "policies.json": { replace: true, policies },
    "budgets.json": packaged("budgets.json"),
    "corridors.json": {
      corridors: ["zurich-airport-to-lucerne", "lucerne-to-zurich-airport", "zurich-airport-to-zermatt"].map(
        corridorOf,
      ),
    },
    "places/own.json": {
      places: [
        places.find(({ id }: Fields) => id === "davos"),
        {
          ...{ id: "alpenglanz-lodge", name: "Alpenglanz Lodge", kind: "village", country: "CH", canton: "GR" },
          ...{ postcodes: ["7270"], lat: 46.775, lng: 9.8, node: "davos" },
        },
        packaged("places/resorts-west.json").places.find(({ id }: Fields) => id === "zermatt"),
      ],
    },
    "roads/own.json": {
      region: "Passes",
      nodes: [],
      edges: edges.filter(({ name }: Fields) => name === "Albula Pass"),
    },
  };
  const texts = [
    ...["Zurich Airport – Davos", "Zurich Airport – Zermatt", "Geneva Airport – Verbier"],
    ...[
      "Winter surcharge",
      "Autumn discount",
      "Agency discount",
      "Parking",
      "On New Year's Eve cars are assigned by phone.",
    ],
    ...["The Julier Pass is closed for blasting.", "The driver waits in Arrivals 2.", "Snow chains are on board."],
  ];
  const translated = texts.map((text, n) => [text, { de: `Satz ${n}`, fr: `Phrase ${n}`, it: `Frase ${n}` }]);
  const cancellation = policies[0].text;
  const translations = {
    texts: { ...Object.fromEntries(translated), [cancellation]: packaged("translations.json").texts[cancellation] },
  };
  return new Map([...Object.entries(files), ["translations.json", translations]]);
}
