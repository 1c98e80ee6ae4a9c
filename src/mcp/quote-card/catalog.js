/** The operator's names and texts in the traveler's language, from the catalog that the server writes into the page. */
import { byId } from "../../checkout/page/elements.js";
import { english, language, nameText, translateBy } from "../../checkout/page/language.js";
import { takeLists } from "../../checkout/page/notices.js";
import { classNames, valueText } from "../../contract/notices.ts";
import { translationOf } from "../../quotes/translation-of.ts";

const { translations = {}, vehicleTypes = {}, operator = {} } = JSON.parse(byId("catalog").textContent);

export { operator };

export function useCatalog() {
  translateBy(translated);
  takeLists(listText);
}

/** `undefined` where there is no translation, as for English. */
function translated(value) {
  return translationOf(translations, value, /** @type {"de" | "fr" | "it"} */ (language));
}

function listText(parts) {
  if (parts.some(({ classes }) => classes)) return valueText(parts, nameText, classNames(types()));
  return translated(parts) ?? english(valueText(parts));
}

/** The classes, which the values of notices name by id, with their types in the traveler's language. */
function types() {
  return Object.entries(vehicleTypes).map(([id, type]) => ({ id, type: nameText(type) }));
}
