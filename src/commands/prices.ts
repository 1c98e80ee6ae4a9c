import Table from "cli-table3";
import { stringify } from "csv-stringify/sync";
import { loadCatalogue } from "../compose-catalogue.ts";
import type { Config } from "../config.ts";
import { priceLines, totalRappen } from "../pricing/price.ts";

/** The `prices` command: every published corridor by vehicle class, one way by day, on its published distance. */
export function prices(config: Config, { csv }: { readonly csv: boolean }): void {
  const { published, places } = loadCatalogue(config);
  const { tariff, vehicleClasses, corridors } = published;
  const head = ["route_key", "km", "min", ...vehicleClasses.map(({ id }) => id)];
  const rows = corridors.map(({ key, origin, distanceKm, durationMinutes }) => {
    const atAirport = places.nameOf(origin).includes("Airport");
    const outbound = {
      pickupAt: ordinaryNoon,
      distanceKm,
      drivingMinutes: durationMinutes,
      feesRappen: 0,
      waits: [{ minutes: 0, atAirport }],
    };
    const totals = vehicleClasses.map(({ id }) => {
      const rate = tariff.rates[id];
      return rate
        ? (
            totalRappen(tariff, priceLines(tariff, rate, { outbound, return: null, hireHours: null })) / 100
          ).toFixed(2)
        : "";
    });
    return [key, String(distanceKm), String(durationMinutes), ...totals];
  });
  if (csv) {
    process.stdout.write(stringify([head, ...rows]));
    return;
  }
  const table = new Table({
    head,
    style: { head: [], border: [] },
    colAligns: head.map((_, index) => (index === 0 ? "left" : "right")),
  });
  table.push(...rows);
  process.stdout.write(
    `${tariff.currency}, one way by day, VAT included, on published distances; tolls and car trains come on top\n${table}\n`,
  );
}

/** A Tuesday that is no holiday anywhere. */
const ordinaryNoon = new Date("2026-09-15T10:00:00Z");
