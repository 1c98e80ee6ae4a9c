import { element } from "../../../service/checkout/page/elements.js";
import { moneyText } from "../../../service/checkout/page/formats.js";
import { nameText, operatorText, textOf } from "../../../service/checkout/page/language.js";

/**
 * The row of a vehicle with its price: a button, or without `onChoose` a text. `isMarked` says where the operator must
 * confirm a vehicle, which goes without saying if he must confirm them all.
 */
export function vehicleItem(option, { onChoose, isMarked }) {
  const { total_price, currency } = option;
  const isManual = option.on_request || option.requires_manual_confirmation;
  const row = element(onChoose && !isManual ? "button" : "div", "row");
  const price = element("strong", "price", moneyText(total_price, currency));
  row.append(
    vehicleOf(option),
    isManual && isMarked ? element("span", "cost", price, element("span", "manual", textOf("on_request"))) : price,
  );
  if (row.localName === "button") {
    row.type = "button";
    row.addEventListener("click", onChoose);
  }
  return element("li", "vehicle", row);
}

function roomText({ passenger_capacity: seats, luggage_capacity: luggage }) {
  const parts = [textOf("places", { count: seats })];
  if (typeof luggage === "number") parts.push(textOf("room", { count: luggage }));
  return parts.join(" · ");
}

/** A vehicle type such as "Sedan, Mercedes E-Class" with its room; the example after the comma is on a line of its own. */
export function vehicleOf(option) {
  const { vehicle_type: vehicle } = option;
  const isEnglish = typeof operatorText(vehicle) !== "string";
  const [, name, example] = /^([^,]+), (.+)$/.exec(nameText(vehicle)) ?? [undefined, nameText(vehicle), ""];
  const words = [element("strong", "", name), element("span", "quiet example", example)];
  if (isEnglish) for (const each of words) each.lang = "en";
  const [strong, quiet] = words;
  return element("span", "what", strong, " ", element("span", "quiet", roomText(option)), " ", quiet);
}
