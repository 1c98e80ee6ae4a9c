import type { Fare } from "../catalog/offer-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { type Notice, type NoticeCode, notice, type Part, type Value, withValues } from "../contract/notices.ts";
import { type PricingRequest, rulesOf, surchargesOf } from "../pricing/price.ts";
import type { Hire, PricedLeg, Surcharge } from "../pricing/priced-leg.ts";
import type { PricedOption } from "./quote.ts";

type Option = Pick<PricedOption, "vehicleClass" | "vehicleType">;

/** Notices about the price: what it includes, surcharges, waiting, and what extra hours and kilometers cost. */
export function priceNotices(
  tariff: Tariff,
  { outbound, return: back }: Pick<PricingRequest, "outbound" | "return">,
  options: readonly Option[],
  hireHours: number | null,
): readonly Notice[] {
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
): readonly Notice[] {
  const notices = [...fareNotices(tariff, leg, options), ...surchargeNotices(tariff, leg, options)];
  return direction ? notices.map((each) => ({ ...each, ...withValues(each, { leg: direction }) })) : notices;
}

function surchargeNotices(tariff: Tariff, leg: PricedLeg, options: readonly Option[]): readonly Notice[] {
  const charged = new Set(options.flatMap(({ vehicleClass }) => rulesOf(leg, vehicleClass).surcharges));
  return leg.surcharges
    .filter((surcharge) => charged.has(surcharge))
    .map((surcharge) => {
      const { kind, percent, amount } = surcharge;
      if (amount > 0) return nightSupplement(tariff, surcharge);
      if (kind === "night") return notice("NIGHT_SURCHARGE", { percent, ...nightOf(tariff) });
      if (kind === "holidays") return notice("HOLIDAY_SURCHARGE", { percent, ...holidaysOf(surcharge) });
      return notice("SEASON", seasonOf(surcharge));
    });
}

function hireSurcharges(tariff: Tariff, { surcharges }: Hire, options: readonly Option[]): readonly Notice[] {
  const charged = new Set(options.flatMap(({ vehicleClass }) => surchargesOf(surcharges, vehicleClass)));
  return surcharges
    .filter((surcharge) => charged.has(surcharge))
    .map((surcharge) => {
      const { kind, percent, amount, hours, ofHours } = surcharge;
      if (amount > 0) return nightSupplement(tariff, surcharge);
      const share = { hours, of_hours: ofHours };
      if (kind === "night") return notice("HIRE_NIGHT_SURCHARGE", { percent, ...share, ...nightOf(tariff) });
      if (kind === "holidays") return notice("HIRE_HOLIDAY_SURCHARGE", { percent, ...share, ...holidaysOf(surcharge) });
      return notice("HIRE_SEASON", { ...seasonOf(surcharge), ...share });
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
  return { holiday: holidays.map((text) => ({ text })) };
}

function seasonOf({ label, percent, classes }: Surcharge) {
  return { season: classes ? [{ text: label, classes }] : label, percent: Math.abs(percent) };
}

function fareNotices(tariff: Tariff, leg: PricedLeg, options: readonly Option[]): readonly Notice[] {
  return leg.fares.flatMap((fare) => {
    const priced = options.filter(({ vehicleClass }) => rulesOf(leg, vehicleClass).fixed === fare);
    if (priced.length === 0) return [];
    const classes = [{ classes: priced.map(({ vehicleClass }) => vehicleClass) }];
    const included = { includes: fare.includes.join(", "), free_min: freeMinutesOf(tariff, leg, fare) };
    return [notice("FIXED_FARE", { fare: fare.label, classes, ...included })];
  });
}

function waitingNotices(
  tariff: Tariff,
  leg: PricedLeg,
  back: PricedLeg | null,
  options: readonly Option[],
): readonly Notice[] {
  const stepRappen = (id: string) => tariff.rates[id]?.waitingStepRappen ?? 0;
  const free = { free_min: freeMinutesOf(tariff, leg, undefined), step_min: tariff.waiting.stepMinutes };
  const dwell = leg.waits.slice(1).reduce((minutes, wait) => minutes + wait.minutes, 0);
  const stops = { minutes: dwell, free_min: tariff.waiting.freeMinutes };
  const values = { prices: pricesOf(options, stepRappen), ...free };
  const backMinutes = back && freeMinutesOf(tariff, back, undefined);
  const isSame = backMinutes === free.free_min;
  return [
    backMinutes === null || isSame
      ? notice(isSame ? "WAITING_EACH" : "WAITING", values)
      : notice("WAITING_RETURN", { ...values, return_free_min: backMinutes }),
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
): readonly Notice[] {
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
    notice("HIRE_OVERTIME", { hour_prices: pricesOf(options, hourRappen), km_prices: pricesOf(options, kmRappen) }),
    ...hireSurcharges(tariff, hire, options),
  ];
}

/** Each price once, with the classes that have it. */
function pricesOf(options: readonly Option[], rappenOf: (vehicleClass: string) => number): readonly Part[] {
  const classes = new Map<number, readonly string[]>();
  for (const { vehicleClass } of options) {
    const rappen = rappenOf(vehicleClass);
    classes.set(rappen, [...(classes.get(rappen) ?? []), vehicleClass]);
  }
  return [...classes].map(([rappen, ids]) => ({ text: price(rappen), classes: ids }));
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
  notices: readonly Notice[],
  { vehicleClass, vehicleType }: Pick<PricedOption, "vehicleClass" | "vehicleType">,
): readonly Notice[] {
  return notices.flatMap((notice) => {
    if (ABOUT_OTHER_CLASSES.includes(notice.code)) return [];
    const own: Record<string, Value> = {};
    for (const [name, value] of Object.entries(notice.values)) {
      if (typeof value !== "object" || !value.some(({ classes }) => classes)) continue;
      const part = value.find(({ classes }) => classes?.includes(vehicleClass));
      if (!part) return [];
      own[name] = part.text ?? vehicleType;
    }
    return [withValues(notice, own)];
  });
}

export function vatNotices(
  { vat }: Tariff,
  percent: number | null,
  options: readonly PricedOption[],
): readonly Notice[] {
  if (!vat) return [];
  if (percent === null) return [notice("VAT_NOT_SPLIT")];
  const amount = ({ vatRappen }: PricedOption) => `CHF ${((vatRappen ?? 0) / 100).toFixed(2)}`;
  const amounts = options.map((option) => ({ text: amount(option), classes: [option.vehicleClass] }));
  return [notice("VAT_INCLUDED", { percent, amounts })];
}
