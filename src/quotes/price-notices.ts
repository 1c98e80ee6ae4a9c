import type { Fare } from "../catalog/offer-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { type Notice, type NoticeCode, notice, withValues } from "../contract/notices.ts";
import { type PricingRequest, rulesOf, surchargesOf } from "../pricing/price.ts";
import type { Hire, PricedLeg, Surcharge } from "../pricing/priced-leg.ts";
import type { JourneyNotice, PricedOption } from "./quote.ts";

type Option = Pick<PricedOption, "vehicleClass" | "vehicleType">;

/** Notices about the price: what it includes, surcharges, waiting, and what extra hours and kilometers cost. */
export function priceNotices(
  tariff: Tariff,
  { outbound, return: back }: Pick<PricingRequest, "outbound" | "return">,
  options: readonly Option[],
  hireHours: number | null,
): readonly JourneyNotice[] {
  if (hireHours !== null && outbound.hire)
    return hireNotices(tariff, outbound.hire, outbound.isRoundTrip, options, hireHours);
  return [
    ...legNotices(tariff, outbound, options, back ? "outbound" : undefined),
    ...(back ? legNotices(tariff, back, options, "return") : []),
    ...waitingNotices(tariff, outbound, back, options),
  ];
}

function legNotices(
  tariff: Tariff,
  leg: PricedLeg,
  options: readonly Option[],
  direction?: "outbound" | "return",
): readonly JourneyNotice[] {
  const notices = [...fareNotices(tariff, leg, options), ...surchargeNotices(tariff, leg, options)];
  return direction ? notices.map((each) => ({ ...each, ...withValues(each, { leg: direction }) })) : notices;
}

function surchargeNotices(tariff: Tariff, leg: PricedLeg, options: readonly Option[]): readonly JourneyNotice[] {
  const charged = new Set(options.flatMap(({ vehicleClass }) => rulesOf(leg, vehicleClass).surcharges));
  return leg.surcharges
    .filter((surcharge) => charged.has(surcharge))
    .map((surcharge) => {
      const { kind, percent, amount } = surcharge;
      if (amount > 0) return nightSupplement(tariff, surcharge);
      if (kind === "night") return notice("NIGHT_SURCHARGE", { percent, ...nightOf(tariff) });
      if (kind === "holidays") return notice("HOLIDAY_SURCHARGE", { percent, ...holidaysOf(surcharge) });
      return { ...notice("SEASON", seasonOf(surcharge)), ...seasonByClass(surcharge) };
    });
}

function hireSurcharges(tariff: Tariff, { surcharges }: Hire, options: readonly Option[]): readonly JourneyNotice[] {
  const charged = new Set(options.flatMap(({ vehicleClass }) => surchargesOf(surcharges, vehicleClass)));
  return surcharges
    .filter((surcharge) => charged.has(surcharge))
    .map((surcharge) => {
      const { kind, percent, amount, hours, ofHours } = surcharge;
      if (amount > 0) return nightSupplement(tariff, surcharge);
      const share = { hours, of_hours: ofHours };
      if (kind === "night") return notice("HIRE_NIGHT_SURCHARGE", { percent, ...share, ...nightOf(tariff) });
      if (kind === "holidays") return notice("HIRE_HOLIDAY_SURCHARGE", { percent, ...share, ...holidaysOf(surcharge) });
      return { ...notice("HIRE_SEASON", { ...seasonOf(surcharge), ...share }), ...seasonByClass(surcharge) };
    });
}

/** A night surcharge with a fixed amount; transfers and hires use the same notice. */
function nightSupplement(tariff: Tariff, { percent, amount }: Surcharge): Notice {
  const parts = [...(percent > 0 ? [`${percent} %`] : []), price(amount)];
  return notice("NIGHT_SUPPLEMENT", { supplement: parts.join(" + "), ...nightOf(tariff) });
}

