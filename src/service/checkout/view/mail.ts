import { referenceOf } from "../../../contract/notice-formats.ts";
import { type DirectionView, endNames, labeled, linesOf, nearText } from "./legs-view.ts";
import type { Offer } from "./offer.ts";
import type { OfferView } from "./offer-view.ts";
import { plain, type Words } from "./words.ts";

/** What the traveler writes to the operator: true when it is read, and with room for what the operator has to ask. */
export function bookingMail(offer: Offer, view: OfferView, words: Words) {
  const { quote_id: id, expires_at: expiresAt } = offer;
  const reference = words.text("short_reference", { id: referenceOf(id ?? "") });
  const lands = (offer.legs ?? []).some(({ landing }) => landing);
  const lines = [
    ...[words.text("mail_body"), reference, ""],
    ...view.directions.flatMap((direction) => [direction.heading, ...linesOf(direction), ""]),
    ...[titleText(view, words), plain(view.head.party)],
    labeled(words, words.text("vehicle"), view.vehicle.name),
    ...view.details.map(([term, text]) => labeled(words, plain(term), text)),
    words.text("mail_offer", { price: view.price.total, time: words.dayAndTime(expiresAt ?? "") }),
    ...["", words.text("mail_contact")],
    ...view.towns.map((town) => words.text("mail_address", { town })),
    ...(lands && !offer.flight_number ? [words.text("mail_flight")] : []),
  ];
  return { subject: `${titleText(view, words)}, ${view.head.when} (${reference})`, body: lines.join("\n") };
}

/** "Transfer Zurich Airport – Zermatt", "Car with driver, 8 h, 200 km, Zürich". */
function titleText({ head }: OfferView, words: Words, ends: readonly string[] = head.ends): string {
  const route = ends.join(" – ");
  return head.hire ? `${head.hire}, ${route}` : words.text("transfer_of", { route });
}

/** The events of a calendar, one for each direction. `host` makes the ids of an offer its own. */
export function offerEvents(
  offer: Offer,
  view: OfferView,
  words: Words,
  { stamp, host }: { stamp: Date; host: string },
) {
  const { quote_id: quoteId, fleet_id: fleetId, operator } = offer;
  const contact = operator && [operator.name, operator.phone, operator.email].join(", ");
  return view.directions.map((each) => {
    const isReturn = each.direction === "return";
    const ends = isReturn ? [...view.head.ends].reverse() : view.head.ends;
    return {
      // A calendar replaces events that it already contains.
      uid: `${quoteId}-${fleetId}-${each.direction}@${host}`,
      stamp,
      start: new Date(each.pickup.at),
      end: each.endsAt === null ? undefined : new Date(each.endsAt),
      summary: words.text("calendar_title", { title: titleText(view, words, ends) }),
      // The words of the agent where they say more than the place.
      location: each.pickup.entered || each.pickup.place,
      contact,
      // The link of the offer shows nothing after half an hour.
      url: operator?.website,
      description: [...descriptionOf(offer, view, each, words), contact].filter(Boolean).join("\n"),
    };
  });
}

function descriptionOf(offer: Offer, view: OfferView, each: DirectionView, words: Words): readonly string[] {
  const { price, promises } = view;
  const whole = labeled(words, words.text("total_price"), `${price.total}, ${price.note}`);
  return [
    offer.expires_at ? words.text("calendar_note", { time: words.dayAndTime(offer.expires_at) }) : "",
    labeled(words, words.text("vehicle"), view.vehicle.name),
    price.ofDirection[each.direction] ?? whole,
    ...promises.flatMap(({ direction, icon, text }) =>
      icon === "meet" && direction === each.direction ? [plain(text)] : [],
    ),
    ...linesOf(each),
  ];
}

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
