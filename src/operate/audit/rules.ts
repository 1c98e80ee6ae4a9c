import { isCancellation, type Policy } from "../../domain/catalog/catalog-schema.ts";
import type { ServiceRule, When } from "../../domain/catalog/offer-schema.ts";
import { localTimeIn } from "../../ops/local-time.ts";
import { type Audited, always, type Check, fault, warning } from "./catalog-check.ts";

const RULES = "service-rules.json";
const POLICIES = "policies.json";

/** What can be wrong with what is sold and when, and with policies. */
// biome-ignore format: a table reads by its columns
export const ofRules: readonly Check[] = [
  fault(({ catalog }) => catalog.stopSales, "availability.json", ({ id }) => id, ({ offer, classes, routes, dates, weekdays, hours }) => offer === "none" && !(classes ?? routes ?? dates ?? weekdays ?? hours), "it is for every class, journey and time, so that nothing is sold: limit it"),
  fault(({ catalog }) => catalog.serviceRules.slice(0, 1), RULES, ({ id }) => id, (rule) => rule.offer === "none" && isForEverything(rule), "the first rule is for every journey, so that nothing is sold: limit it"),
  warning(unreachedRules, RULES, ({ id }) => id, always, ({ last }) => `no journey reaches it, since ${last} is for every journey: move that rule to the end, or remove this one`),
  warning(lastDays, ({ file }) => file, ({ id }) => id, ({ last, today }) => last !== undefined && last < today, ({ last }) => `has ended on ${last}: remove it, or give it new dates`),
  fault(({ catalog }) => catalog.policies, POLICIES, ({ key }) => `${key}.partialRefunds`, (policy) => tierHours(policy) >= policy.fullRefundCutoffHours, (policy) => `${tierHours(policy)} h: until ${policy.fullRefundCutoffHours} h all is refunded: state fewer than ${policy.fullRefundCutoffHours} hours`),
  warning(statedHours, POLICIES, "cancellation.text", ({ stated, hours }) => Number(stated) !== hours, ({ stated, hours }) => `"${stated} hours", but fullRefundCutoffHours is ${hours}: write {fullRefundCutoffHours}`),
];

function unreachedRules({ catalog: { serviceRules } }: Audited) {
  const last = serviceRules.findIndex(isForEverything);
  return last < 0 ? [] : serviceRules.slice(last + 1).map(({ id }) => ({ id, last: serviceRules[last]?.id }));
}

/** The last day of each rule that has dates. */
function lastDays({ catalog, now }: Audited) {
  const today = localTimeIn(catalog.tariff.timeZone)(now).slice(0, 10);
  return [
    ...catalog.fares.map(({ id, validTo, ...fare }) => ({ file: "fares.json", id, last: validTo ?? lastDay(fare) })),
    ...catalog.seasons.map(({ id, ...season }) => ({ file: "seasons.json", id, last: lastDay(season) })),
    ...catalog.stopSales.map(({ id, ...sale }) => ({ file: "availability.json", id, last: lastDay(sale) })),
    ...catalog.closures.map(({ id, to }) => ({ file: "closures.json", id, last: to.slice(0, 10) })),
  ].map((each) => ({ ...each, today }));
}

function tierHours({ partialRefunds: [tier] = [] }: Policy): number {
  return tier?.hours ?? -1;
}

/** The first number of hours in the text of the cancellation policy, unless a placeholder states it. */
function statedHours({ catalog }: Audited) {
  return catalog.policyRecords.filter(isCancellation).flatMap(({ text, fullRefundCutoffHours: hours }) => {
    const [, stated] = /\b(\d+) (?:hours|h)\b/.exec(text) ?? [];
    return stated && !text.includes("{fullRefundCutoffHours}") ? [{ stated, hours }] : [];
  });
}

function isForEverything({ routes, corridor, endIn, bothEndsIn }: ServiceRule): boolean {
  return !(routes ?? corridor ?? endIn ?? bothEndsIn);
}

/** The last day of the rule; `undefined` where it applies every year. */
function lastDay({ dates }: When): string | undefined {
  const ends = dates?.map(({ to }) => to) ?? [];
  return ends.every((end) => end.length === 10) ? ends.sort().at(-1) : undefined;
}
