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

interface Distance {
  readonly km: number;
  /** Label of the fixed fare that would apply without the stops or the detour; absent for none. */
  readonly otherFare?: string | undefined;
  /** Whether closed roads make the way far longer than usual; absent for no. */
  readonly isDetour?: true | undefined;
  /** Kilometers on car trains that are not charged; absent for none. */
  readonly freeTrainKm?: number | undefined;
}
interface Share {
  readonly percent: number;
  /** Hours of a hire to which it applies, of all its hours; absent on a transfer. */
  readonly hours?: number | undefined;
  readonly ofHours?: number | undefined;
}
/** A negative percentage is a discount. */
interface Season extends Share {
  readonly label: string;
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
  readonly fixed: {
    readonly label: string;
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
    /** The kilometers in the price: those included or, where they are more, those driven. */
    readonly pricedKm: number;
    readonly isRoundTrip: boolean;
    /** What a further hour costs and includes. */
    readonly hourRappen: number;
    /** What the next hour adds, before surcharges, where its kilometers replace extra ones; absent where there are none. */
    readonly nextRappen?: number | undefined;
    readonly hourKm: number;
    readonly kmRappen: number;
  };
  readonly extra: { readonly km: number };
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
  readonly place_fee: { readonly label: string };
  readonly item: { readonly item: Part };
  readonly same_day: { readonly percent: number };
  readonly return_discount: { readonly percent: number };
  readonly stops_minimum: object;
  readonly part_minimum: object;
  /** What is missing to the price of the transfer. */
  readonly transfer_minimum: { readonly rappen: number };
}

export function fixedFare(fixed: ChargeValues["fixed"]): readonly Said[] {
  const { label: fare, includes, freeMinutes: free_min, hasStops } = fixed;
  const withStops: Said = { code: "FIXED_FARE_APPLIES", values: { fare, applies: 1 }, classes: "if_some" };
  return [
    ...(hasStops ? [withStops] : []),
    { code: "FIXED_FARE", values: { fare, includes: includes.join(", "), free_min }, classes: "always" },
  ];
}

/** The price by distance, where a fixed fare would apply without the stops or the detour. */
export function fare({ otherFare: fare, isDetour, freeTrainKm: km }: Distance): readonly Said[] {
  const sentences: Said[] = [];
  const detour = isDetour && { detour: 1 };
  if (fare !== undefined)
    sentences.push({ code: "FIXED_FARE_APPLIES", values: { fare, ...detour }, classes: "if_some" });
  if (km !== undefined) sentences.push({ code: "FREE_TRAIN_KM", values: { km }, classes: "if_some" });
  return sentences;
}

export function hire(hire: ChargeValues["hire"]): readonly Said[] {
  const { hours, requested, km, pricedKm, isRoundTrip, hourRappen, nextRappen, hourKm: hour_km, kmRappen } = hire;
  const isLonger = hours > Math.ceil(requested);
  const why = { requested, ...(isLonger && { [isRoundTrip ? "back" : "longer"]: 1 }) };
  const next = nextRappen !== undefined && { next_prices: nextRappen };
  const rappen = { hour_prices: hourRappen, km_prices: kmRappen, ...next };
  return [
    { code: "HIRE", values: { hours, km, ...(hours !== requested && why) } },
    { code: "HIRE_OVERTIME", values: { hours, km: pricedKm, hour_km }, rappen },
  ];
}

/** The waiting that was requested, if any, and what any further waiting costs, at the return pickup too. */
export function waiting(wait: ChargeValues["waiting"]): readonly Said[] {
  const { agreedMinutes: minutes, minutes: charged_min, freeMinutes: free_min, stepMinutes: step_min } = wait;
  const { returnFreeMinutes: return_free_min, stepRappen: prices } = wait;
  const further = (values: Said["values"]): Said => {
    const isForBoth = return_free_min !== null && { isForBoth: true as const };
    return { code: "WAITING", values: { ...values, step_min }, rappen: { prices }, ...isForBoth };
  };
  const stated = { minutes, ...(wait.hasStays && { stays: 1 }) };
  if (charged_min > 0) {
    const values = { ...stated, free_min, charged_min, step_min };
    return [
      { code: "AGREED_WAITING", values, rappen: { prices }, classes: "if_some" },
      ...(return_free_min === null ? [] : [further({ return_free_min })]),
    ];
  }
  const other: Said["values"] = return_free_min === null ? {} : { return_free_min };
  const any = further({ free_min, ...(return_free_min === free_min ? { each: 1 } : other) });
  return minutes === 0 ? [any] : [{ code: "AGREED_WAITING", values: stated, classes: "if_some" }, any];
}

/** Minutes from which a car that waits may cost more than two journeys. */
const LONG_STAY_MINUTES = 6 * 60;

export function dwell(dwell: ChargeValues["dwell"]): readonly Said[] {
  const { places, stayMinutes: minutes, minutes: charged_min, freeMinutes: free_min, stepMinutes: step_min } = dwell;
  // On a round trip the stay stated may cost less than its steps, as much as a hire.
  const charged: Said["values"] = dwell.isRoundTrip ? { round: 1 } : { charged_min };
  const long: Said["values"] | false = charged_min > 0 && minutes >= LONG_STAY_MINUTES && { long: 1 };
  const now = dwell.isRoundTrip && { now: 1 };
  const values = { places, minutes, free_min, step_min, ...(charged_min > 0 && charged), ...now, ...long };
  return [{ code: "DRIVER_WAITS", values, rappen: { prices: dwell.stepRappen }, isForBoth: true }];
}

export function night({ rappen, from, to, ...share }: ChargeValues["night"]): readonly Said[] {
  const period = { from, to };
  const amount = francsText(rappen);
  if (rappen === 0) return [surcharge("NIGHT_SURCHARGE", share, period)];
  if (share.hours !== undefined && share.percent > 0)
    return [surcharge("NIGHT_SURCHARGE", share, { amount, ...period })];
  const supplement = share.percent > 0 ? `${share.percent} % + ${amount}` : amount;
  return [{ code: "NIGHT_SURCHARGE", values: { supplement, ...period }, classes: "if_some" }];
}

export function season({ label: season, isLimited, ...share }: Season): Said {
  const discount = share.percent < 0 && { off: 1, ...(isLimited && { limited: 1 }) };
  return surcharge("SEASON", share, { season, ...discount });
}

/** On a hire it names the hours to which the percentage applies. */
export function surcharge(code: NoticeCode, { percent, hours, ofHours }: Share, own: Said["values"]): Said {
  const ofHire = hours !== undefined && ofHours !== undefined && { hours, of_hours: ofHours };
  return { code, values: { ...own, percent: Math.abs(percent), ...ofHire }, classes: "if_some" };
}
