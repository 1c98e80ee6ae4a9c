import type { NoticeCode } from "./notice-codes.ts";
import { durationText } from "./notice-formats.ts";
import { type Part, type Value, valueText } from "./notices.ts";

/** The words of a line of a price, in English; pages translate it by its code. `count` is the value in the label. */
interface Words<Values> {
  readonly line: (values: Values) => string;
  readonly count?: (values: Values) => number;
  /** The operator wrote the label, so that no page has words for the code. */
  readonly isOperators?: true;
  /** Paid to others as it is, whatever the distance. */
  readonly isFee?: true;
  /** Sentences that explain the charge. */
  readonly says?: (values: Values) => readonly Said[];
}

/** A sentence about a charge. */
export interface Said {
  readonly code: NoticeCode;
  readonly values: Readonly<Record<string, Value>>;
  /** Amounts in Rappen that differ between vehicle classes, by the name of the value that lists them. */
  readonly rappen?: Readonly<Record<string, number>>;
  /** Whether it names its vehicle classes even where it is about all of them, or only where it is about some. */
  readonly classes?: "always" | "if_some";
  /** About both directions of a journey with a return. */
  readonly isForBoth?: true;
}

interface Km {
  readonly km: number;
}
interface Labeled {
  readonly label: string;
}
interface Share {
  readonly percent: number;
  /** Hours of a hire to which it applies, of all its hours; absent on a transfer. */
  readonly hours?: number | undefined;
  readonly ofHours?: number | undefined;
}
interface Wait {
  /** Whole minutes that are charged: whole steps without the free minutes. */
  readonly minutes: number;
  readonly freeMinutes: number;
  readonly stepMinutes: number;
  readonly stepRappen: number;
}

