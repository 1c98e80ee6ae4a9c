import { francsText } from "../../contract/notice-formats.ts";
import { nearOrAllowed } from "../../domain/catalog/nearest-name.ts";
import { isHourIn } from "../../domain/pricing/calendar.ts";
import { localTimeIn } from "../../ops/local-time.ts";
import { type Audited, type Check, fault, warning } from "./catalog-check.ts";

const DAY_HOURS = 24;
const TARIFF = "tariff.json";

/** A rate so many times the middle one of all classes is a slip of the decimal point. */
const MOST_TIMES = 6;
/** Nobody charges at least so many kilometers, whatever a class costs. */
const MOST_LEAST_KM = 150;
/** Times of day that no night contains. */
const DAYTIME = [10, 13, 16];
/** An instant in winter and one in summer. */
const HALF_YEARS = ["2027-01-15T12:00:00Z", "2027-07-15T12:00:00Z"].map((at) => new Date(at));
/** How the number of the packaged operator begins, whose tariff has no VAT. */
const EXAMPLE_VAT = "CHE-000";
/** Countries with the Swiss VAT, and about how much it is. */
const SWISS_VAT = { countries: ["CH", "LI"], least: 8, most: 10 };

/** What can be wrong with a tariff beside its numbers alone. */
// biome-ignore format: a table reads by its columns
export const ofTariff: readonly Check[] = [
  fault(vat, TARIFF, "vat.percent", ({ percent }) => percent < 1 || percent > 30, ({ percent }) => `${percent} % is no rate of VAT: state it in percent, such as 8.1`),
  warning(vat, TARIFF, "vat.percent", ({ percent, isSwiss }) => isSwiss && percent >= 1 && percent <= 30 && (percent < SWISS_VAT.least || percent > SWISS_VAT.most), ({ percent }) => `${percent} %, but journeys have a Swiss VAT of 8.1 %: correct it`),
  warning(({ catalog }) => [catalog], TARIFF, "vat", ({ tariff, operator: { vatNumber = EXAMPLE_VAT } }) => tariff.vat === undefined && !vatNumber.startsWith(EXAMPLE_VAT), ({ operator }) => `missing, although operator.json has the VAT number ${operator.vatNumber}: add {"percent": 8.1, "country": "CH"}`),
  warning(vat, TARIFF, "vat", ({ vatNumber }) => vatNumber === undefined, "VAT is shown, but operator.json has no vatNumber: add it"),
  warning(vat, TARIFF, "vat.country", ({ isSwiss, vatNumber = "" }) => !isSwiss && /^CHE/i.test(vatNumber), ({ country, vatNumber }) => `${country}, but ${vatNumber} is a Swiss VAT number: write CH`),
  warning(vat, "operator.json", "vatNumber", ({ country, vatNumber = "CHE" }) => country === "CH" && !/^CHE/i.test(vatNumber), ({ vatNumber }) => `${vatNumber} is no Swiss VAT number: write it as CHE-123.456.789 MWST`),
  warning(({ catalog }) => [catalog.tariff.timeZone], TARIFF, "timeZone", (timeZone) => !hasSwissTime(timeZone), (timeZone) => `${timeZone} has other hours than Switzerland, whose time pages show: write Europe/Zurich`),
  warning(({ catalog }) => [catalog.tariff.night], TARIFF, "night", ({ fromHour, toHour, percent, rappen = 0 }) => percent + rappen > 0 && DAYTIME.some((hour) => isHourIn({ from: fromHour, to: toHour }, hour)), ({ fromHour, toHour }) => `the hours from ${fromHour} to ${toHour} are by day: swap or correct them, from 0 to 24`),
  fault(windows, ({ file }) => file, ({ path }) => `${path}leadTimeHours`, ({ leadTimeHours, horizonHours }) => leadTimeHours > horizonHours, ({ leadTimeHours, hours, horizonDays }) => `${leadTimeHours} ${hours} is later than the horizon of ${horizonDays} days: nothing is sold`),
  warning(windows, ({ file }) => file, ({ path }) => `${path}leadTimeHours`, ({ leadTimeHours, horizonHours }) => leadTimeHours > 7 * DAY_HOURS && leadTimeHours <= horizonHours, ({ leadTimeHours }) => `${leadTimeHours} h: no journey of the next ${Math.floor(leadTimeHours / DAY_HOURS)} days is sold: lower it`),
  warning(windows, ({ file }) => file, ({ path }) => `${path}horizonDays`, ({ horizonDays }) => horizonDays > 1_100, ({ horizonDays }) => `${horizonDays} days: prices are promised for ${Math.floor(horizonDays / 365)} years: lower it`),
  fault(rates, TARIFF, ({ path }) => path, ({ amount, floor }) => amount < floor, ({ amount, floor }) => `${amount === 0 ? "0, which is free of charge" : `${amount}, below the floor of ${floor}`}: raise it`),
  warning(rates, TARIFF, ({ path }) => path, ({ amount, floor, least, most }) => amount > 0 && amount >= floor && (amount < least || amount > most), ({ amount, middle }) => `${amount} Rappen is ${francsText(amount)}${amount === middle ? ": correct it" : `, with other classes ${francsText(middle)}: correct one of them`}`),
  warning(proportions, TARIFF, ({ path }) => path, ({ times, least, most }) => times < least || times > most, ({ what, amount, other, of }) => `${francsText(amount)} ${what}, but ${francsText(of)} for ${other}: correct one of them`),
  warning(({ catalog }) => Object.keys(catalog.tariff.rates).map((id) => ({ id, classes: catalog.vehicleClasses.map((each) => each.id) })), TARIFF, ({ id }) => `rates.${id}`, ({ id, classes }) => !classes.includes(id), ({ id, classes }) => `vehicle-classes.json has no class ${id}; it prices nothing${nearOrAllowed(id, classes)}`),
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
    const long = baseRappen + MOST_LEAST_KM * perKmRappen;
    const all = [
      ["firstHourRappen", firstHourRappen, "for the first hour", perKmRappen, "a km", 6, 150],
      ["minimumRappen", minimumRappen, "at least", long, `${MOST_LEAST_KM} km`, 0, 1],
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

/** Each rate of each class with its floor, the middle one of all classes, and the least and most in view of these. */
function rates({ catalog: { tariff, vehicleClasses } }: Audited) {
  const [km, hour] = [tariff.floor?.perKmRappen || 1, tariff.floor?.hourRappen || 1];
  const usual = [
    ["baseRappen", 0, 100, 50_000],
    ["perKmRappen", km, 50, 2_000],
    ["minimumRappen", 0, 1_000, 300_000],
    ["firstHourRappen", hour, 1_000, 100_000],
    ["furtherHourRappen", hour, 1_000, 100_000],
    ["waitingStepRappen", 0, 100, 20_000],
  ] as const;
  const listed = vehicleClasses.flatMap(({ id }) => Object.entries(tariff.rates).filter(([name]) => name === id));
  return usual.flatMap(([field, floor, least, most]) => {
    const amounts = listed.map(([, rate]) => rate[field]).sort((a, b) => a - b);
    return listed.map(([id, { [field]: amount }]) => {
      const middle = amounts[Math.floor((amounts.length - 1) / 2)] || amount;
      const limits = { least: Math.max(least, middle / MOST_TIMES), most: Math.min(most, middle * MOST_TIMES) };
      return { path: `rates.${id}.${field}`, amount, floor, middle, ...limits };
    });
  });
}
