import { element } from "./elements.js";
import { dateText, dayAndTimeText, dayText, durationText, groupedText } from "./formats.js";
import { english, formOf, knownText, nameText, notices, numberText, operatorText, textOf } from "./language.js";

/** Values that contain sentences or labels by the operator; other values are names or numbers. */
const OPERATOR_TEXTS = ["onward", "reason", "season", "holiday", "items", "fare", "classes"];

/** Values that are amounts in francs, such as "CHF 1105.27". */
const AMOUNTS = ["prices", "hour_prices", "km_prices", "amount", "amounts", "supplement"];

const FORMATS = {
  day: dayText,
  date: dateText,
  instant: dayAndTimeText,
  parts: (codes) => codes.split(", ").map((code) => code && `${knownText(`included_${code}`, { count: 1 }) ?? code}, `),
  duration: durationText,
  moment: (at) => (at.includes("T") ? dayAndTimeText(at) : at),
  paid: (included) => ` ${textOf(included ? "connection_included" : "connection_excluded")}`,
  also: (sentence) => (sentence ? [" ", operatorText(sentence)] : ""),
};

let listText = String;

/** How lists in the values of notices are written, which the quote card alone gets. */
export function takeLists(write) {
  listText = write;
}

/** A list item with a notice in the page's language. `names` are the place names that the assistant wrote. */
export function noticeItem({ code, values, text }, names) {
  const parts = Object.hasOwn(notices, code) ? notices[code].split(/\{([^}]+)\}/) : [];
  // Notices stored by an earlier version may lack a value.
  const isComplete = parts.length > 0 && parts.every((part, at) => at % 2 === 0 || part.split(/[ |]/)[0] in values);
  return element("li", "", ...(isComplete ? translated(parts, code, values, names) : [english(text)]));
}

/** The notice in the page's language, after its direction if it has one. Every second of `parts` is a placeholder. */
function translated(parts, code, values, names) {
  const contents = parts.flatMap((part, at) => {
    if (at % 2 === 0) return part;
    const [name, one, other] = part.split("|");
    if (other) return formOf({ one, other }, values[name]);
    return formatted(part.split(" "), code, values, names);
  });
  return values.leg ? [textOf(`line_${values.leg}`, { line: "" }), ...contents] : contents;
}

function formatted([name, format], code, values, names) {
  const value = values[name];
  if (format === "only") {
    const classes = Array.isArray(value) ? listText(value) : operatorText(value);
    return value.length > 0 ? [" (", classes, ")"].flat() : "";
  }
  if (Array.isArray(value)) return listText(value);
  if (format) return FORMATS[format](value);
  if (name === "text") return names.includes(value) && code !== "SPECIAL_ITEM" ? entered(value) : operatorText(value);
  if (OPERATOR_TEXTS.includes(name)) return operatorText(value);
  if (AMOUNTS.includes(name)) return groupedText(String(value));
  if (name === "km" && value >= 10) return numberText(Math.round(value));
  return typeof value === "string" ? nameText(value) : numberText(value);
}

/** Text that the assistant wrote, marked as such. `bdi` keeps its writing direction from affecting other text. */
export function entered(text) {
  return element("bdi", "entered", text);
}