/** What each kind of charge was calculated from. */
export interface ChargeValues {
  readonly transfer: Km;
  readonly minimum: Km;
  readonly direct_minimum: Km;
  /** Includes parts of the price that are not charged besides. */
  readonly fixed: Labeled & { readonly includes: readonly string[]; readonly freeMinutes: number };
  readonly hire: {
    readonly hours: number;
    /** As the traveler asked. */
    readonly requested: number;
    /** Included kilometers. */
    readonly km: number;
    readonly isRoundTrip: boolean;
    readonly hourRappen: number;
    readonly kmRappen: number;
  };
  /** A further hour includes `hourKm` more. */
  readonly extra: Km & { readonly hourKm: number };
  readonly hire_minimum: { readonly hours: number };
  readonly night: Share & { readonly rappen: number; readonly from: string; readonly to: string };
  readonly holidays: Share & { readonly names: readonly string[] };
  readonly season: Share & Labeled;
  readonly agreed: Share & Labeled;
  readonly waiting: Wait & { readonly agreedMinutes: number; readonly returnFreeMinutes: number | null };
  readonly dwell: Wait & { readonly stayMinutes: number; readonly isRoundTrip: boolean };
  readonly train: object;
  readonly tolls: object;
  readonly place_fee: Labeled;
  readonly item: { readonly item: Part };
  readonly same_day: { readonly percent: number };
  readonly return_discount: { readonly percent: number };
  readonly stops_minimum: object;
  readonly part_minimum: object;
  readonly transfer_minimum: object;
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
  fixed: {
    line: ({ label }) => label,
    isOperators: true,
    says: ({ label: fare, includes, freeMinutes: free_min }) => [
      { code: "FIXED_FARE", values: { fare, includes: includes.join(", "), free_min }, classes: "always" },
    ],
  },
  transfer: { line: ({ km }) => `Transfer ${km} km`, count: ({ km }) => km },
  minimum: { line: ({ km }) => `Transfer ${km} km, minimum fare`, count: ({ km }) => km },
  direct_minimum: {
    line: ({ km }) => `Transfer ${km} km, as without stops`,
    count: ({ km }) => km,
    says: ({ km }) => [{ code: "DIRECT_MINIMUM", values: { km }, classes: "if_some" }],
  },
  hire: {
    line: ({ hours }) => `Hire ${hours} h`,
    count: ({ hours }) => hours,
    says: ({ hours, requested, km, isRoundTrip, hourRappen, kmRappen }) => [
      ...hireSentences(hours, requested, km, isRoundTrip),
      {
        code: "HIRE_OVERTIME",
        values: { hour_km: km / hours },
        rappen: { hour_prices: hourRappen, km_prices: kmRappen },
      },
    ],
  },
  extra: {
    line: ({ km }) => `Extra ${km} km`,
    count: ({ km }) => km,
    says: ({ km, hourKm: hour_km }) => [{ code: "EXTRA_KM", values: { km, hour_km } }],
  },
  hire_minimum: {
    line: ({ hours }) => `Difference to the price of ${hours} h`,
    count: ({ hours }) => hours,
    says: ({ hours }) => [{ code: "HIRE_MINIMUM", values: { hours }, classes: "if_some" }],
  },
  night: { line: () => "Night surcharge", says: nightSentences },
  holidays: {
    line: () => "Holiday surcharge",
    says: ({ names, ...share }) => {
      const holiday = names.map((text) => ({ text }));
      return [surchargeSentence("HOLIDAY_SURCHARGE", "HIRE_HOLIDAY_SURCHARGE", share, { holiday })];
    },
  },
  season: {
    line: ({ label }) => label,
    isOperators: true,
    says: ({ label: season, ...share }) => [surchargeSentence("SEASON", "HIRE_SEASON", share, { season })],
  },
  agreed: {
    line: ({ label }) => label,
    isOperators: true,
    says: ({ label: season, percent }) => [surchargeSentence("SEASON", "SEASON", { percent }, { season })],
  },
  waiting: {
    line: ({ minutes }) => `Waiting ${durationText(minutes)}`,
    count: ({ minutes }) => minutes,
    says: waitingSentences,
  },
  dwell: {
    line: ({ minutes }) => `Waiting at stops ${durationText(minutes)}`,
    count: ({ minutes }) => minutes,
    says: ({ stayMinutes: minutes, minutes: charged, freeMinutes: free_min, isRoundTrip }) => {
      if (charged === 0) return [{ code: "DRIVER_WAITS_FREE", values: { minutes }, isForBoth: true }];
      return [
        { code: isRoundTrip ? "ROUND_TRIP_WAITS" : "DRIVER_WAITS", values: { minutes, free_min }, isForBoth: true },
      ];
    },
  },
  train: { line: () => "Car train", isFee: true },
  tolls: { line: () => "Tolls", isFee: true },
  place_fee: { line: ({ label }) => label, isOperators: true, isFee: true },
  item: { line: ({ item }) => valueText([item]), isOperators: true },
  same_day: { line: () => "Same-day return discount" },
  return_discount: { line: () => "Return discount" },
  stops_minimum: {
    line: () => "Difference to the price with fewer stops",
    says: () => [{ code: "STOPS_MINIMUM", values: {}, classes: "if_some", isForBoth: true }],
  },
  part_minimum: {
    line: () => "Difference to the fixed fare of a part",
    says: () => [{ code: "PART_MINIMUM", values: {}, classes: "if_some", isForBoth: true }],
  },
  transfer_minimum: {
    line: () => "Difference to the price of the transfer",
    says: () => [{ code: "TRANSFER_MINIMUM", values: {}, classes: "if_some" }],
  },
};

function hireSentences(hours: number, requested: number, km: number, isRoundTrip: boolean): readonly Said[] {
  if (hours > Math.ceil(requested))
    return [{ code: isRoundTrip ? "HIRE_EXTENDED_BACK" : "HIRE_EXTENDED", values: { hours, km, requested } }];
  return [
    { code: "HIRE", values: { hours, km } },
    ...(hours === requested ? [] : [{ code: "HIRE_ROUNDED" as const, values: { requested, hours } }]),
  ];
}

