import type { Luggage } from "../catalog/catalog-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { invalidRequest } from "../contract/errors.ts";
import { type Notice, notice } from "../contract/notices.ts";
import type { PriceLine } from "../pricing/price.ts";
import type { Journey } from "./journey.ts";

/** What the special items of a journey mean for its vehicle and its price. */
export interface Extras {
  /** Room that they take beside the luggage. */
  readonly places: number;
  /** Such as "2 golf bags". */
  readonly items: readonly string[];
  /** Each takes one of the seats. */
  readonly childSeats: number;
  /** For one direction. */
  readonly lines: readonly PriceLine[];
  readonly notes: readonly Notice[];
}

type Travelers = Pick<Journey, "specialItems" | "children" | "infants">;

/** Throws INVALID_REQUEST where a kind is not published or named twice. */
export function extrasOf(
  { specialItems, children, infants }: Travelers,
  { specialItems: published }: Luggage,
  { specialItemRappen }: Tariff,
): Extras {
  checkKinds(
    specialItems,
    published.map(({ kind }) => kind),
  );
  const items = specialItems.flatMap(({ kind, count }) => {
    const item = published.find((each) => each.kind === kind);
    return item ? [{ ...item, count, items: `${count} ${count === 1 ? item.one : item.many}` }] : [];
  });
  const childSeats = sum(items.map(({ count, isChildSeat }) => (isChildSeat ? count : 0)));
  const isSeatMissing = childSeats < children + infants;
  const seatKinds = published.filter(({ isChildSeat }) => isChildSeat).map(({ kind }) => kind);
  return {
    places: sum(items.map(({ count, places }) => count * places)),
    items: items.map((item) => item.items),
    childSeats,
    lines: items.map(({ kind, count, items: label }) => ({ label, rappen: count * (specialItemRappen[kind] ?? 0) })),
    notes: [
      ...items.map(({ items, text }) => notice("SPECIAL_ITEM", { items, text })),
      ...(isSeatMissing && seatKinds.length > 0
        ? [notice("CHILD_SEATS", { ordered: childSeats, children, infants, kinds: seatKinds.join(", ") })]
        : []),
    ],
  };
}

function checkKinds(specialItems: Journey["specialItems"], published: readonly string[]): void {
  const faults = specialItems.flatMap(({ kind }, index) => {
    const field = `special_items.${index}.kind`;
    const isDuplicate = specialItems.findIndex((item) => item.kind === kind) < index;
    if (isDuplicate) return [{ field, message: `Duplicate; send ${kind} once, with the count of all.` }];
    if (published.includes(kind)) return [];
    return [{ field, message: `Unknown kind; send one of: ${published.join(", ")}.`, candidates: published }];
  });
  if (faults.length > 0) throw invalidRequest(faults);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
