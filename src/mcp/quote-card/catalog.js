/** The operator's names and texts in the traveler's language, from the catalog that the server writes into the page. */
import { language, translateBy } from "../../checkout/page/language.js";
import { translationOf } from "../../quotes/translation-of.ts";
import { byId } from "./views.js";

const { translations = {}, vehicleTypes = {}, operator = {} } = JSON.parse(byId("catalog").textContent);

export { operator };

/** Ids of vehicle classes in values of notices: "sedan, van", "sedan 2, van 6", "CHF 15 (sedan, van)". */
const CLASS_IDS = /(?<=^|, |\()[a-z][a-z0-9_]*(?=$|, |\)| \d)/g;

export function useCatalog() {
  translateBy((text) => translationOf(translations, text, language) ?? withClassNames(text));
}

/** The English sentence of a notice, with names of classes instead of ids. */
export function sentenceOf({ text, values = {} }) {
  return Object.values(values).reduce(
    (sentence, value) => sentence.replace(value, () => withClassNames(value) ?? value),
    text,
  );
}

function withClassNames(value) {
  const [, label, rest = ""] = /^(.+?)( \(.*)$/.exec(value) ?? [undefined, String(value)];
  const translated = (translationOf(translations, label, language) ?? label) + rest;
  const named = translated.replace(CLASS_IDS, (id) =>
    Object.hasOwn(vehicleTypes, id) ? nameOf(vehicleTypes[id]) : id,
  );
  return named === value ? undefined : named;
}

/** The translated name of a class without its example, which follows a comma. */
function nameOf(vehicleType) {
  return (translationOf(translations, vehicleType, language) ?? vehicleType).split(", ")[0];
}
