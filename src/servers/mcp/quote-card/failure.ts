import type { CardWords } from "./options.ts";

/** The arguments of a call, which the assistant wrote. */
export interface PlaceRequest {
  readonly origin?: unknown;
  readonly destination?: unknown;
  readonly waypoints?: unknown;
}

export interface Problem {
  readonly code?: string;
  readonly field_errors?: readonly { readonly field: string; readonly candidates?: readonly string[] }[];
}

/**
 * `title` and `text` for a problem, and the `candidates` among which the traveler can choose. In the traveler's words:
 * what the service answers is written for the assistant.
 */
export function failureOf({ code = "", field_errors: errors = [] }: Problem, request: PlaceRequest, words: CardWords) {
  const title = words.text("failed_title");
  const asked = errors.find(({ candidates = [] }) => candidates.length > 0);
  if (asked) {
    const { candidates = [] } = asked;
    const text = wordsOf(asked.field, request);
    const question = words.text(candidates.length > 1 ? "which_place" : "did_you_mean", { text });
    return { title: text ? question : title, text: "", candidates };
  }
  const place = PLACE_CODES.includes(code) ? errors.find(({ field }) => wordsOf(field, request)) : undefined;
  const text = place
    ? words.text("failed_place", { text: wordsOf(place.field, request) })
    : (words.known(`failed_${code}`) ?? words.text("failed_text"));
  return { title, text, candidates: [] };
}

const PLACE_CODES = ["INVALID_LOCATION", "UNSUPPORTED_ROUTE"];

/** What the assistant wrote in a field such as "origin" or "waypoints.0.name". */
function wordsOf(field: string, request: PlaceRequest): string {
  const value = field.split(".").reduce<unknown>((part, key) => Object(part)[key], request);
  return typeof value === "string" ? value : "";
}
