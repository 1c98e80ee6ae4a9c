import type { ChargeValues, Said } from "./charge-sentences.ts";
import * as sentences from "./charge-sentences.ts";
import { durationText } from "./notice-formats.ts";
import { type Part, valueText } from "./notices.ts";

/** The words of a line of a price, in English; pages translate it by its code. `count` is the value in the label. */
interface Words<Values> {
  readonly line: (values: Values) => string;
  readonly count?: (values: Values) => number;
  /** The operator wrote the label, so that no page has words for the code. */
  readonly isOperators?: true;
  /** Sentences that explain the charge. */
  readonly says?: (values: Values) => readonly Said[];
}

export type ChargeCode = keyof ChargeValues;

/** Part of a price, with all that can be said about it. */
export interface Charge<C extends ChargeCode = ChargeCode> {
  readonly code: C;
  /** Whole Rappen; negative for a discount. 0 for what is free, about which there may be something to say. */
  readonly rappen: number;
  readonly values: ChargeValues[C];
  /** `null` for a journey without return, and for what is about both directions. */
  readonly direction: "outbound" | "return" | null;
}

/** Every kind of charge, in the order of their sentences. */
const CHARGES: { readonly [C in ChargeCode]: Words<ChargeValues[C]> } = {
  fixed: { line: ({ label }) => label, isOperators: true, says: sentences.fixedFare },
  transfer: { line: ({ km }) => `Transfer ${km} km`, count: ({ km }) => km, says: sentences.fare },
  minimum: { line: ({ km }) => `Transfer ${km} km, minimum fare`, count: ({ km }) => km, says: sentences.fare },
  hire: { line: ({ hours }) => `Hire ${hours} h`, count: ({ hours }) => hours, says: sentences.hire },
  extra: {
    line: ({ km }) => `Extra ${km} km`,
    count: ({ km }) => km,
    says: ({ km }) => [{ code: "EXTRA_KM", values: { km }, classes: "if_some" }],
  },
  hire_minimum: {
    line: ({ hours }) => `Difference to the price of ${hours} h`,
    count: ({ hours }) => hours,
    says: ({ hours }) => [{ code: "HIRE_MINIMUM", values: { hours }, classes: "if_some" }],
  },
  night: { line: () => "Night surcharge", says: sentences.night },
  holidays: {
    line: () => "Holiday surcharge",
    says: ({ names, ...share }) => {
      const holiday = names.map((text) => ({ text }));
      return [sentences.surcharge("HOLIDAY_SURCHARGE", share, { holiday })];
    },
  },
  season: { line: ({ label }) => label, isOperators: true, says: (season) => [sentences.season(season)] },
  agreed: {
    line: ({ label }) => label,
    isOperators: true,
    // On a hire it is a percentage of the extra kilometers, too.
    says: ({ label, percent, isLimited }) => [sentences.season({ label, percent, isLimited })],
  },
  waiting: {
    line: ({ minutes }) => `Waiting ${durationText(minutes)}`,
    count: ({ minutes }) => minutes,
    says: sentences.waiting,
  },
  dwell: {
    line: ({ minutes }) => `Waiting at stops ${durationText(minutes)}`,
    count: ({ minutes }) => minutes,
    says: sentences.dwell,
  },
  train: { line: () => "Car train" },
  tolls: { line: () => "Tolls" },
  place_fee: { line: ({ label }) => label, isOperators: true },
  item: { line: ({ item }) => valueText([item]), isOperators: true },
  same_day: { line: () => "Same-day return discount" },
  return_discount: { line: () => "Return discount" },
  stops_minimum: {
    line: () => "Difference to the price with fewer stops",
    says: () => [{ code: "PART_MINIMUM", values: { stops: 1 }, classes: "if_some", isForBoth: true }],
  },
  part_minimum: {
    line: () => "Difference to the price of a part",
    says: () => [{ code: "PART_MINIMUM", values: {}, classes: "if_some", isForBoth: true }],
  },
  transfer_minimum: {
    line: () => "Difference to the price of the transfer",
    says: ({ rappen: amounts }) => [{ code: "TRANSFER_MINIMUM", values: {}, rappen: { amounts } }],
  },
};

export function sentencesOf<C extends ChargeCode>({ code, values }: Charge<C>): readonly Said[] {
  return CHARGES[code].says?.(values) ?? [];
}

/** What waiting at the pickup is charged by; `undefined` for a hire. */
export function waitingOf(charges: readonly Charge[]): ChargeValues["waiting"] | undefined {
  return charges.find((each): each is Charge<"waiting"> => each.code === "waiting")?.values;
}

/** Charged hours of a hire; `null` for a transfer. */
export function hireHoursOf(charges: readonly Charge[]): number | null {
  return charges.find((each): each is Charge<"hire"> => each.code === "hire")?.values.hours ?? null;
}

/** Free minutes at the pickup of each direction, which are said even where none is used; `undefined` for a hire. */
export function freeWaitingOf(charges: readonly Charge[]) {
  const waiting = waitingOf(charges);
  return waiting && { outbound: waiting.freeMinutes, return: waiting.returnFreeMinutes };
}

/** Whether a price or a sentence contains the charge, unlike tolls of CHF 0. */
export function isRelevant({ code, rappen }: Charge): boolean {
  return rappen !== 0 || CHARGES[code].says !== undefined;
}

export const CHARGE_ORDER = Object.keys(CHARGES);

/** What is charged, line by line. They add up to the total. */
export function linesOf(charges: readonly Charge[]) {
  return charges.filter(({ rappen }) => rappen !== 0).map(lineOf);
}

/** The discount for returns at most this many local days later; absent for any. */
export const discountCode = ({ withinDays }: { readonly withinDays?: number | undefined }) =>
  withinDays === 0 ? "same_day" : "return_discount";

/** What a charge is called in a price. */
export function labelOf<C extends ChargeCode>({ code, values }: Pick<Charge<C>, "code" | "values">): string {
  return CHARGES[code].line(values);
}

/**
 * Pages in other languages render `code`, absent if the operator wrote the label, and `count`: kilometers, hours or minutes
 * in the label. `name` is the label without its direction, and `item` what that consists of.
 */
function lineOf<C extends ChargeCode>({ code, rappen, values, direction }: Charge<C>) {
  const { count, isOperators } = CHARGES[code];
  const name = labelOf({ code, values });
  return {
    label: direction ? `${direction === "return" ? "Return" : "Outbound"}: ${name}` : name,
    ...(!isOperators && { code }),
    ...(count && { count: count(values) }),
    rappen,
    ...(direction && { direction, name }),
    ...("item" in values && { item: values.item as Part }),
  };
}
