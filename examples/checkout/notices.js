/** What the operator's service says about an offer, in the language of a page. */

/** Values that are amounts in francs. */
const AMOUNTS = ["prices", "hour_prices", "km_prices", "amount", "amounts", "supplement"];

/**
 * The sentence of a notice; `undefined` where the service has none in this language, or one for which a value is missing.
 * `[a|b]` is the first alternative whose values are there, of which `{x?}` is not written. A placeholder is a value, as in `{place}`, one with its format, or a word in two forms: `{luggage|piece|pieces}`.
 */
export function noticeText({ code, values }, texts) {
  const { word, name, form, grouped } = texts;
  const sentence = Object.hasOwn(texts.notices, code) ? texts.notices[code] : "";
  const hasAll = (text) => [...text.matchAll(/\{(\w+)/g)].every(([, value]) => Object.hasOwn(values, value));
  const template = sentence
    .replace(/\[([^\]]*)\]/g, (_, options) => alternatives(options).find(hasAll) ?? "")
    .replace(/\{\w+\?\}/g, "");
  if (template === "" || !hasAll(template)) return undefined;
  const formats = formatsIn(texts);
  const text = template.replace(/\{([^}]+)\}/g, (_, placeholder) => {
    const [key, one, other] = placeholder.split("|");
    if (other) return form({ one, other }, values[key]);
    const [value, format] = placeholder.split(" ");
    if (format) return formats[format](values[value]);
    if (AMOUNTS.includes(value)) return grouped(String(values[value]));
    return value === "km" && values.km >= 10 ? Math.round(values.km) : name(values[value]);
  });
  return values.leg ? word(`line_${values.leg}`, { line: text }) : text;
}

/** A bar within braces separates the words of a placeholder. */
function alternatives(text) {
  return text.match(/(?:[^|{]|\{[^}]*\})+/g) ?? [];
}

function formatsIn({ known, name, time, date, day, minutes }) {
  return {
    ...{ day, date, instant: time, duration: minutes },
    parts: (codes) =>
      codes
        .split(", ")
        .filter(Boolean)
        .map((code) => `${known(`included_${code}`) ?? code}, `)
        .join(""),
    moment: (at) => (at.includes("T") ? time(at) : at),
    only: (classes) => (classes ? ` (${name(classes)})` : ""),
  };
}
