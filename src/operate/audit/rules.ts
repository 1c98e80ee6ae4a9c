import { isDeepStrictEqual } from "node:util";
import { isCancellation } from "../../domain/catalog/catalog-schema.ts";
import type { Fare, ServiceRule } from "../../domain/catalog/offer-schema.ts";
import { localTimeIn } from "../../ops/local-time.ts";
import { type Audited, always, type Check, fault, repeated, warning } from "./catalog-check.ts";

const RULES = "service-rules.json";
const POLICIES = "policies.json";

/** Nobody publishes a rule so many years before its first day. */
const MOST_YEARS_AHEAD = 3;
const MOST_YEARS_CLOSED = 5;

/** What can be wrong with what is sold and when, and with policies. */
// biome-ignore format: a table reads by its columns
export const ofRules: readonly Check[] = [
  fault(({ catalog }) => catalog.stopSales, "availability.json", ({ id }) => id, ({ offer, classes, routes, dates, weekdays, hours }) => offer === "none" && !(classes ?? routes ?? dates ?? weekdays ?? hours), "it is for every class, journey and time, so that nothing is sold: limit it"),
  fault(({ catalog }) => catalog.serviceRules.slice(0, 1), RULES, ({ id }) => id, (rule) => rule.offer === "none" && isForEverything(rule), "the first rule is for every journey, so that nothing is sold: limit it"),
  warning(unreachedRules, RULES, ({ id }) => id, always, ({ last, isAll }) => `no journey reaches it, since ${last} is for ${isAll ? "every journey: move that rule to the end" : "the same journeys: correct one of them"}, or remove this one`),
  warning(({ catalog }) => catalog.serviceRules, RULES, ({ id }) => `${id}.reason`, ({ offer, reason }) => offer === "at_once" && reason !== undefined, ({ reason }) => `"${reason}" is not shown, since the journey is sold at once: change the offer, or remove the reason`),
  warning(daysOfRules, ({ file }) => file, ({ id }) => id, ({ first, latest }) => first !== undefined && first > latest, ({ first }) => `begins on ${first}: correct the year`),
  warning(({ catalog }) => catalog.closures, "closures.json", ({ id }) => id, ({ from, to }) => yearOf(to) - yearOf(from) > MOST_YEARS_CLOSED, ({ from, to }) => `${from} to ${to} is ${yearOf(to) - yearOf(from)} years: correct the year`),
  warning(daysOfRules, ({ file }) => file, ({ id }) => id, ({ last, today }) => last !== undefined && last < today, ({ last }) => `has ended on ${last}: remove it, or give it new dates`),
  warning(twins, ({ file }) => file, ({ each }) => each.id, always, ({ earlier }) => `is the same as ${earlier.id}: remove one of them, or correct it`),
  fault(({ catalog }) => catalog.policies.flatMap(({ partialRefunds: [tier] = [], ...policy }) => (tier ? [{ ...policy, tier }] : [])), POLICIES, ({ key }) => `${key}.partialRefunds`, ({ tier, fullRefundCutoffHours }) => tier.hours >= fullRefundCutoffHours, ({ tier, fullRefundCutoffHours: hours }) => `${tier.hours} h: until ${hours} h all is refunded: state fewer than ${hours} hours`),
  warning(statedHours, POLICIES, ({ key }) => `${key}.text`, ({ allowed, number }) => !allowed.includes(Number(number)), ({ number, hours }) => `"${number} hours", but fullRefundCutoffHours is ${hours}: write {fullRefundCutoffHours}`),
];

function unreachedRules({ catalog: { serviceRules } }: Audited) {
  return serviceRules.flatMap((rule, index) => {
    const isSame = (each: ServiceRule) => isDeepStrictEqual(conditionsOf(each), conditionsOf(rule));
    const earlier = serviceRules.slice(0, index).find((each) => isForEverything(each) || isSame(each));
    return earlier ? [{ id: rule.id, last: earlier.id, isAll: isForEverything(earlier) }] : [];
  });
}

function conditionsOf({ routes, corridor, endIn, bothEndsIn }: ServiceRule) {
  return [routes, corridor, endIn, bothEndsIn];
}

function isForEverything(rule: ServiceRule): boolean {
  return conditionsOf(rule).every((each) => each === undefined);
}

type Dated = Pick<Fare, "id" | "validFrom" | "validTo" | "dates">;

/** The first and the last day of each rule that has dates; `undefined` where it applies every year. */
function daysOfRules({ catalog: { fares, seasons, stopSales, closures, tariff }, now }: Audited) {
  const today = localTimeIn(tariff.timeZone)(now).slice(0, 10);
  const latest = `${yearOf(today) + MOST_YEARS_AHEAD}${today.slice(4)}`;
  const of = (file: string, rules: readonly Dated[]) =>
    rules.map(({ id, validFrom, validTo, dates = [] }) => {
      const own = dates.some(({ to }) => to.length !== 10) ? [] : dates;
      const first = validFrom ?? own.map(({ from }) => from).sort()[0];
      const last =
        validTo ??
        own
          .map(({ to }) => to)
          .sort()
          .at(-1);
      return { file, id, first, last, today, latest };
    });
  const closed = closures.map(({ id, from, to }) => ({ id, validFrom: from.slice(0, 10), validTo: to.slice(0, 10) }));
  const sales = of("availability.json", stopSales);
  return [...of("fares.json", fares), ...of("seasons.json", seasons), ...sales, ...of("closures.json", closed)];
}

/** Each rule with an earlier one that differs in id and reason alone. */
function twins({ catalog: { seasons, placeFees, stopSales, bookingWindows, closures } }: Audited) {
  const of = (file: string, rules: readonly { readonly id: string; readonly reason?: string }[]) =>
    repeated(rules, ({ id: _, reason: __, ...others }) => others).map((twin) => ({ file, ...twin }));
  return [
    ...of("seasons.json", seasons),
    ...of("place-fees.json", placeFees),
    ...[stopSales, bookingWindows].flatMap((rules) => of("availability.json", rules)),
    ...of("closures.json", closures),
  ];
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

const HOURS_BEFORE = /\b(\d+) ?(?:hours|h)['’]? (?:before|prior|ahead|in advance|notice)/gi;

/** Hours in sentences about cancellation, unless a placeholder states them. */
function statedHours({ catalog: { policies, policyRecords } }: Audited) {
  const hours = policies.find(isCancellation)?.fullRefundCutoffHours;
  const tiers = policies.flatMap(({ partialRefunds = [] }) => partialRefunds.map((tier) => tier.hours));
  return policyRecords.flatMap(({ key, text }) => {
    const sentences = text.split(/(?<=[.;!?])\s/).filter((sentence) => /cancel|refund/i.test(sentence));
    const stated = sentences.flatMap((sentence) => [...sentence.matchAll(HOURS_BEFORE)].map(([, number]) => number));
    return stated.map((number) => ({ key, number, hours, allowed: [hours, ...tiers] }));
  });
}
