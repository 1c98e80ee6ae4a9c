import { nearOrAllowed } from "../../domain/catalog/nearest-name.ts";
import type { Season } from "../../domain/catalog/offer-schema.ts";
import type { Rate, Tariff } from "../../domain/catalog/tariff-schema.ts";
import { isHourIn } from "../../domain/pricing/calendar.ts";
import { localTimeIn } from "../../ops/local-time.ts";
import { type Audited, type Check, fault, warning } from "./catalog-check.ts";
import { daysIn } from "./seasons.ts";

const DAY_HOURS = 24;
const TARIFF = "tariff.json";

/** The least and most usual amounts in Rappen, and the floor. */
const USUAL_RATES: readonly (readonly [
  Exclude<keyof Rate, "minimumHours">,
  number,
  number,
  ("perKmRappen" | "hourRappen")?,
])[] = [
  ["baseRappen", 100, 50_000],
  ["perKmRappen", 50, 2_000, "perKmRappen"],
  ["minimumRappen", 1_000, 300_000],
  ["firstHourRappen", 1_000, 100_000, "hourRappen"],
  ["furtherHourRappen", 1_000, 100_000, "hourRappen"],
  ["waitingStepRappen", 100, 20_000],
];
/** A rate so many times the middle one of all classes is a slip of the decimal point. */
const MOST_TIMES = 6;
/** Of other numbers that are often ten times too high or too low: the least and the most, and what they are. */
const USUAL_NUMBERS: readonly (readonly [string, (tariff: Tariff) => number | undefined, number, number, string])[] = [
  ["roundingRappen", ({ roundingRappen }) => roundingRappen, 1, 1_000, "Rappen, to which prices are rounded"],
  ["turnaroundMinutes", ({ turnaroundMinutes }) => turnaroundMinutes, 0, 240, "minutes between two journeys"],
  ["availabilityMaxAgeMinutes", ({ availabilityMaxAgeMinutes: age }) => age, 10, 1440, "minutes without a calendar"],
  ["waiting.freeMinutesAtAirports", ({ waiting }) => waiting.freeMinutesAtAirports, 0, 90, "minutes free of charge"],
  ["waiting.freeMinutes", ({ waiting }) => waiting.freeMinutes, 0, 90, "minutes free of charge"],
  ["waiting.stepMinutes", ({ waiting }) => waiting.stepMinutes, 1, 60, "minutes in a step"],
  [
    "hourly.includedKmPerHour",
    ({ hourly }) => hourly.includedKmPerHour || undefined,
    5,
    80,
    "km in each hour of a hire",
  ],
  ["returnDiscount.percent", ({ returnDiscount }) => returnDiscount.percent, 0, 40, "% off both journeys"],
];

const MOST_LEAST_HOURS = 12;
const MOST_SURCHARGE = 100;
/** In a season of few days, such as New Year's Eve. */
const MOST_SURCHARGE_OF_FEW_DAYS = 200;
const FEW_DAYS = 7;
/** Nobody charges at least so many kilometers, whatever a class costs. */
const MOST_LEAST_KM = 150;
/** Times of day that no night contains. */
const DAYTIME = [10, 13, 16];
/** Days from Easter on which there are holidays: carnival, Holy Week and Easter, Ascension, Whitsun, Corpus Christi. */
const FROM_EASTER = [-52, -48, -47, -46, -45, -7, -3, -2, -1, 0, 1, 39, 40, 49, 50, 60, 61];
/** Days of Swiss holidays with day and month swapped, on which there is none. */
const SWAPPED_HOLIDAYS = ["02-01", "01-03", "01-05", "06-01", "01-08", "01-11", "08-12"];
/** An instant in winter and one in summer. */
const HALF_YEARS = ["2027-01-15T12:00:00Z", "2027-07-15T12:00:00Z"].map((at) => new Date(at));
/** How the number of the packaged operator begins, whose tariff has no VAT. */
const EXAMPLE_VAT = "CHE-000";
/** Countries with the Swiss VAT, and about how much it is. */
const SWISS_VAT = { countries: ["CH", "LI"], least: 8, most: 10 };

