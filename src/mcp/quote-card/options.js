import { moneyText } from "../../checkout/page/formats.js";
import { nameText, operatorText, textOf } from "../../checkout/page/language.js";
import { element } from "./views.js";

/**
 * The row of a vehicle with its price: a button, or without `onChoose` a text. `isMarked` says where the operator must
 * confirm a vehicle, which goes without saying if he must confirm them all.
 */
export function vehicleItem(option, { onChoose, isMarked }) {
  const { vehicle_type: vehicle, total_price, currency } = option;
  const isManual = option.on_request || option.requires_manual_confirmation;
  const row = element(onChoose && !isManual ? "button" : "div", "row");
  const price = element("strong", "price", moneyText(total_price, currency));
  const what = element("span", "what", nameOf(vehicle), element("span", "quiet", roomText(option)));
  row.append(
    what,
    isManual && isMarked ? element("span", "cost", price, element("span", "manual", textOf("on_request"))) : price,
  );
  if (row.localName === "button") {
    row.type = "button";
    row.addEventListener("click", onChoose);
  }
  return element("li", "vehicle", row);
}

export function roomText({ passenger_capacity: seats, luggage_capacity: luggage }) {
  const parts = [textOf("places", { count: seats })];
  if (typeof luggage === "number") parts.push(textOf("room", { count: luggage }));
  return parts.join(" · ");
}

/** The name of a vehicle type such as "Sedan, Mercedes E-Class", with the example after the comma less prominent. */
export function nameOf(vehicle) {
  const translated = operatorText(vehicle);
  const isEnglish = typeof translated !== "string";
  const [, name, example] = /^([^,]+), (.+)$/.exec(nameText(vehicle)) ?? [undefined, nameText(vehicle), ""];
  const whole = element("span", "name", element("strong", "", name));
  if (example) whole.append(" ", element("span", "quiet", example));
  if (isEnglish) whole.lang = "en";
  return whole;
}
