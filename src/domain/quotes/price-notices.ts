import type { Said } from "../../contract/charge-sentences.ts";
import { CHARGE_ORDER, type Charge, sentencesOf } from "../../contract/charges.ts";
import { francsText } from "../../contract/notice-formats.ts";
import { grouped, type Notice, notice, noticeOf, type Part, type Value, withValues } from "../../contract/notices.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { isAboutOtherClasses } from "./eligibility.ts";
import type { PricedOption } from "./quote.ts";

type Priced = Pick<PricedOption, "vehicleClass" | "charges">;

/** What the charges of the options say, each sentence once with the classes that it is about. */
export function priceNotices(options: readonly Priced[]): readonly Notice[] {
  const all = options.flatMap(({ vehicleClass, charges }) =>
    charges.flatMap((charge) => sentencesOf(charge).map((said) => spokenBy(vehicleClass, charge, said))),
  );
  return [...grouped(all, ({ said, direction }) => [said.code, direction, said.values])]
    .sort(([a], [b]) => ORDER.indexOf(a.direction) - ORDER.indexOf(b.direction) || a.rank - b.rank)
    .map((group) => noticeOf(group[0].said.code, valuesOf(group, options.length)));
}

/** What is about both directions comes last. */
const ORDER = ["outbound", "return", null] as const;

function spokenBy(vehicleClass: string, charge: Charge, said: Said) {
  const direction = said.isForBoth ? null : charge.direction;
  return { vehicleClass, said, direction, rank: CHARGE_ORDER.indexOf(charge.code) };
}

type Spoken = ReturnType<typeof spokenBy>;

function valuesOf(group: readonly [Spoken, ...Spoken[]], ofAll: number): Notice["values"] {
  const [{ said, direction }] = group;
  const isNamed = said.classes === "always" || group.length < ofAll;
  const amounts = Object.keys(said.rappen ?? {}).map((name) => [name, amountsOf(group, name)]);
  return {
    ...said.values,
    ...Object.fromEntries(amounts),
    ...(said.classes && { classes: isNamed ? [{ classes: classesOf(group) }] : [] }),
    ...(direction && { leg: direction }),
  };
}

/** Each amount once, with the classes that have it. */
function amountsOf(group: readonly Spoken[], name: string): readonly Part[] {
  const amountOf = ({ said }: Spoken) => said.rappen?.[name] ?? 0;
  return grouped(group, amountOf).map((same) => ({ text: francsText(amountOf(same[0])), classes: classesOf(same) }));
}

function classesOf(group: readonly Spoken[]): readonly string[] {
  return group.map(({ vehicleClass }) => vehicleClass);
}

/** The notices of a quote for the option that the traveler has chosen, without those about other vehicle classes. */
export function optionNotices(
  notices: readonly Notice[],
  { vehicleClass }: Pick<PricedOption, "vehicleClass">,
): readonly Notice[] {
  return notices.flatMap((notice) => {
    if (isAboutOtherClasses(notice)) return [];
    const own: Record<string, Value> = {};
    for (const [name, value] of Object.entries(notice.values)) {
      if (typeof value !== "object" || !value.some(({ classes }) => classes)) continue;
      const part = value.find(({ classes }) => classes?.includes(vehicleClass));
      if (!part) return [];
      own[name] = part.text ?? "";
    }
    return [Object.keys(own).length > 0 ? withValues(notice, own) : notice];
  });
}

export function vatNotices(
  { vat }: Tariff,
  percent: number | null,
  options: readonly PricedOption[],
): readonly Notice[] {
  if (!vat) return [];
  if (percent === null) return [notice("VAT", {})];
  const amount = ({ vatRappen }: PricedOption) => `CHF ${((vatRappen ?? 0) / 100).toFixed(2)}`;
  const amounts = options.map((option) => ({ text: amount(option), classes: [option.vehicleClass] }));
  return [notice("VAT", { percent, amounts })];
}
