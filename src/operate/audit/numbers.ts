import { francsText } from "../../contract/notice-formats.ts";
import type { Season } from "../../domain/catalog/offer-schema.ts";
import { type Audited, type Check, warning } from "./catalog-check.ts";
import { daysIn } from "./fares.ts";

const TARIFF = "tariff.json";
const CLIENTS = "clients.json";

/** In a season of few days, such as New Year's Eve, a surcharge can be twice the fare. */
const FEW_DAYS = 7;

/** Where a number stands, the least and the most that companies state, and what it is; 0 is none. */
type Usual = readonly [
  ...[file: string, path: string, number: number | undefined, unit: "Rappen" | "%" | "", least: number, most: number],
  what: string,
];

/** Numbers that the schemas allow, but that are ten or a hundred times too high or too low. */
// biome-ignore format: a table reads by its columns
export const ofNumbers: readonly Check[] = [
  warning(usualNumbers, ([file]) => file, ([, path]) => path, isUnusual, textOf),
];

// biome-ignore format: a table reads by its columns
function usualNumbers({ catalog }: Audited): readonly Usual[] {
  const { tariff, vehicleClasses, fares, seasons, clients, placeFees, policies, zones } = catalog;
  const { waiting, night, holidays, returnDiscount } = tariff;
  return [
    [TARIFF, "roundingRappen", tariff.roundingRappen, "Rappen", 1, 1_000, ", to which prices are rounded"],
    [TARIFF, "horizonDays", tariff.horizonDays, "", 60, 36_500, " days ahead at most"],
    [TARIFF, "turnaroundMinutes", tariff.turnaroundMinutes, "", 0, 240, " minutes between two journeys"],
    [TARIFF, "availabilityMaxAgeMinutes", tariff.availabilityMaxAgeMinutes, "", 10, 1440, " minutes without a calendar"],
    [TARIFF, "waiting.freeMinutesAtAirports", waiting.freeMinutesAtAirports, "", 0, 90, " minutes free of charge"],
    [TARIFF, "waiting.freeMinutes", waiting.freeMinutes, "", 0, 90, " minutes free of charge"],
    [TARIFF, "waiting.stepMinutes", waiting.stepMinutes, "", 1, 60, " minutes in a step"],
    [TARIFF, "hourly.includedKmPerHour", tariff.hourly.includedKmPerHour, "", 5, 80, " km in each hour of a hire"],
    [TARIFF, "night.percent", night.percent, "%", 0, 99, " more than the fare"],
    [TARIFF, "night.rappen", night.rappen, "Rappen", 200, 20_000, ""],
    [TARIFF, "holidays.percent", holidays.percent, "%", 0, 99, " more than the fare"],
    [TARIFF, "returnDiscount.percent", returnDiscount.percent, "%", 0, 40, " off both journeys"],
    ...Object.entries(tariff.specialItemRappen).map(([kind, rappen]): Usual => [TARIFF, `specialItemRappen.${kind}`, rappen, "Rappen", 200, 10_000, ""]),
    ...vehicleClasses.flatMap(({ id, passengerCapacity: seats, luggageCapacity, specialItemPlaces }): readonly Usual[] => {
      const file = "vehicle-classes.json";
      return [
        [file, `${id}.passengerCapacity`, seats, "", 1, 90, " seats"],
        [file, `${id}.luggageCapacity`, luggageCapacity, "", 0, 4 * seats + 4, ` pieces of luggage with ${seats} seats`],
        [file, `${id}.specialItemPlaces`, specialItemPlaces, "", 0, 3 * seats + 8, ` places for special items with ${seats} seats`],
      ];
    }),
    ...fares.map(({ id, freeWaitingMinutes }): Usual => ["fares.json", `${id}.freeWaitingMinutes`, freeWaitingMinutes, "", 0, 120, " min free of charge"]),
    ...zones.map(({ id, circle }): Usual => ["zones.json", `${id}.circle.radiusKm`, circle?.radiusKm, "", 0.1, 80, " km in every direction"]),
    ...placeFees.map(({ id, rappen }): Usual => ["place-fees.json", `${id}.rappen`, rappen, "Rappen", 100, 20_000, ""]),
    ...seasons.map((season): Usual => ["seasons.json", `${season.id}.percent`, season.percent, "%", -30, isShort(season) ? 199 : 99, " more than the fare"]),
    ...clients.flatMap(({ id, percent, commissionPercent }): readonly Usual[] => [
      [CLIENTS, `${id}.percent`, percent, "%", -40, 9, " more than travelers pay"],
      [CLIENTS, `${id}.commissionPercent`, commissionPercent, "%", 0, 40, " of each sale"],
    ]),
    ...policies.flatMap(({ key, partialRefunds = [] }) =>
      partialRefunds.map(({ percent }, n): Usual => ["policies.json", `${key}.partialRefunds.${n}.percent`, percent, "%", 0, 100, ""]),
    ),
  ];
}

function isShort({ dates }: Season): boolean {
  return dates !== undefined && dates.reduce((sum, each) => sum + daysIn(each), 0) <= FEW_DAYS;
}

function isUnusual([, , number = 0, unit, least, most]: Usual): boolean {
  return number !== 0 && (number < least || number > most || isFraction(number, unit));
}

function isFraction(number: number, unit: Usual[3]): boolean {
  return unit === "%" && Math.abs(number) < 1;
}

function textOf([, , number = 0, unit, , most, what]: Usual): string {
  if (isFraction(number, unit))
    return `${number} % is less than one percent: state it in percent, such as ${Number((number * 100).toFixed(2))}`;
  const shown = unit === "Rappen" ? `${number} Rappen is ${francsText(number)}` : `${number}${unit && ` ${unit}`}`;
  return `${shown}${what}: ${number > most ? "lower" : "raise"} or correct it`;
}
