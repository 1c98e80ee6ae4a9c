import { nearOrAllowed } from "../../domain/catalog/nearest-name.ts";
import type { Rate } from "../../domain/catalog/tariff-schema.ts";
import { type Audited, type Check, fault, warning } from "./catalog-check.ts";

const DAY_HOURS = 24;
const TARIFF = "tariff.json";
const CLASSES = "vehicle-classes.json";

/** The least and most usual amounts in Rappen, and the floor. */
const USUAL_RATES: readonly (readonly [keyof Rate, number, number, ("perKmRappen" | "hourRappen")?])[] = [
  ["baseRappen", 100, 50_000],
  ["perKmRappen", 50, 2_000, "perKmRappen"],
  ["minimumRappen", 1_000, 300_000],
  ["firstHourRappen", 1_000, 100_000, "hourRappen"],
  ["furtherHourRappen", 1_000, 100_000, "hourRappen"],
  ["waitingStepRappen", 100, 20_000],
];
/** A rate so many times the middle one of all classes is a slip of the decimal point. */
const MOST_TIMES = 6;

/** Amounts, percentages, hours and seats that the schemas allow, but that no operator means. */
// biome-ignore format: a table reads by its columns
export const ofTariff: readonly Check[] = [
  fault(({ catalog }) => [catalog.tariff.vat ?? []].flat(), TARIFF, "vat.percent", ({ percent }) => percent < 1 || percent > 30, ({ percent }) => `${percent} % is no rate of VAT: state it in percent, such as 8.1`),
  warning(({ catalog }) => [catalog], TARIFF, "vat", ({ tariff, operator }) => tariff.vat !== undefined && operator.vatNumber === undefined, "VAT is shown, but operator.json has no vatNumber: add it"),
  warning(({ catalog }) => [catalog.tariff.returnDiscount], TARIFF, "returnDiscount.percent", ({ percent }) => percent > 30, ({ percent }) => `${percent} % off both journeys is more than operators give: lower it`),
  fault(windows, ({ file }) => file, ({ path }) => `${path}leadTimeHours`, ({ leadTimeHours, horizonHours }) => leadTimeHours > horizonHours, ({ leadTimeHours, hours, horizonDays }) => `${leadTimeHours} ${hours} is later than the horizon of ${horizonDays} days: nothing is sold`),
  warning(windows, ({ file }) => file, ({ path }) => `${path}leadTimeHours`, ({ leadTimeHours, horizonHours }) => leadTimeHours > 7 * DAY_HOURS && leadTimeHours <= horizonHours, ({ leadTimeHours }) => `${leadTimeHours} h: no journey of the next ${Math.floor(leadTimeHours / DAY_HOURS)} days is sold: lower it`),
  warning(windows, ({ file }) => file, ({ path }) => `${path}horizonDays`, ({ horizonDays }) => horizonDays < 60, ({ horizonDays }) => `${horizonDays} days: travelers who book earlier are refused: raise it`),
  warning(({ catalog }) => Object.entries(catalog.tariff.waiting), TARIFF, ([field]) => `waiting.${field}`, ([field, minutes]) => field !== "stepMinutes" && minutes > 90, ([, minutes]) => `the driver waits ${minutes} min free of charge: lower it`),
  warning(({ catalog }) => [catalog.tariff.hourly.includedKmPerHour], TARIFF, "hourly.includedKmPerHour", (km) => (km > 0 && km < 5) || km > 50, (km) => `${km} km in each hour of a hire; usual are 10 to 40: correct it, in km, or 0 for none`),
  fault(rates, TARIFF, ({ path }) => path, ({ amount, floor }) => amount < floor, ({ amount, floor }) => `${amount === 0 ? "0, which is free of charge" : `${amount}, below the floor of ${floor}`}: raise it`),
  warning(rates, TARIFF, ({ path }) => path, isUnusual, ({ amount, middle }) => `${francs(amount)}${amount === middle ? "" : `, with other classes ${chf(middle)}`}: correct it`),
  warning(({ catalog }) => Object.entries(catalog.tariff.rates), TARIFF, ([id]) => `rates.${id}.furtherHourRappen`, ([, rate]) => rate.furtherHourRappen > 2 * rate.firstHourRappen, ([, rate]) => `${francs(rate.furtherHourRappen)}, more than twice the first hour at ${chf(rate.firstHourRappen)}: correct one of them`),
  warning(({ catalog }) => Object.keys(catalog.tariff.rates).map((id) => ({ id, classes: catalog.vehicleClasses.map((each) => each.id) })), TARIFF, ({ id }) => `rates.${id}`, ({ id, classes }) => !classes.includes(id), ({ id, classes }) => `${CLASSES} has no class ${id}; it prices nothing${nearOrAllowed(id, classes)}`),
  warning(percentages, ({ file }) => file, ({ id }) => `${id}.percent`, ({ percent }) => percent !== 0 && Math.abs(percent) < 1, ({ percent }) => `${percent} % is less than one percent: state it in percent, such as ${Number((percent * 100).toFixed(2))}`),
  warning(({ catalog }) => catalog.clients, "clients.json", ({ id }) => `${id}.percent`, ({ percent = 0 }) => percent >= 1, ({ percent }) => `${percent} % makes it pay more than travelers: write -${percent} for a discount`),
  warning(fees, ({ file }) => file, ({ path }) => path, ({ rappen }) => rappen > 0 && (rappen < 100 || rappen > 20_000), ({ rappen }) => `${francs(rappen)}: correct it`),
  warning(fleet, CLASSES, ({ id }) => `${id}.passengerCapacity`, ({ passengerCapacity }) => passengerCapacity > 90, ({ passengerCapacity }) => `${passengerCapacity} seats are more than any coach has: correct it`),
  fault(fleet, CLASSES, ({ id }) => id, ({ largeLuggageCapacity, luggageCapacity }) => largeLuggageCapacity > luggageCapacity, ({ largeLuggageCapacity, luggageCapacity }) => `takes ${largeLuggageCapacity} large pieces, but only ${luggageCapacity} in all`),
  warning(fleet, CLASSES, ({ id }) => `${id}.smallestParty`, ({ smallestParty = 0, passengerCapacity }) => smallestParty > passengerCapacity, ({ smallestParty, passengerCapacity }) => `${smallestParty} is more than its ${passengerCapacity} seats, so that nobody is offered it: lower it`),
];

