import { isDeepStrictEqual } from "node:util";
import type { Season } from "../../domain/catalog/offer-schema.ts";
import { DAY } from "../../ops/durations.ts";
import { type Audited, always, type Check, fault, warning } from "./catalog-check.ts";
import { couldCoincide, directionsOf } from "./fare-conflicts.ts";

const SEASONS = "seasons.json";
const AVAILABILITY = "availability.json";

/** Discounts that add up to so many percent sell a journey for next to nothing. */
const MOST_DISCOUNT = 60;

/** What can be wrong with seasons, and with duplicate rules. */
// biome-ignore format: a table reads by its columns
export const ofSeasons: readonly Check[] = [
  fault(deepDiscounts, SEASONS, ({ id }) => id, always, ({ sum, names }) => `discounts of one journey add up to ${sum} %: ${names}: lower them, or limit them to other times`),
  warning(twins, ({ file }) => file, ({ id }) => id, ({ twin }) => twin !== undefined, ({ twin }) => `is the same as ${twin}: remove one of them, or correct it`),
  warning(({ catalog }) => catalog.seasons, SEASONS, ({ id }) => id, ({ percent, dates = [] }) => percent > 0 && dates.some(isMostOfTheYear), ({ dates = [] }) => `most of the year, ${dates.map(({ from, to }) => `from ${from} to ${to}`).join(", ")}: swap the two days`),
];

/** Each rule with an earlier one that differs in id and reason alone, if there is one. */
function twins({ catalog: { seasons, placeFees, stopSales, bookingWindows, closures } }: Audited) {
  const of = (file: string, list: readonly { readonly id: string; readonly reason?: string }[]) =>
    list.map((each, index) => ({
      ...{ file, id: each.id },
      twin: list.slice(0, index).find(({ id: _, reason: __, ...earlier }) => {
        const { id: ___, reason: ____, ...own } = each;
        return isDeepStrictEqual(earlier, own);
      })?.id,
    }));
  return [
    ...of(SEASONS, seasons),
    ...of("place-fees.json", placeFees),
    ...[stopSales, bookingWindows].flatMap((rules) => of(AVAILABILITY, rules)),
    ...of("closures.json", closures),
  ];
}

type Dates = NonNullable<Season["dates"]>[number];

function isMostOfTheYear(dates: Dates): boolean {
  return dates.from.length === 5 && daysIn(dates) > 186 && daysIn(dates) < 365;
}

/** Days from the first to the last, both included, of dates with or without a year. */
export function daysIn({ from, to }: Dates): number {
  const [first = 0, last = 0] = [from, to].map((day) => Date.parse(`${`2027-${day}`.slice(-10)}T00:00Z`) / DAY);
  return last - first + 1 + (last < first ? 365 : 0);
}

/**
 * Discounts that can apply to one journey together and take nearly all of its price, if there are: each season with the
 * deepest that meet it. A quote adds them up anew.
 */
function deepDiscounts({ catalog, zones }: Audited) {
  const seasons = catalog.seasons.filter(({ percent }) => percent < 0).sort((a, b) => a.percent - b.percent);
  const [client] = catalog.clients
    .flatMap(({ id, percent = 0 }) => (percent < 0 ? [{ id, percent }] : []))
    .sort((a, b) => a.percent - b.percent);
  const groups = seasons.map((first) => {
    const group = [first];
    for (const each of seasons) if (each !== first && group.every((one) => meet(one, each))) group.push(each);
    return client ? [...group, client] : group;
  });
  return groups
    .map((group) => ({ id: group[0]?.id ?? "", group, sum: group.reduce((sum, { percent }) => sum - percent, 0) }))
    .filter(({ group, sum }) => group.length > 1 && sum >= MOST_DISCOUNT)
    .map((each) => ({ ...each, names: each.group.map(({ id, percent }) => `${id} ${percent} %`).join(", ") }))
    .slice(0, 1);

  function meet(a: Season, b: Season): boolean {
    const isSharedClass = !a.classes || !b.classes || a.classes.some((id) => b.classes?.includes(id));
    return isSharedClass && couldCoincide(a, b) && meetSomewhere(a, b);
  }

  function meetSomewhere({ routes: some = [{}] }: Season, { routes: others = [{}] }: Season): boolean {
    return directionsOf(some).some((one) =>
      directionsOf(others).some((two) => areJoined(one.from, two.from) && areJoined(one.to, two.to)),
    );
  }

  /** An end that is not stated matches every place. */
  function areJoined(id: string | undefined, otherId: string | undefined): boolean {
    return id === undefined || otherId === undefined || zones.meet(id, otherId);
  }
}