function nightOf({ night: { fromHour, toHour } }: Tariff) {
  return { from: clock(fromHour), to: clock(toHour) };
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

function holidaysOf({ holidays }: Surcharge) {
  return { holiday: holidays.join(", ") };
}

function seasonOf({ label, percent, classes }: Surcharge) {
  return { season: labelOf(label, classes), percent: Math.abs(percent) };
}

function labelOf(label: string, classes: Surcharge["classes"]): string {
  return classes ? `${label} (${classes.join(", ")})` : label;
}

function seasonByClass({ label, classes }: Surcharge): Pick<JourneyNotice, "byClass"> {
  return classes ? { byClass: Object.fromEntries(classes.map((id) => [id, { season: label }])) } : {};
}

function fareNotices(tariff: Tariff, leg: PricedLeg, options: readonly Option[]): readonly JourneyNotice[] {
  return leg.fares.flatMap((fare) => {
    const priced = options.filter(({ vehicleClass }) => rulesOf(leg, vehicleClass).fixed === fare);
    if (priced.length === 0) return [];
    const classes = priced.map(({ vehicleClass }) => vehicleClass).join(", ");
    const included = { includes: fare.includes.join(", "), free_min: freeMinutesOf(tariff, leg, fare) };
    const byClass = Object.fromEntries(priced.map((each) => [each.vehicleClass, { classes: each.vehicleType }]));
    return [{ ...notice("FIXED_FARE", { fare: fare.label, classes, ...included }), byClass }];
  });
}

function waitingNotices(
  tariff: Tariff,
  leg: PricedLeg,
  back: PricedLeg | null,
  options: readonly Option[],
): readonly JourneyNotice[] {
  const stepRappen = (id: string) => tariff.rates[id]?.waitingStepRappen ?? 0;
  const free = { free_min: freeMinutesOf(tariff, leg, undefined), step_min: tariff.waiting.stepMinutes };
  const dwell = leg.waits.slice(1).reduce((minutes, wait) => minutes + wait.minutes, 0);
  const stops = { minutes: dwell, free_min: tariff.waiting.freeMinutes };
  const values = { prices: pricesOf(options, stepRappen), ...free };
  const backMinutes = back && freeMinutesOf(tariff, back, undefined);
  const isSame = backMinutes === free.free_min;
  return [
    {
      ...(backMinutes === null || isSame
        ? notice(isSame ? "WAITING_EACH" : "WAITING", values)
        : notice("WAITING_RETURN", { ...values, return_free_min: backMinutes })),
      byClass: byClassOf(options, (id) => ({ prices: price(stepRappen(id)) })),
    },
    ...(dwell > 0 ? [leg.isRoundTrip ? notice("ROUND_TRIP_WAITS", stops) : notice("DRIVER_WAITS", stops)] : []),
  ];
}

function freeMinutesOf({ waiting }: Tariff, { waits, hasStops }: PricedLeg, fare: Fare | undefined): number {
  const usual = waits[0]?.atAirport ? waiting.freeMinutesAtAirports : waiting.freeMinutes;
  return (hasStops ? undefined : fare?.freeWaitingMinutes) ?? usual;
}

function hireNotices(
  tariff: Tariff,
  hire: Hire,
  isRoundTrip: boolean,
  options: readonly Option[],
  requested: number,
): readonly JourneyNotice[] {
  const { hours } = hire;
  const included = { hours, km: hours * tariff.hourly.includedKmPerHour };
  const hourRappen = (id: string) => tariff.rates[id]?.furtherHourRappen ?? 0;
  const kmRappen = (id: string) => tariff.rates[id]?.perKmRappen ?? 0;
  const isRounded = hours === Math.ceil(requested) && hours !== requested;
  return [
    hours > Math.ceil(requested)
      ? notice(isRoundTrip ? "HIRE_EXTENDED_BACK" : "HIRE_EXTENDED", { ...included, requested })
      : notice("HIRE", included),
    ...(isRounded ? [notice("HIRE_ROUNDED", { requested, hours })] : []),
    {
      ...notice("HIRE_OVERTIME", {
        hour_prices: pricesOf(options, hourRappen),
        km_prices: pricesOf(options, kmRappen),
      }),
      byClass: byClassOf(options, (id) => ({ hour_prices: price(hourRappen(id)), km_prices: price(kmRappen(id)) })),
    },
    ...hireSurcharges(tariff, hire, options),
  ];
}

/** "CHF 15 (sedan, estate), CHF 18 (van)". */
function pricesOf(options: readonly Option[], rappenOf: (vehicleClass: string) => number): string {
  const classes = new Map<number, readonly string[]>();
  for (const { vehicleClass } of options) {
    const rappen = rappenOf(vehicleClass);
    classes.set(rappen, [...(classes.get(rappen) ?? []), vehicleClass]);
  }
  return [...classes].map(([rappen, ids]) => `${price(rappen)} (${ids.join(", ")})`).join(", ");
}

function byClassOf(options: readonly Option[], valuesOf: (vehicleClass: string) => Notice["values"]) {
  return Object.fromEntries(options.map(({ vehicleClass }) => [vehicleClass, valuesOf(vehicleClass)]));
}

function price(rappen: number): string {
  return `CHF ${rappen % 100 === 0 ? rappen / 100 : (rappen / 100).toFixed(2)}`;
}

/** Notices about other vehicle classes: those that are not offered, or only on request. */
const ABOUT_OTHER_CLASSES: readonly string[] = [
  "ON_REQUEST",
  "NOT_SOLD",
  "CLASS_BOOKABLE",
  "NO_ROOM_LUGGAGE",
  "NO_ROOM_LARGE",
  "NO_ROOM_ITEMS",
] satisfies NoticeCode[];

/** The notices of a quote for the option that the traveler has chosen, without those about other vehicle classes. */
export function optionNotices(
  notices: readonly JourneyNotice[],
  { vehicleClass }: Pick<PricedOption, "vehicleClass">,
): readonly Notice[] {
  return notices.flatMap(({ byClass, ...notice }) => {
    if (ABOUT_OTHER_CLASSES.includes(notice.code)) return [];
    if (!byClass) return [notice];
    const own = byClass[vehicleClass];
    return own ? [withValues(notice, own)] : [];
  });
}

export function vatNotices(
  { vat }: Tariff,
  percent: number | null,
  options: readonly PricedOption[],
): readonly JourneyNotice[] {
  if (!vat) return [];
  if (percent === null) return [notice("VAT_NOT_SPLIT")];
  const amount = ({ vatRappen }: PricedOption) => `CHF ${((vatRappen ?? 0) / 100).toFixed(2)}`;
  const amounts = options.map((option) => `${amount(option)} (${option.vehicleClass})`).join(", ");
  const byClass = Object.fromEntries(options.map((option) => [option.vehicleClass, { amounts: amount(option) }]));
  return [{ ...notice("VAT_INCLUDED", { percent, amounts }), byClass }];
}
