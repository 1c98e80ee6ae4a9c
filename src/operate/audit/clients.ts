import { type Audited, type Check, warning } from "./catalog-check.ts";

const CLIENTS = "clients.json";

/** Fewer calls in an hour are no conversation with a traveler. */
const LEAST_CALLS = 3;
const HOUR_SECONDS = 3600;

/** A client that pays this much more than travelers is rather a discount without its sign. */
const LEAST_WRONG_MARKUP = 10;
const MOST_DISCOUNT = 40;

/** What can be wrong with what clients pay and how often they may call. */
// biome-ignore format: a table reads by its columns
export const ofClients: readonly Check[] = [
  warning(({ catalog }) => catalog.clients, CLIENTS, ({ id }) => `${id}.percent`, ({ percent = 0 }) => percent >= LEAST_WRONG_MARKUP, ({ percent }) => `${percent} % makes it pay more than travelers: write -${percent} for a discount`),
  warning(({ catalog }) => catalog.clients, CLIENTS, ({ id }) => `${id}.percent`, ({ percent = 0 }) => percent < -MOST_DISCOUNT, ({ percent = 0 }) => `${-percent} % less than travelers pay: correct it`),
  warning(({ catalog }) => catalog.clients, CLIENTS, ({ id }) => `${id}.commissionPercent`, ({ commissionPercent = 0 }) => commissionPercent > 40, ({ commissionPercent }) => `${commissionPercent} % of each sale: correct it`),
  warning(budgets, ({ file }) => file, ({ path }) => path, ({ points, seconds }) => points < LEAST_CALLS || (points * HOUR_SECONDS) / seconds < LEAST_CALLS, ({ points, seconds }) => `${points} calls in ${seconds} s, so that travelers get no answer to their second question: raise points, or correct seconds`),
  warning(budgets, ({ file }) => file, ({ path }) => `${path}.seconds`, ({ seconds }) => seconds > HOUR_SECONDS && seconds % HOUR_SECONDS !== 0, ({ seconds }) => `${seconds} s is ${(seconds / HOUR_SECONDS).toFixed(1)} h, no whole number of hours: correct it, in seconds`),
];

/** Calls for each window of every tier; failed sign-ins are to be few. */
function budgets({ catalog: { budgets, clients } }: Audited) {
  return [
    { file: "budgets.json", at: "", budgets: { ...budgets, auth_failure: undefined } },
    ...clients.map(({ id, budgets = {} }) => ({ file: CLIENTS, at: `${id}.budgets.`, budgets })),
  ].flatMap(({ file, at, budgets }) =>
    Object.entries(budgets).flatMap(([tier, budget]) => (budget ? [{ file, path: `${at}${tier}`, ...budget }] : [])),
  );
}