/** Amounts, percentages and hours that the schemas allow, but that no operator means. */
// biome-ignore format: a table reads by its columns
export const ofTariff: readonly Check[] = [
  fault(vat, TARIFF, "vat.percent", ({ percent }) => percent < 1 || percent > 30, ({ percent }) => `${percent} % is no rate of VAT: state it in percent, such as 8.1`),
  warning(vat, TARIFF, "vat.percent", ({ percent, isSwiss }) => isSwiss && percent >= 1 && percent <= 30 && (percent < SWISS_VAT.least || percent > SWISS_VAT.most), ({ percent }) => `${percent} %, but journeys have a Swiss VAT of 8.1 %: correct it`),
  warning(({ catalog }) => [catalog], TARIFF, "vat", ({ tariff, operator: { vatNumber = EXAMPLE_VAT } }) => tariff.vat === undefined && !vatNumber.startsWith(EXAMPLE_VAT), ({ operator }) => `missing, although operator.json has the VAT number ${operator.vatNumber}: add {"percent": 8.1, "country": "CH"}`),
  warning(vat, TARIFF, "vat", ({ vatNumber }) => vatNumber === undefined, "VAT is shown, but operator.json has no vatNumber: add it"),
  warning(vat, TARIFF, "vat.country", ({ isSwiss, vatNumber = "" }) => !isSwiss && /^CHE/i.test(vatNumber), ({ country, vatNumber }) => `${country}, but ${vatNumber} is a Swiss VAT number: write CH`),
  warning(vat, "operator.json", "vatNumber", ({ country, vatNumber = "CHE" }) => country === "CH" && !/^CHE/i.test(vatNumber), ({ vatNumber }) => `${vatNumber} is no Swiss VAT number: write it as CHE-123.456.789 MWST`),
  warning(({ catalog }) => [catalog.tariff.timeZone], TARIFF, "timeZone", (timeZone) => !hasSwissTime(timeZone), (timeZone) => `${timeZone} has other hours than Switzerland, whose time pages show: write Europe/Zurich`),
  warning(({ catalog }) => USUAL_NUMBERS.map(([field, of, least, most, what]) => ({ field, number: of(catalog.tariff), least, most, what })), TARIFF, ({ field }) => field, ({ number, least, most }) => number !== undefined && (number < least || number > most), ({ number = 0, least, most, what }) => `${number} ${what}: ${number > most ? `lower it to ${most} or less` : `raise it to ${least} or more`}, or correct it`),
  warning(({ catalog }) => [catalog.tariff.roundingRappen], TARIFF, "roundingRappen", (rappen) => 100 % rappen !== 0 && rappen % 100 !== 0, (rappen) => `${chf(rappen)} is no part of a franc: write 5 for CHF 0.05`),
  warning(({ catalog }) => [catalog.tariff.waiting], TARIFF, "waiting.freeMinutesAtAirports", ({ freeMinutesAtAirports, freeMinutes }) => freeMinutesAtAirports < freeMinutes, ({ freeMinutesAtAirports, freeMinutes }) => `${freeMinutesAtAirports} min, fewer than the ${freeMinutes} min elsewhere: swap or correct them`),
  warning(({ catalog }) => [catalog.tariff.night], TARIFF, "night", ({ fromHour, toHour, percent, rappen = 0 }) => percent + rappen > 0 && DAYTIME.some((hour) => isHourIn({ from: fromHour, to: toHour }, hour)), ({ fromHour, toHour }) => `the hours from ${fromHour} to ${toHour} are by day: swap or correct them, from 0 to 24`),
  warning(({ catalog }) => catalog.tariff.holidays.days, TARIFF, ({ name }) => `holidays.days.${name}`, (day) => "date" in day && SWAPPED_HOLIDAYS.includes(day.date), (day) => `${"date" in day && day.date} has month and day swapped: write MM-DD`),
  warning(({ catalog }) => catalog.tariff.holidays.days, TARIFF, ({ name }) => `holidays.days.${name}`, (day) => "daysFromEaster" in day && !FROM_EASTER.includes(day.daysFromEaster), (day) => `${"daysFromEaster" in day && day.daysFromEaster} days from Easter is no holiday, such as -2, 1, 39 or 50: correct it`),
  fault(windows, ({ file }) => file, ({ path }) => `${path}leadTimeHours`, ({ leadTimeHours, horizonHours }) => leadTimeHours > horizonHours, ({ leadTimeHours, hours, horizonDays }) => `${leadTimeHours} ${hours} is later than the horizon of ${horizonDays} days: nothing is sold`),
  warning(windows, ({ file }) => file, ({ path }) => `${path}leadTimeHours`, ({ leadTimeHours, horizonHours }) => leadTimeHours > 7 * DAY_HOURS && leadTimeHours <= horizonHours, ({ leadTimeHours }) => `${leadTimeHours} h: no journey of the next ${Math.floor(leadTimeHours / DAY_HOURS)} days is sold: lower it`),
  warning(windows, ({ file }) => file, ({ path }) => `${path}leadTimeHours`, ({ leadTimeHours }) => leadTimeHours > 0 && leadTimeHours < 0.25, ({ leadTimeHours }) => `${leadTimeHours} h is ${Math.round(leadTimeHours * 60)} min: state it in hours`),
  warning(windows, ({ file }) => file, ({ path }) => `${path}horizonDays`, ({ horizonDays }) => horizonDays < 60, ({ horizonDays }) => `${horizonDays} days: travelers who book earlier are refused: raise it`),
  warning(windows, ({ file }) => file, ({ path }) => `${path}horizonDays`, ({ horizonDays }) => horizonDays > 1_100, ({ horizonDays }) => `${horizonDays} days: prices are promised for ${Math.floor(horizonDays / 365)} years: lower it`),
  fault(rates, TARIFF, ({ path }) => path, ({ amount, floor }) => amount < floor, ({ amount, floor }) => `${amount === 0 ? "0, which is free of charge" : `${amount}, below the floor of ${floor}`}: raise it`),
  warning(rates, TARIFF, ({ path }) => path, isUnusual, unusualText),
  warning(({ catalog }) => Object.entries(catalog.tariff.rates), TARIFF, ([id]) => `rates.${id}.furtherHourRappen`, ([, rate]) => rate.furtherHourRappen > rate.firstHourRappen, ([, rate]) => `${francs(rate.furtherHourRappen)}, more than the first hour at ${chf(rate.firstHourRappen)}: swap or correct them`),
  warning(({ catalog }) => Object.entries(catalog.tariff.rates), TARIFF, ([id]) => `rates.${id}.minimumHours`, ([, { minimumHours = 0 }]) => minimumHours > MOST_LEAST_HOURS, ([, { minimumHours }]) => `${minimumHours} h: shorter hires are refused: lower it to ${MOST_LEAST_HOURS} or less`),
  warning(proportions, TARIFF, ({ path }) => path, ({ times, least, most }) => times < least || times > most, ({ what, amount, other, of }) => `${chf(amount)} ${what}, but ${chf(of)} for ${other}: correct one of them`),
  warning(({ catalog }) => Object.keys(catalog.tariff.rates).map((id) => ({ id, classes: catalog.vehicleClasses.map((each) => each.id) })), TARIFF, ({ id }) => `rates.${id}`, ({ id, classes }) => !classes.includes(id), ({ id, classes }) => `vehicle-classes.json has no class ${id}; it prices nothing${nearOrAllowed(id, classes)}`),
  warning(percentages, ({ file }) => file, ({ path }) => path, ({ percent }) => percent !== 0 && Math.abs(percent) < 1, ({ percent }) => `${percent} % is less than one percent: state it in percent, such as ${Number((percent * 100).toFixed(2))}`),
  warning(percentages, ({ file }) => file, ({ path }) => path, ({ percent, most }) => percent >= most, ({ percent }) => `${percent} % more than the fare: lower or correct it`),
  warning(fees, ({ file }) => file, ({ path }) => path, ({ rappen, least, most }) => rappen > 0 && (rappen < least || rappen > most), ({ rappen }) => `${francs(rappen)}: correct it`),
];

