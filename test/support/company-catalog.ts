import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { aCatalogFolder, changeCatalog } from "./catalog-folder.ts";
import type { Fields } from "./mcp-client.ts";

const CLIENTS = [
  {
    id: "alpine-agency",
    label: "Agency price",
    percent: -10,
    commissionPercent: 12,
    budgets: { routing: { points: 3, seconds: 600 } },
  },
  { id: "hotel", label: "Hotel price", percent: -5 },
];

export const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><path d="M0 0h4v1z" fill="#7a1f3d"/></svg>';

/**
 * The catalog of a transfer company: fixed fares both ways, a season, a blackout, a night supplement, extras, a return
 * discount within a week, and VAT. Prices in its tests are calculated by hand from the numbers in this file.
 */
export function aCompanyCatalog(t: Pick<TestContext, "after">): string {
  const folder = aCatalogFolder(t);
  const edit = (file: string, change: (content: Fields) => void) => changeCatalog(folder, file, change);
  edit("operator.json", (operator) =>
    Object.assign(operator, {
      ...{
        name: "Léman Cars",
        phone: "+41 22 717 71 11",
        email: "bookings@leman.test",
        vatNumber: "CHE-116.281.710 MWST",
      },
      ...{ logo: "logo.svg", color: "#7a1f3d" },
      meetingPoints: { "geneva-airport": "Arrivals hall, at the exit of customs." },
      corridorTexts: { "geneva-airport-to-verbier": "The road has many bends." },
    }),
  );
  writeFileSync(join(folder, "logo.svg"), LOGO);
  edit("tariff.json", (tariff) =>
    Object.assign(tariff, {
      version: "leman-2027",
      night: { fromHour: 22, toHour: 6, percent: 0, rappen: 3_000 },
      returnDiscount: { percent: 5, withinDays: 7 },
      vat: { percent: 8.1, country: "CH" },
      specialItemRappen: { child_seat: 1_000, meet_and_greet: 2_500 },
      specialItemTerms: { child_seat: { freeCount: 1 }, meet_and_greet: { per: "journey", pickups: "airports" } },
    }),
  );
  edit("luggage.json", ({ specialItems }) =>
    specialItems.push({
      ...{ kind: "meet_and_greet", one: "welcome with a name sign", many: "welcomes with a name sign", places: 0 },
      text: "The driver waits in the arrivals hall.",
    }),
  );
  edit("fares.json", (file) => {
    const fare = (id: string, to: string, rappen: object) => ({
      ...{ id, label: `Fixed fare ${id}`, routes: [{ from: "geneva-airport", to, bothWays: true }] },
      ...{ rappen, includes: ["fees"] },
    });
    file.fares = [
      fare("verbier", "verbier", { sedan: 39_000, van: 48_000 }),
      fare("chamonix", "chamonix", { sedan: 25_000 }),
    ];
  });
  edit("seasons.json", (file) => {
    const dates = [{ from: "12-20", to: "01-05" }];
    file.seasons = [{ id: "new-year", label: "New Year season", percent: 25, replacesHolidays: true, dates }];
  });
  writeFileSync(join(folder, "clients.json"), JSON.stringify({ clients: CLIENTS }));
  edit("availability.json", (file) => {
    const dates = [{ from: "2027-02-14", to: "2027-02-14" }];
    file.stopSales = [{ id: "race", reason: "All cars serve the race.", offer: "none", dates }];
  });
  return folder;
}
