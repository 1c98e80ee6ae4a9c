import { isDeepStrictEqual } from "node:util";
import { isCancellation, type Policy } from "../../domain/catalog/catalog-schema.ts";
import type { ServiceRule, When } from "../../domain/catalog/offer-schema.ts";
import { localTimeIn } from "../../ops/local-time.ts";
import { type Audited, always, type Check, fault, warning } from "./catalog-check.ts";

const RULES = "service-rules.json";
const POLICIES = "policies.json";

/** What agents ask for, beside the cancellation policy, which no catalog lacks. */
const ASKED_FOR = ["payment", "changes", "invoice"];
const MOST_CUTOFF_HOURS = 7 * 24;
/** Nobody publishes a rule so many years before its first day. */
const MOST_YEARS_AHEAD = 3;
const MOST_YEARS = 10;
const MOST_YEARS_CLOSED = 5;
/** People write such a day for a rule without an end. */
const FOR_EVER = "2099";

/** What can be wrong with what is sold and when, and with policies. */
// biome-ignore format: a table reads by its columns
export const ofRules: readonly Check[] = [
  fault(({ catalog }) => catalog.stopSales, "availability.json", ({ id }) => id, ({ offer, classes, routes, dates, weekdays, hours }) => offer === "none" && !(classes ?? routes ?? dates ?? weekdays ?? hours), "it is for every class, journey and time, so that nothing is sold: limit it"),
  fault(({ catalog }) => catalog.serviceRules.slice(0, 1), RULES, ({ id }) => id, (rule) => rule.offer === "none" && isForEverything(rule), "the first rule is for every journey, so that nothing is sold: limit it"),
  warning(unreachedRules, RULES, ({ id }) => id, always, ({ last, isAll }) => `no journey reaches it, since ${last} is for ${isAll ? "every journey: move that rule to the end" : "the same journeys: correct one of them"}, or remove this one`),
  warning(({ catalog }) => catalog.serviceRules, RULES, ({ id }) => `${id}.reason`, ({ offer, reason }) => offer === "at_once" && reason !== undefined, ({ reason }) => `"${reason}" is not shown, since the journey is sold at once: change the offer, or remove the reason`),
  warning(daysOfRules, ({ file }) => file, ({ id }) => id, ({ first, latest }) => first !== undefined && first > latest, ({ first }) => `begins on ${first}: correct the year`),
  warning(daysOfRules, ({ file }) => file, ({ id }) => id, ({ first = "", latest, last = "", longest }) => first <= latest && last > longest && last < FOR_EVER, ({ last }) => `ends on ${last}: correct the year, or leave it out`),
  warning(({ catalog }) => catalog.closures, "closures.json", ({ id }) => id, ({ from, to }) => yearOf(to) - yearOf(from) > MOST_YEARS_CLOSED, ({ from, to }) => `${from} to ${to} is ${yearOf(to) - yearOf(from)} years: correct the year`),
  warning(daysOfRules, ({ file }) => file, ({ id }) => id, ({ last, today }) => last !== undefined && last < today, ({ last }) => `has ended on ${last}: remove it, or give it new dates`),
  fault(({ catalog }) => catalog.policies, POLICIES, ({ key }) => `${key}.partialRefunds`, (policy) => tierHours(policy) >= policy.fullRefundCutoffHours, (policy) => `${tierHours(policy)} h: until ${policy.fullRefundCutoffHours} h all is refunded: state fewer than ${policy.fullRefundCutoffHours} hours`),
  warning(({ catalog }) => catalog.policies.filter(isCancellation), POLICIES, "cancellation.fullRefundCutoffHours", ({ fullRefundCutoffHours }) => fullRefundCutoffHours > MOST_CUTOFF_HOURS, ({ fullRefundCutoffHours: hours }) => `${hours} h: within ${Math.floor(hours / 24)} days of the pickup nothing is free: lower it`),
  warning(({ catalog }) => catalog.policyRecords.filter(({ key }) => ASKED_FOR.includes(key)).map((policy) => ({ ...policy, hours: cutoffOf(catalog) })), POLICIES, ({ key }) => `${key}.fullRefundCutoffHours`, ({ fullRefundCutoffHours, hours }) => fullRefundCutoffHours !== undefined && fullRefundCutoffHours !== hours, ({ fullRefundCutoffHours, hours }) => `${fullRefundCutoffHours} h, but cancellation has ${hours} h: remove it here`),
  warning(({ catalog }) => ASKED_FOR.map((key) => ({ key, isThere: catalog.policies.some((policy) => policy.key === key) })), POLICIES, ({ key }) => key, ({ isThere }) => !isThere, "missing, and agents ask for it: add it, as init writes it"),
  warning(statedHours, POLICIES, ({ key }) => `${key}.text`, ({ allowed, stated }) => !allowed.includes(Number(stated)), ({ stated, hours }) => `"${stated} hours", but fullRefundCutoffHours is ${hours}: write {fullRefundCutoffHours}`),
  warning(statedLeadTimes, POLICIES, ({ key }) => `${key}.text`, ({ allowed, stated }) => !allowed.includes(Number(stated)), ({ stated, hours }) => `"${stated} hours", but leadTimeHours of the tariff is ${hours}: write {leadTimeHours}`),
  warning(statedMinutes, POLICIES, ({ key }) => `${key}.text`, ({ allowed, stated }) => !allowed.includes(Number(stated)), ({ stated, allowed }) => `waiting of "${stated} minutes", but the tariff has ${allowed.join(", ")}: write {waiting.freeMinutes} or {waiting.freeMinutesAtAirports}`),
];

