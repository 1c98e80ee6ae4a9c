import type { Tariff } from "../catalog/tariff-schema.ts";
import { CHARGE_ORDER, type Charge, francsText, type Said, sentencesOf } from "../contract/charges.ts";
import { type Notice, notice, noticeOf, type Part, type Value, withValues } from "../contract/notices.ts";
import { isAboutOtherClasses } from "./eligibility.ts";
import type { PricedOption } from "./quote.ts";

type Priced = Pick<PricedOption, "vehicleClass" | "charges">;

interface Group {
  readonly said: Said;
  readonly direction: Charge["direction"];
  readonly rank: number;
  readonly classes: string[];
  readonly rappen: Said["rappen"][];
}

/** What the charges of the options say, each sentence once with the classes that it is about. */
export function priceNotices(options: readonly Priced[]): readonly Notice[] {
  const groups = new Map<string, Group>();
  for (const { vehicleClass, charges } of options) {
    for (const charge of charges) {
      for (const said of sentencesOf(charge)) {
        const direction = said.isForBoth ? null : charge.direction;
        const key = JSON.stringify([said.code, direction, said.values]);
        const rank = CHARGE_ORDER.indexOf(charge.code);
        const group = groups.get(key) ?? { said, direction, rank, classes: [], rappen: [] };
        group.classes.push(vehicleClass);
        group.rappen.push(said.rappen);
        groups.set(key, group);
      }
    }
  }
  return [...groups.values()]
    .sort((a, b) => ORDER.indexOf(a.direction) - ORDER.indexOf(b.direction) || a.rank - b.rank)
    .map((group) => noticeOf(group.said.code, valuesOf(group, options.length)));
}

/** What is about both directions comes last. */
const ORDER = ["outbound", "return", null] as const;

function valuesOf({ said, direction, classes, rappen }: Group, ofAll: number): Notice["values"] {
  const isNamed = said.classes === "always" || classes.length < ofAll;
  return {
    ...said.values,
    ...Object.fromEntries(
      Object.keys(said.rappen ?? {}).map((name) => [
        name,
        amountsOf(
          classes,
          rappen.map((each) => each?.[name] ?? 0),
        ),
      ]),
    ),
    ...(said.classes && { classes: isNamed ? [{ classes }] : [] }),
    ...(direction && { leg: direction }),
  };
}

/** Each amount once, with the classes that have it. */
function amountsOf(classes: readonly string[], rappen: readonly number[]): readonly Part[] {
  return [...new Set(rappen)].map((amount) => ({
    text: francsText(amount),
    classes: classes.filter((_, index) => rappen[index] === amount),
  }));
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
    return [withValues(notice, own)];
  });
}

export function vatNotices(
  { vat }: Tariff,
  percent: number | null,
  options: readonly PricedOption[],
): readonly Notice[] {
  if (!vat) return [];
  if (percent === null) return [notice("VAT_NOT_SPLIT")];
  const amount = ({ vatRappen }: PricedOption) => `CHF ${((vatRappen ?? 0) / 100).toFixed(2)}`;
  const amounts = options.map((option) => ({ text: amount(option), classes: [option.vehicleClass] }));
  return [notice("VAT_INCLUDED", { percent, amounts })];
}
