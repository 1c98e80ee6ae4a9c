import Table from "cli-table3";
import { embeddedPricing } from "../compose/compose-pricing.ts";
import type { Config } from "../config/config.ts";
import { pickupTime } from "../pricing/calendar.ts";
import { priceOf } from "../pricing/price.ts";
import { type Arguments, defineCommand } from "./command.ts";

const options = { csv: { type: "boolean", meaning: "comma-separated values" } } as const;

/** The `prices` command: every published corridor by vehicle class, one way by day, on its published distance. */
async function run(config: Config, { values: { csv } }: Arguments<typeof options>): Promise<number> {
  const { catalog, places } = embeddedPricing(config);
  const { tariff, vehicleClasses, corridors } = catalog;
  const head = ["route_key", "km", "min", ...vehicleClasses.map(({ id }) => id)];
  const rows = corridors.map(({ key, origin, distanceKm, durationMinutes }) => {
    const atAirport = places.nameOf(origin).includes("Airport");
    const outbound = {
      pickup: pickupTime(tariff, ordinaryNoon),
      distanceKm,
      drivingMinutes: durationMinutes,
      fees: [],
      waits: [{ minutes: 0, atAirport }],
    };
    const totals = vehicleClasses.map(({ id }) => {
      const rate = tariff.rates[id];
      return rate
        ? (priceOf(tariff, rate, { outbound, return: null, hireHours: null, extras: [] }).totalRappen / 100).toFixed(2)
        : "";
    });
    return [key, String(distanceKm), String(durationMinutes), ...totals];
  });
  if (csv) {
    // Ids and numbers: nothing that CSV has to quote or that a spreadsheet could take for a formula.
    process.stdout.write([head, ...rows].map((row) => `${row.join(",")}\n`).join(""));
    return 0;
  }
  const table = new Table({
    head,
    style: { head: [], border: [] },
    colAligns: head.map((_, index) => (index === 0 ? "left" : "right")),
  });
  table.push(...rows);
  process.stdout.write(
    `${tariff.currency}, one way by day, VAT included, on published distances; tolls and car trains are extra\n${table}\n`,
  );
  return 0;
}

export const prices = defineCommand({ operands: [], options, run });

/** A Tuesday that is no holiday anywhere. */
const ordinaryNoon = new Date("2026-09-15T10:00:00Z");
