import type { ErrorCode } from "../contract/errors.ts";
import type { QuoteRequest } from "../contract/quote-request.ts";
import { fold } from "../places/index/fold.ts";
import { type Rehearsal, rehearsals } from "./rehearsals.ts";

/** A text of a request that begins like a name of the sandbox. */
export interface SentName {
  /** Dotted path. */
  readonly field: string;
  readonly text: string;
  /** `undefined` where the sandbox has no such name. */
  readonly rehearsal: Rehearsal | undefined;
}

/** The places in the arguments of any operation that takes some. */
export type Places = Partial<Pick<QuoteRequest, "origin" | "destination" | "waypoints">>;

const byFoldedName = new Map(rehearsals.map((rehearsal) => [fold(rehearsal.name), rehearsal]));

/** Next to nothing where there is none, as in most calls. */
export function sentNames(places: Places): readonly SentName[] {
  const { origin, destination, waypoints } = places;
  if (!isName(origin) && !isName(destination) && !waypoints?.some(({ name }) => isName(name))) return [];
  return textsOf(places).flatMap(({ field, text, isPositioned }) =>
    isName(text) && !isPositioned
      ? [{ field, text, rehearsal: byFoldedName.get(fold(text.replaceAll(",", " "))) }]
      : [],
  );
}

/** Every place of a request; the text of one with a position is only a label. */
export function textsOf({ origin, destination, waypoints }: Places) {
  const stops = (waypoints ?? []).map(({ name, lat }, index) => ({
    field: `waypoints.${index}.name`,
    text: name,
    isPositioned: typeof lat === "number",
  }));
  return [
    ...(origin === undefined ? [] : [{ field: "origin", text: origin, isPositioned: false }]),
    ...stops,
    ...(destination === undefined ? [] : [{ field: "destination", text: destination, isPositioned: false }]),
  ];
}

/** Whether an operation that ends with `codes` rehearses a name; otherwise it is an unknown place. */
export function isMeant({ rehearsal }: SentName, codes: readonly ErrorCode[]): boolean {
  if (!rehearsal) return codes.includes("INVALID_LOCATION");
  const { refuses, code } = rehearsal;
  return refuses !== "journey" || code === undefined || codes.includes(code);
}

function isName(text: string | undefined): boolean {
  return text !== undefined && /^\s*sandbox\b/i.test(text);
}
