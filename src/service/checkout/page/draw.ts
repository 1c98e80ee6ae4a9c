/** Draws the view of an offer on the traveler's page. */
import { icalendar } from "../view/icalendar.ts";
import { bookingMail, offerEvents } from "../view/mail.ts";
import type { Offer } from "../view/offer.ts";
import type { OfferView } from "../view/offer-view.ts";
import { DOT, type PageKey, type ViewKey, type Words } from "../view/words.ts";
import { byId, drawn, element, listItems, termItem, timeline } from "./elements.ts";

type PageWords = Words<PageKey | ViewKey>;

/** Head and journey, which an expired offer has too. */
export function showJourney(view: OfferView): void {
  const { head } = view;
  const ends = head.ends.flatMap((name, index) => {
    const part = element("span", "", name);
    return index > 0 ? [head.isBothWays ? " ⇄ " : " → ", part] : [part];
  });
  byId("title").replaceChildren(...(head.hire ? [head.hire + DOT] : []), ...ends);
  byId("when").textContent = head.when;
  byId("party").replaceChildren(...drawn(head.party));
  byId("timeline").replaceChildren(...timeline(view.directions));
  byId("decisive").replaceChildren(...listItems(view.decisive));
  byId("banner").replaceChildren(...listItems(view.banner));
  byId("addresses").textContent = view.addresses;
  byId("notes").replaceChildren(...listItems(view.notes));
  byId("calendar").hidden = true;
}

/** `now` returns milliseconds since 1970. */
export function drawOffer(offer: Offer, view: OfferView, words: PageWords, now: () => number): void {
  const { price, vehicle, promises } = view;
  byId("amount").textContent = price.total;
  byId("price-note").textContent = price.note;
  byId("vehicle").replaceChildren(...drawn(vehicle.name));
  byId("seats").textContent = vehicle.seats;
  byId("promises").replaceChildren(
    ...promises.map(({ text, isPromise }) => element("li", isPromise ? "" : "condition", ...drawn(text))),
  );
  byId("lines").replaceChildren(...price.lines.map(({ item, isTotal }) => termItem(item, isTotal ? "total" : "")));
  byId("included").replaceChildren(...listItems(price.included));
  byId("price-fold").hidden = price.lines.length + price.included.length === 0;
  byId("details").replaceChildren(...view.details.map((item) => termItem(item)));
  byId("conditions").replaceChildren(...drawn(view.conditions));
  byId("actions").replaceChildren(...waysToBook(offer, view, words));
  showNextStep(offer, view, words);
  const calendar = byId("calendar") as HTMLAnchorElement;
  calendar.hidden = false;
  calendar.href = "#";
  calendar.download = `transfer-${view.directions[0]?.pickup.at.slice(0, 10)}.ics`;
  // The file is made for the click, so that the offer is painted first.
  calendar.onclick = () => {
    URL.revokeObjectURL(calendar.href);
    const events = offerEvents(offer, view, words, { stamp: new Date(now()), host: location.hostname });
    calendar.href = URL.createObjectURL(new Blob([icalendar(events)], { type: "text/calendar" }));
  };
}

/** The button that leads to payment, or call and mail: a phone shows the call, a desktop the mail first. */
function waysToBook(offer: Offer, view: OfferView, words: PageWords): HTMLElement[] {
  const { operator, continue_url: continueUrl } = offer;
  if (continueUrl) return [link("continue", inLanguage(continueUrl, words), words.text("continue"), "button")];
  if (!operator) return [];
  if (isExample(offer)) {
    const demo = element("a", "button", words.text("example", { operator: operator.name }));
    return [Object.assign(demo, { id: "example", role: "link", ariaDisabled: "true" })];
  }
  return [
    callLink(operator.phone, words),
    link("write", mailAddress(offer, view, words), words.text("write"), "button"),
  ];
}

/** A phone knows the number, a person at a desk dials it. */
function callLink(phone: string, words: PageWords): HTMLElement {
  const call = link("call", telephone(phone), "", "button");
  const texts = [
    element("span", "short", words.text("call_short")),
    element("span", "long", words.text("call", { phone })),
  ];
  call.append(...texts);
  return call;
}

/** The operator's page in the language that the traveler reads. An address that says one keeps it. */
function inLanguage(address: string, { language }: PageWords): string {
  const url = new URL(address, location.href);
  if (!url.searchParams.has("lang")) url.searchParams.set("lang", language);
  return url.href;
}

/** The packaged operator, whom nobody can reach: addresses under "example" belong to nobody (RFC 2606). */
function isExample({ continue_url: continueUrl, operator }: Offer): boolean {
  return !continueUrl && operator?.email.split(".").at(-1) === "example";
}

/** How to book, and how the operator is reached and paid. */
function showNextStep(offer: Offer, view: OfferView, words: PageWords): void {
  const { operator, continue_url: continueUrl } = offer;
  const way = continueUrl ? "book_online" : "book_call";
  byId("book").textContent = words.text(way, { operator: operator?.name ?? "" });
  byId("book-rest").textContent = words.text(`${way}_rest`);
  const { phone = "", email = "", phone_hours: hours, payment_methods: payment } = operator ?? {};
  byId("reach").replaceChildren(
    link("", telephone(phone), phone, ""),
    " ",
    link("", mailAddress(offer, view, words), email, ""),
  );
  const details = [
    [words.text("phone_hours"), continueUrl ? undefined : hours],
    [words.text("payment_methods"), payment],
  ] as const;
  byId("book-details").replaceChildren(
    ...details.flatMap(([term, text]) => (text ? [termItem([[term], [words.operator(text)]])] : [])),
  );
  for (const id of ["book-step", "available"]) byId(id).hidden = isExample(offer);
}

function telephone(phone: string): string {
  return `tel:${phone.replaceAll(" ", "")}`;
}

function mailAddress(offer: Offer, view: OfferView, words: PageWords): string {
  const { subject, body } = bookingMail(offer, view, words);
  return `mailto:${offer.operator?.email}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

function link(id: string, href: string, text: string, className: string): HTMLAnchorElement {
  return Object.assign(element("a", className, text), { id, href });
}