function vat({ catalog: { tariff, operator } }: Audited) {
  const isSwiss = SWISS_VAT.countries.includes(tariff.vat?.country ?? "");
  return tariff.vat ? [{ ...tariff.vat, isSwiss, vatNumber: operator.vatNumber }] : [];
}

function hasSwissTime(timeZone: string): boolean {
  return HALF_YEARS.every((at) => localTimeIn(timeZone)(at) === localTimeIn("Europe/Zurich")(at));
}

/** Two amounts of a class of which one is about so many times the other, whatever the class. */
function proportions({ catalog: { tariff } }: Audited) {
  return Object.entries(tariff.rates).flatMap(([id, rate]) => {
    const { baseRappen, perKmRappen, minimumRappen, firstHourRappen, furtherHourRappen, waitingStepRappen } = rate;
    const waited = (waitingStepRappen * 60) / tariff.waiting.stepMinutes;
    const all = [
      ["firstHourRappen", firstHourRappen, "for the first hour", perKmRappen, "a km", 6, 150],
      [
        "minimumRappen",
        minimumRappen,
        "at least",
        baseRappen + MOST_LEAST_KM * perKmRappen,
        `${MOST_LEAST_KM} km`,
        0,
        1,
      ],
      ["minimumRappen", minimumRappen, "at least", baseRappen, "the base alone", 1, Number.POSITIVE_INFINITY],
      ["waitingStepRappen", waited, "for an hour of waiting", furtherHourRappen, "one of a hire", 0.2, 5],
    ] as const;
    return all
      .map(([field, amount, what, of, other, least, most]) => {
        return { path: `rates.${id}.${field}`, amount, what, of, other, times: amount / of, least, most };
      })
      .filter(({ amount, of }) => amount > 0 && of > 0);
  });
}

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
    return listed.map(([id, rate]) => {
      // Of two that differ either may be wrong.
      const other = listed.length === 2 ? listed.find(([name]) => name !== id) : undefined;
      return { ...of, path: `rates.${id}.${field}`, amount: rate[field], otherOfTwo: other?.[0] };
    });
  });
}