/** The waiting that was requested, if any, and what any further waiting costs, at the return pickup too. */
function waitingSentences(wait: ChargeValues["waiting"]): readonly Said[] {
  const { agreedMinutes: minutes, minutes: charged_min, freeMinutes: free_min, stepMinutes: step_min } = wait;
  const { returnFreeMinutes: back, stepRappen: prices } = wait;
  const further = (code: NoticeCode, values: Said["values"]): Said => {
    return { code, values: { ...values, step_min }, rappen: { prices }, ...(back !== null && { isForBoth: true }) };
  };
  if (charged_min > 0) {
    const values = { minutes, free_min, charged_min, step_min };
    const agreed: Said = { code: "AGREED_WAITING", values, rappen: { prices }, classes: "if_some" };
    return back === null ? [agreed] : [agreed, further("WAITING_AT_RETURN", { free_min: back })];
  }
  const any =
    back === null || back === free_min
      ? further(back === null ? "WAITING" : "WAITING_EACH", { free_min })
      : further("WAITING_RETURN", { free_min, return_free_min: back });
  return minutes === 0 ? [any] : [{ code: "AGREED_WAITING_FREE", values: { minutes }, classes: "if_some" }, any];
}

function nightSentences({ rappen, from, to, ...share }: ChargeValues["night"]): readonly Said[] {
  const period = { from, to };
  if (rappen === 0) return [surchargeSentence("NIGHT_SURCHARGE", "HIRE_NIGHT_SURCHARGE", share, period)];
  const amount = francsText(rappen);
  const supplement = share.percent > 0 ? `${share.percent} % + ${amount}` : amount;
  return share.hours !== undefined && share.percent > 0
    ? [surchargeSentence("NIGHT_SUPPLEMENT", "HIRE_NIGHT_SUPPLEMENT", share, { amount, ...period })]
    : [{ code: "NIGHT_SUPPLEMENT", values: { supplement, ...period }, classes: "if_some" }];
}

/** On a hire it names the hours to which the percentage applies. */
function surchargeSentence(
  code: NoticeCode,
  ofHire: NoticeCode,
  { percent, hours, ofHours }: Share,
  own: Said["values"],
): Said {
  const values = { ...own, percent: Math.abs(percent) };
  return hours === undefined || ofHours === undefined
    ? { code, values, classes: "if_some" }
    : { code: ofHire, values: { ...values, hours, of_hours: ofHours }, classes: "if_some" };
}

export function sentencesOf<C extends ChargeCode>({ code, values }: Charge<C>): readonly Said[] {
  return CHARGES[code].says?.(values) ?? [];
}

/** Whether a price or a sentence contains the charge, unlike tolls of CHF 0. */
export function isRelevant({ code, rappen }: Charge): boolean {
  return rappen !== 0 || CHARGES[code].says !== undefined;
}

/** Tolls, car trains and fees of places. */
export function feesIn(charges: readonly Charge[]): number {
  return charges.reduce((sum, { code, rappen }) => sum + (CHARGES[code].isFee ? rappen : 0), 0);
}

export const CHARGE_ORDER = Object.keys(CHARGES);

/** What several vehicles are charged, of which each is charged this. */
export function times<C extends ChargeCode>({ values, ...charge }: Charge<C>, count: number): Charge<C> {
  const amounts = Object.entries(values).filter(([name]) => AMOUNTS.has(name));
  const multiplied = Object.fromEntries(amounts.map(([name, rappen]) => [name, rappen * count]));
  return { ...charge, rappen: charge.rappen * count, values: { ...values, ...multiplied } };
}

/** Values that are amounts of one vehicle. */
const AMOUNTS: ReadonlySet<string> = new Set(["rappen", "stepRappen", "hourRappen", "kmRappen"]);

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

export function francsText(rappen: number): string {
  return `CHF ${rappen % 100 === 0 ? rappen / 100 : (rappen / 100).toFixed(2)}`;
}
