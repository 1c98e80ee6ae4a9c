import { endNames, labeled, nearText } from "./legs-view.ts";
import type { Offer } from "./offer.ts";
import type { OfferView } from "./offer-view.ts";
import { plain, type Words } from "./words.ts";

/** The text with which the traveler can ask the assistant for the same journey again, with all that was ordered. */
export function requestAgain(offer: Offer, view: OfferView, words: Words): string {
  const { waypoints = [], duration_hours: hours, pickup_datetime: pickup, return_datetime: back } = offer;
  const [start = offer.origin, end] = endNames(offer, words);
  const stops = waypoints.map(({ name, near, stop_duration_min: minutes }) =>
    [near ? name : words.name(name), near && nearText(near, words), minutes && `(${minutes} min)`]
      .filter(Boolean)
      .join(" "),
  );
  const route = [start, ...stops, ...(end === undefined ? [] : [end])].join(" – ");
  const items = view.details.filter(
    ([term]) => !["drive", "return_drive"].some((key) => words.known(key) === plain(term)),
  );
  const sentences = [
    words.text("again", { stops: route, time: words.dayAndTime(pickup ?? "") }),
    ...(hours ? [`${labeled(words, words.text("hire"), `${words.number(hours)} h`)}.`] : []),
    ...(back ? [`${labeled(words, words.text("return"), words.dayAndTime(back))}.`] : []),
    `${plain(view.head.travelers)}.`,
    ...items.map(([term, text]) => `${labeled(words, plain(term), text)}.`),
    `${labeled(words, words.text("vehicle"), view.vehicle.name)}.`,
    words.text("again_price", { price: view.price.total }),
  ];
  return sentences.join(" ");
}