/** The lead times and horizons of the tariff and of each booking window. */
function windows({ catalog: { tariff, bookingWindows } }: Audited) {
  const { leadTimeHours, horizonDays, officeHours = { from: 0, to: DAY_HOURS } } = tariff;
  const hours = tariff.officeHours ? "h of office hours" : "h";
  return [
    { file: TARIFF, path: "", leadTimeHours, horizonDays },
    ...bookingWindows.map(({ id, ...own }) => {
      return { leadTimeHours, horizonDays, ...own, file: "availability.json", path: `${id}.` };
    }),
  ].map((each) => ({ ...each, hours, horizonHours: each.horizonDays * (officeHours.to - officeHours.from) }));
}

/** Each rate of each class, and the middle one of all classes. */
function rates({ catalog: { tariff, vehicleClasses } }: Audited) {
  const listed = vehicleClasses.flatMap(({ id }) => Object.entries(tariff.rates).filter(([name]) => name === id));
  return USUAL_RATES.flatMap(([field, least, most, floorOf]) => {
    const amounts = listed.map(([, rate]) => rate[field]).sort((a, b) => a - b);
    const middle = amounts[Math.floor((amounts.length - 1) / 2)] ?? 0;
    const floor = floorOf ? Math.max(1, tariff.floor?.[floorOf] ?? 1) : 0;
    const of = { middle, least, most, floor };
    return listed.map(([id, rate]) => ({ ...of, path: `rates.${id}.${field}`, amount: rate[field] }));
  });
}

function isUnusual({ amount, middle, least, most, floor }: ReturnType<typeof rates>[number]): boolean {
  const isFarFromOthers = amount > middle * MOST_TIMES || amount < middle / MOST_TIMES;
  return amount > 0 && amount >= floor && (amount < least || amount > most || isFarFromOthers);
}

function percentages({ catalog: { tariff, seasons, clients } }: Audited) {
  const { night, holidays, returnDiscount } = tariff;
  return [
    ...Object.entries({ night, holidays, returnDiscount }).map(([id, { percent }]) => ({ file: TARIFF, id, percent })),
    ...seasons.map(({ id, percent }) => ({ file: "seasons.json", id, percent })),
    ...clients.map(({ id, percent = 0 }) => ({ file: "clients.json", id, percent })),
  ];
}

function fees({ catalog: { tariff, placeFees } }: Audited) {
  return [
    ...placeFees.map(({ id, rappen }) => ({ file: "place-fees.json", path: `${id}.rappen`, rappen })),
    ...Object.entries(tariff.specialItemRappen).map(([kind, rappen]) => {
      return { file: TARIFF, path: `specialItemRappen.${kind}`, rappen };
    }),
  ];
}

function fleet({ catalog }: Audited) {
  return catalog.vehicleClasses;
}

export function chf(rappen: number): string {
  return `CHF ${(rappen / 100).toFixed(2)}`;
}

function francs(rappen: number): string {
  return `${rappen} Rappen is ${chf(rappen)}`;
}
