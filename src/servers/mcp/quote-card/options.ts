import type { QuoteOption } from "../../../contract/quote.ts";
import { drawn, element } from "../../../service/checkout/page/elements.ts";
import type { Known } from "../../../service/checkout/view/offer.ts";
import { type CardKey, DOT, plain, type ViewKey, type Words } from "../../../service/checkout/view/words.ts";

export type CardWords = Words<CardKey | ViewKey>;

/** A vehicle with its price. */
export type Option = Known<QuoteOption>;

/**
 * The row of a vehicle with its price: a button, or without `onChoose` a text. `isMarked` says where the operator must
 * confirm a vehicle, which goes without saying if all must be confirmed.
 */
export function vehicleItem(
  option: Option,
  words: CardWords,
  { onChoose, isMarked }: { readonly onChoose: (() => void) | undefined; readonly isMarked: boolean },
): HTMLElement {
  const isManual = isConfirmedByHand(option);
  const price = element("strong", "price", words.money(option.total_price, option.currency));
  const cost =
    isManual && isMarked ? element("span", "cost", price, element("span", "manual", words.text("on_request"))) : price;
  if (!onChoose || isManual) return element("li", "vehicle", element("div", "row", vehicleOf(option, words), cost));
  const row = element("button", "row", vehicleOf(option, words), cost);
  row.type = "button";
  row.addEventListener("click", onChoose);
  return element("li", "vehicle", row);
}

export function isConfirmedByHand(option: Option): boolean {
  return Boolean(option.on_request || option.requires_manual_confirmation);
}

/** A vehicle type such as "Sedan, Mercedes E-Class" with its room; the example after the comma is on a line of its own. */
export function vehicleOf(option: Option, words: CardWords): HTMLElement {
  const { passenger_capacity: seats, luggage_capacity: bags } = option;
  const room = [words.text("places", { count: seats })];
  if (typeof bags === "number") room.push(words.text("room", { count: bags }));
  const type = words.operator(option.vehicle_type);
  const text = plain([type]);
  const [name = text, example = ""] = /^([^,]+), (.+)$/.exec(text)?.slice(1) ?? [text];
  const marked = (part: string) => drawn(typeof type === "string" ? [part] : [{ ...type, text: part }]);
  return element(
    "span",
    "what",
    ...[element("strong", "", ...marked(name)), " ", element("span", "quiet number", room.join(DOT))],
    ...(example ? [" ", element("span", "quiet example", ...marked(example))] : []),
  );
}
