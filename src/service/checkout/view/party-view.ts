import { isSameName, nearText, stopsIn } from "./legs-view.ts";
import type { Offer } from "./offer.ts";
import { DOT, NO_BREAK, type Piece, type Said, type Words } from "./words.ts";

/** A term and what is said of it. */
export type Item = readonly [term: Said, text: Said];

/** "4 passengers · 4 bags · 2 child seats". */
export function travelersText(offer: Offer, words: Words): Said {
  const { passengers, luggage } = offer;
  const parts: readonly Piece[] = [
    words.text("passengers", { count: passengers }),
    luggage ? words.text("room", { count: luggage }) : "",
    ...itemsOf(offer, words),
  ];
  return parts.filter((each) => each !== "").flatMap((each, index) => (index > 0 ? [DOT, each] : [each]));
}

/** " · via Bern (30 min), Grandma near Olten"; empty without stops. A place has its name in the reader's language. */
export function viaText(offer: Offer, words: Words): Said {
  const { waypoints = [] } = offer;
  const stops = stopsIn(offer);
  return waypoints.flatMap(({ name, near, stop_duration_min: minutes }, index): Said => {
    const place = stops[index]?.place;
    const isPlace = !near && place !== undefined && isSameName(name, place, words);
    const where = near ? ` ${nearText(near, words)}` : "";
    const stay = minutes ? ` (${words.duration(minutes)})` : "";
    return [
      index === 0 ? `${DOT}${words.text("via")} ` : ", ",
      isPlace ? words.name(place) : { text: name, is: "entered" },
      where + stay,
    ];
  });
}

/** The special items. A kind for which there is no word is named as in the operator's notice about it. */
function itemsOf({ special_items: items = [], notices = [] }: Offer, words: Words): readonly Piece[] {
  const named = notices.flatMap(({ code, values }) => (code === "SPECIAL_ITEM" && values?.items ? [values.items] : []));
  return items.map(({ kind, count }, index) => {
    const known = words.known(`item_${kind}`, { count });
    if (known) return words.number(count) + NO_BREAK + known;
    const name = named[index] ?? `${count} ${kind}`;
    return typeof name === "object" ? words.list(name) : words.operator(String(name));
  });
}

/** What else was agreed: those of the terms that have something to say. */
export function detailsOf(offer: Offer, words: Words): readonly Item[] {
  const { flight_number: flight, waiting_minutes: waiting, duration_hours: hours } = offer;
  const items: readonly (readonly [term: string, text: string])[] = [
    [words.text("travelers"), byAge(offer, words)],
    [words.text("luggage"), luggageText(offer, words)],
    [words.text("flight"), flight ?? ""],
    [words.text("waiting"), waiting ? words.duration(waiting) : ""],
    [words.text("drive"), hours ? "" : driveText(offer.distance_km, offer.duration_min, words)],
    [words.text("return_drive"), driveText(offer.return_distance_km, offer.return_duration_min, words)],
  ];
  return items.flatMap(([term, text]) => (text ? [[[term], [text]] as const] : []));
}

/** Empty if all are adults, of whom the head says how many. Adults that were not stated are stored as the number of all. */
function byAge({ passengers, adults = 0, children = 0, infants = 0 }: Offer, words: Words): string {
  if (!children && !infants) return "";
  const counts = { adults: adults + children + infants === passengers ? adults : 0, children, infants };
  return (["adults", "children", "infants"] as const)
    .flatMap((people) => (counts[people] ? [words.text(people, { count: counts[people] })] : []))
    .join(", ");
}

function luggageText({ luggage: count, large_luggage: large }: Offer, words: Words): string {
  return count && typeof large === "number" ? words.text("pieces_large", { count, large }) : "";
}

function driveText(km: number | undefined, minutes: number | undefined, words: Words): string {
  if (km === undefined || minutes === undefined) return "";
  return words.text("drive_text", { km: Math.round(km), time: words.duration(minutes) });
}