type UsualRate = ReturnType<typeof rates>[number];

function isUnusual({ amount, middle, least, most, floor }: UsualRate): boolean {
  const isFarFromOthers = middle > 0 && (amount > middle * MOST_TIMES || amount < middle / MOST_TIMES);
  return amount > 0 && amount >= floor && (amount < least || amount > most || isFarFromOthers);
}

function unusualText({ amount, middle, least, most, otherOfTwo }: UsualRate): string {
  if (otherOfTwo && amount >= least && amount <= most)
    return `${francs(amount)}, but ${chf(middle)} for ${otherOfTwo}: correct one of them`;
  return `${francs(amount)}${amount === middle ? "" : `, with other classes ${chf(middle)}`}: correct it`;
}

/** Each percentage with the least that is too much; a client's has rows of its own. */
function percentages({ catalog: { tariff, seasons, clients, policies } }: Audited) {
  const { night, holidays, returnDiscount } = tariff;
  const isShort = ({ dates }: Season) => dates && dates.reduce((sum, each) => sum + daysIn(each), 0) <= FEW_DAYS;
  return [
    ...Object.entries({ night, holidays, returnDiscount }).map(([field, { percent }]) => {
      return { file: TARIFF, path: `${field}.percent`, percent, most: MOST_SURCHARGE };
    }),
    ...seasons.map((season) => ({
      ...{ file: "seasons.json", path: `${season.id}.percent`, percent: season.percent },
      most: isShort(season) ? MOST_SURCHARGE_OF_FEW_DAYS : MOST_SURCHARGE,
    })),
    ...clients.flatMap(({ id, percent = 0, commissionPercent = 0 }) =>
      Object.entries({ percent, commissionPercent }).map(([field, percent]) => {
        return { file: "clients.json", path: `${id}.${field}`, percent, most: Number.POSITIVE_INFINITY };
      }),
    ),
    ...policies.flatMap(({ key, partialRefunds = [] }) =>
      partialRefunds.map(({ percent }, n) => {
        return { file: "policies.json", path: `${key}.partialRefunds.${n}.percent`, percent, most: 100 };
      }),
    ),
  ];
}

function fees({ catalog: { tariff, placeFees } }: Audited) {
  return [
    ...placeFees.map(({ id, rappen }) => {
      return { file: "place-fees.json", path: `${id}.rappen`, rappen, least: 100, most: 20_000 };
    }),
    { file: TARIFF, path: "night.rappen", rappen: tariff.night.rappen ?? 0, least: 200, most: 20_000 },
    ...Object.entries(tariff.specialItemRappen).map(([kind, rappen]) => {
      return { file: TARIFF, path: `specialItemRappen.${kind}`, rappen, least: 200, most: 10_000 };
    }),
  ];
}

export function chf(rappen: number): string {
  return `CHF ${(rappen / 100).toFixed(2)}`;
}

function francs(rappen: number): string {
  return `${rappen} Rappen is ${chf(rappen)}`;
}