function unreachedRules({ catalog: { serviceRules } }: Audited) {
  return serviceRules.flatMap(({ id, offer: _, reason: __, ...conditions }, index) => {
    const isSame = ({ id: ___, offer: ____, reason: _____, ...others }: ServiceRule) =>
      isDeepStrictEqual(others, conditions);
    const earlier = serviceRules.slice(0, index).find((each) => isForEverything(each) || isSame(each));
    return earlier ? [{ id, last: earlier.id, isAll: isForEverything(earlier) }] : [];
  });
}

/** The first and the last day of each rule that has dates. */
function daysOfRules({ catalog, now }: Audited) {
  const today = localTimeIn(catalog.tariff.timeZone)(now).slice(0, 10);
  const after = (years: number) => `${yearOf(today) + years}${today.slice(4)}`;
  const [latest, longest] = [after(MOST_YEARS_AHEAD), after(MOST_YEARS)];
  return [
    ...catalog.fares.map(({ id, validFrom, validTo, ...fare }) => {
      const { first, last } = daysOf(fare);
      return { file: "fares.json", id, first: validFrom ?? first, last: validTo ?? last };
    }),
    ...catalog.seasons.map(({ id, ...season }) => ({ file: "seasons.json", id, ...daysOf(season) })),
    ...catalog.stopSales.map(({ id, ...sale }) => ({ file: "availability.json", id, ...daysOf(sale) })),
    ...catalog.closures.map(({ id, from, to }) => ({
      ...{ file: "closures.json", id, first: from.slice(0, 10), last: to.slice(0, 10) },
    })),
  ].map((each) => ({ ...each, today, latest, longest }));
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

function tierHours({ partialRefunds: [tier] = [] }: Policy): number {
  return tier?.hours ?? -1;
}

function cutoffOf({ policies }: Audited["catalog"]): number | undefined {
  return policies.find(isCancellation)?.fullRefundCutoffHours;
}

const HOURS_BEFORE = /\b(\d+) ?(?:hours|h)['’]? (?:before|prior|ahead|in advance|notice)/gi;

/** Hours in sentences about cancellation, unless a placeholder states them. */
function statedHours({ catalog }: Audited) {
  const hours = cutoffOf(catalog);
  const tiers = catalog.policies.flatMap(({ partialRefunds = [] }) => partialRefunds.map((tier) => tier.hours));
  const stated = numbersIn(catalog, /cancel|refund/i, HOURS_BEFORE);
  return stated.map((each) => ({ ...each, hours, allowed: [hours, ...tiers] }));
}

/** The same in sentences about booking. */
function statedLeadTimes({ catalog }: Audited) {
  const { tariff, bookingWindows } = catalog;
  const allowed = [tariff, ...bookingWindows].map(({ leadTimeHours }) => leadTimeHours);
  const stated = numbersIn(catalog, /^(?!.*(cancel|refund)).*\b(book|order)/is, HOURS_BEFORE);
  return stated.map((each) => ({ ...each, hours: tariff.leadTimeHours, allowed }));
}

/** Minutes in sentences about waiting, unless a placeholder states them. */
function statedMinutes({ catalog }: Audited) {
  const { waiting } = catalog.tariff;
  const ofFares = catalog.fares.flatMap(({ freeWaitingMinutes }) => freeWaitingMinutes ?? []);
  const allowed = [...new Set([...Object.values(waiting), ...ofFares])];
  const stated = numbersIn(catalog, /wait.*\b(free|includ)|\b(free|includ).*wait/is, /\b(\d+) ?min(?:utes)?\b/gi);
  return stated.map((each) => ({ ...each, allowed }));
}

/** Numbers of a form in the sentences of policies about a subject. */
function numbersIn({ policyRecords }: Audited["catalog"], subject: RegExp, form: RegExp) {
  return policyRecords.flatMap(({ key, text }) =>
    text
      .split(/(?<=[.;!?])\s/)
      .filter((sentence) => subject.test(sentence))
      .flatMap((sentence) => [...sentence.matchAll(form)].map(([, stated]) => ({ key, stated }))),
  );
}

function isForEverything({ routes, corridor, endIn, bothEndsIn }: ServiceRule): boolean {
  return !(routes ?? corridor ?? endIn ?? bothEndsIn);
}

/** The first and the last day of the rule; `undefined` where it applies every year. */
function daysOf({ dates = [] }: When): { readonly first: string | undefined; readonly last: string | undefined } {
  const isYearly = dates.some(({ to }) => to.length !== 10);
  const [starts, ends] = isYearly ? [[], []] : [dates.map(({ from }) => from), dates.map(({ to }) => to)];
  return { first: starts.sort()[0], last: ends.sort().at(-1) };
}
