import type { NoticeCode } from "./notice-codes.ts";
import { francsText } from "./notice-formats.ts";
import type { Part, Value } from "./notices.ts";

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
interface Distance extends Km {
  /** Label of the fixed fare that would apply without the stops; absent for none. */
  readonly fareWithoutStops?: string | undefined;
}
/** What a further hour of a hire costs and includes. */
interface Rates {
  readonly hourRappen: number;
  readonly hourKm: number;
  readonly kmRappen: number;
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
/** A negative percentage is a discount. */
interface Season extends Share, Labeled {
  /** Of a discount: whether it ends at the minimum fare of the class. */
  readonly isLimited?: boolean | undefined;
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
  readonly transfer: Distance;
  readonly minimum: Distance;
  /** `includes` names the parts of the price that are not charged besides. */
  readonly fixed: Labeled & {
    readonly includes: readonly string[];
    readonly freeMinutes: number;
    /** They are on its way. */
    readonly hasStops: boolean;
  };
  readonly hire: {
    readonly hours: number;
    /** As the traveler asked. */
    readonly requested: number;
    /** Included kilometers. */
    readonly km: number;
    readonly isRoundTrip: boolean;
  } & Rates;
  /** A further hour includes `hourKm` more. */
  readonly extra: Km & { readonly hourKm: number };
  readonly hire_minimum: { readonly hours: number };
  readonly night: Share & { readonly rappen: number; readonly from: string; readonly to: string };
  readonly holidays: Share & { readonly names: readonly string[] };
  readonly season: Season;
  readonly agreed: Season;
  readonly waiting: Wait & {
    /** Requested at the pickup, with the stays at stops in the same place. */
    readonly agreedMinutes: number;
    /** Whether there are such stays. */
    readonly hasStays: boolean;
    readonly returnFreeMinutes: number | null;
  };
  readonly dwell: Wait & {
    readonly stayMinutes: number;
    readonly places: readonly Part[];
    readonly isRoundTrip: boolean;
  };
  readonly train: object;
  readonly tolls: object;
  readonly place_fee: Labeled;
  readonly item: { readonly item: Part };
  readonly same_day: { readonly percent: number };
  readonly return_discount: { readonly percent: number };
  readonly stops_minimum: object;
  readonly part_minimum: object;
  readonly transfer_minimum: Rates;
}

export function fixedFareSentences(fixed: ChargeValues["fixed"]): readonly Said[] {
  const { label: fare, includes, freeMinutes: free_min, hasStops } = fixed;
  const withStops: Said = { code: "FIXED_FARE_WITH_STOPS", values: { fare }, classes: "if_some" };
  return [
    ...(hasStops ? [withStops] : []),
    { code: "FIXED_FARE", values: { fare, includes: includes.join(", "), free_min }, classes: "always" },
  ];
}

/** The price by distance, where a fixed fare would apply without the stops. */
export function fareSentences({ fareWithoutStops: fare }: Distance): readonly Said[] {
  return fare === undefined ? [] : [{ code: "FIXED_FARE_WITHOUT_STOPS", values: { fare }, classes: "if_some" }];
}

export function hireSentences(hire: ChargeValues["hire"]): readonly Said[] {
  const { hours, requested, km, isRoundTrip } = hire;
  const rates: Said = { code: "HIRE_OVERTIME", ...ratesOf(hire) };
  if (hours > Math.ceil(requested))
    return [{ code: isRoundTrip ? "HIRE_EXTENDED_BACK" : "HIRE_EXTENDED", values: { hours, km, requested } }, rates];
  return [
    { code: "HIRE", values: { hours, km } },
    ...(hours === requested ? [] : [{ code: "HIRE_ROUNDED" as const, values: { requested, hours } }]),
    rates,
  ];
}

/** The rates apply only beyond the price of the transfer, so that this replaces HIRE_OVERTIME. */
export function transferMinimumSentences(rates: Rates): readonly Said[] {
  return [{ code: "TRANSFER_MINIMUM", ...ratesOf(rates), classes: "if_some" }];
}

function ratesOf({ hourRappen, hourKm: hour_km, kmRappen }: Rates): Pick<Said, "values" | "rappen"> {
  return { values: { hour_km }, rappen: { hour_prices: hourRappen, km_prices: kmRappen } };
}

/** The waiting that was requested, if any, and what any further waiting costs, at the return pickup too. */
export function waitingSentences(wait: ChargeValues["waiting"]): readonly Said[] {
  const { agreedMinutes: minutes, minutes: charged_min, freeMinutes: free_min, stepMinutes: step_min } = wait;
  const { returnFreeMinutes: back, stepRappen: prices } = wait;
  const stays = wait.hasStays ? 1 : 0;
  const further = (code: NoticeCode, values: Said["values"]): Said => {
    return { code, values: { ...values, step_min }, rappen: { prices }, ...(back !== null && { isForBoth: true }) };
  };
  if (charged_min > 0) {
    const values = { minutes, stays, free_min, charged_min, step_min };
    const agreed: Said = { code: "AGREED_WAITING", values, rappen: { prices }, classes: "if_some" };
    return back === null ? [agreed] : [agreed, further("WAITING_AT_RETURN", { free_min: back })];
  }
  const any =
    back === null || back === free_min
      ? further(back === null ? "WAITING" : "WAITING_EACH", { free_min })
      : further("WAITING_RETURN", { free_min, return_free_min: back });
  return minutes === 0 ? [any] : [{ code: "AGREED_WAITING_FREE", values: { minutes, stays }, classes: "if_some" }, any];
}

export function dwellSentences(dwell: ChargeValues["dwell"]): readonly Said[] {
  const { places, stayMinutes: minutes, minutes: charged_min, freeMinutes: free_min, stepMinutes: step_min } = dwell;
  const rappen = { prices: dwell.stepRappen };
  if (charged_min === 0)
    return [{ code: "DRIVER_WAITS_FREE", values: { places, minutes, free_min, step_min }, rappen, isForBoth: true }];
  if (dwell.isRoundTrip) return [{ code: "ROUND_TRIP_WAITS", values: { places, minutes, free_min }, isForBoth: true }];
  return [
    { code: "DRIVER_WAITS", values: { places, minutes, free_min, charged_min, step_min }, rappen, isForBoth: true },
  ];
}

export function nightSentences({ rappen, from, to, ...share }: ChargeValues["night"]): readonly Said[] {
  const period = { from, to };
  if (rappen === 0) return [surchargeSentence("NIGHT_SURCHARGE", "HIRE_NIGHT_SURCHARGE", share, period)];
  const amount = francsText(rappen);
  const supplement = share.percent > 0 ? `${share.percent} % + ${amount}` : amount;
  return share.hours !== undefined && share.percent > 0
    ? [surchargeSentence("NIGHT_SUPPLEMENT", "HIRE_NIGHT_SUPPLEMENT", share, { amount, ...period })]
    : [{ code: "NIGHT_SUPPLEMENT", values: { supplement, ...period }, classes: "if_some" }];
}

export function seasonSentence({ label: season, isLimited, ...share }: Season): Said {
  if (share.percent >= 0) return surchargeSentence("SEASON", "HIRE_SEASON", share, { season });
  return surchargeSentence(isLimited ? "DISCOUNT_TO_MINIMUM" : "DISCOUNT", "HIRE_DISCOUNT", share, { season });
}

/** On a hire it names the hours to which the percentage applies. */
export function surchargeSentence(
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
