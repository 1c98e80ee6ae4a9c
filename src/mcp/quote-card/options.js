import { moneyText } from "../../checkout/page/formats.js";
import { nameText, operatorText, textOf } from "../../checkout/page/language.js";
import { element } from "./views.js";

/** The list item of a vehicle with its price; without `onChoose` it has no button. */
export function vehicleItem(option, { onChoose }) {
  const { vehicle_type: vehicle, total_price, currency } = option;
  const price = moneyText(total_price, currency);
  const item = element("li", "vehicle");
  const what = element("div", "what", nameOf(vehicle), element("span", "quiet", roomText(option)));
  item.append(what, element("strong", "price", price));
  if (option.on_request || option.requires_manual_confirmation) {
    item.append(element("span", "manual", textOf("manual")));
  } else if (onChoose) {
    const button = element("button", "", textOf("choose"));
    button.type = "button";
    button.setAttribute("aria-label", textOf("choose_named", { vehicle: nameText(vehicle), price }));
    button.addEventListener("click", onChoose);
    item.append(button);
  }
  return item;
}

export function roomText({ passenger_capacity: seats, luggage_capacity: luggage }) {
  const parts = [textOf("seats", { count: seats })];
  if (typeof luggage === "number") parts.push(textOf("room", { count: luggage }));
  return parts.join(" · ");
}

/** The name of a vehicle type such as "Sedan, Mercedes E-Class", with the example after the comma less prominent. */
function nameOf(vehicle) {
  const translated = operatorText(vehicle);
  const isEnglish = typeof translated !== "string";
  const [, name, example] = /^([^,]+), (.+)$/.exec(nameText(vehicle)) ?? [undefined, nameText(vehicle), ""];
  const whole = element("span", "name", element("strong", "", name));
  if (example) whole.append(element("span", "quiet", example));
  if (isEnglish) whole.lang = "en";
  return whole;
}
