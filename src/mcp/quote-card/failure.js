/** Why there is no price, in the traveler's words: what the service answers is written for the assistant. */
import { knownText, textOf } from "../../checkout/page/language.js";

/** `title` and `text` for a problem, and the `candidates` among which the traveler can choose. */
export function failureOf({ code, field_errors: errors = [] }, request) {
  const asked = errors.find(({ candidates = [] }) => candidates.length > 0);
  if (asked) {
    const text = wordsOf(asked.field, request);
    return { title: textOf(text ? "which_place" : "failed_title", { text }), candidates: asked.candidates };
  }
  const place = PLACE_CODES.includes(code) ? errors.find(({ field }) => wordsOf(field, request)) : undefined;
  const text = place
    ? textOf(`failed_${kindOf(place.field)}`, { text: wordsOf(place.field, request) })
    : (knownText(`failed_${code}`) ?? textOf("failed_text"));
  return { title: textOf("failed_title"), text, candidates: [] };
}

const PLACE_CODES = ["INVALID_LOCATION", "UNSUPPORTED_ROUTE"];

function kindOf(field) {
  return ["origin", "destination"].includes(field) ? field : "stop";
}

/** What the assistant wrote in a field such as "origin" or "waypoints.0.name". */
function wordsOf(field, request) {
  const value = field.split(".").reduce((part, key) => part?.[key], request);
  return typeof value === "string" ? value : "";
}
