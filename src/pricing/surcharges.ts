import type { Fare, Season } from "../catalog/offer-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { isWithin, type PickupTime } from "./calendar.ts";
import { isOnRoute, type LegEnds } from "./routes.ts";

/** A percentage of the fare; a negative one is a discount. */
export interface Surcharge {
  readonly kind: Exclude<Fare["includes"][number], "fees">;
  readonly label: string;
  readonly percent: number;
  /** Names of the holidays that it is for; empty for the others. */
  readonly holidays: readonly string[];
  /** Hours of the hire that begin within it, of all its hours; of a transfer 1 of 1, by its pickup. */
  readonly hours: number;
  readonly ofHours: number;
  /** `undefined`: of every vehicle class. */
  readonly classes: readonly string[] | undefined;
}

/** The surcharges at the pickup of a transfer, or at the beginning of each hour of a hire. */
export function surchargesOver(
  { tariff, seasons }: { readonly tariff: Tariff; readonly seasons: readonly Season[] },
  ends: LegEnds,
  times: readonly PickupTime[],
): readonly Surcharge[] {
  const ofHours = times.length;
  const holidays = times.flatMap(({ holiday }) => holiday ?? []);
  const { night } = tariff;
  return [
    {
      kind: "night" as const,
      label: "Night surcharge",
      percent: night.percent,
      holidays: [],
      hours: times.filter((time) => time.night).length,
      classes: undefined,
    },
    {
      kind: "holidays" as const,
      label: "Holiday surcharge",
      percent: tariff.holidays.percent,
      holidays: [...new Set(holidays)],
      hours: holidays.length,
      classes: undefined,
    },
    ...seasons.map((season) => ({
      kind: "seasons" as const,
      label: season.label,
      percent: season.percent,
      holidays: [],
      hours: isOnRoute(season.routes, ends) ? times.filter((time) => isWithin(season, time)).length : 0,
      classes: season.classes,
    })),
  ]
    .filter(({ hours, percent }) => hours > 0 && percent !== 0)
    .map((surcharge) => ({ ofHours, ...surcharge }));
}
