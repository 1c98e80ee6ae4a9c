/** The traveler's page: resolves the signed link in its address and shows the offer. */

import { isExample, offerActions } from "./actions.js";
import {
  bookingDetails,
  cancellationDetails,
  journeyDetails,
  labeledText,
  nearText,
  operatorDetails,
  partyAndLoadText,
  priceDetails,
} from "./details.js";
import { announce, byId, countDown, element, linkItem, stopCountDown, termItem } from "./elements.js";
import { clockText, dayAndTimeText, moneyText, referenceText } from "./formats.js";
import { languageLinks, locale, nameText, numberText, operatorText, takeTranslations, textOf } from "./language.js";
import { noticeItem } from "./notices.js";
import { endNames, routeText, timeline } from "./timeline.js";

const GIVE_UP_MILLISECONDS = 15_000;

/** Problems for which the page offers another try. */
const RETRYABLE = ["busy", "unavailable", "offline"];

/** The problem to show for a code of the API; any other code is shown as `unavailable`. */
const PROBLEM_OF_CODE = new Map([
  ["QUOTE_EXPIRED", "expired"],
  ["QUOTE_NOT_FOUND", "wrong"],
  ["INVALID_REQUEST", "wrong"],
  ["RATE_LIMITED", "busy"],
]);

const SECTIONS = ["loading", "problem", "journey", "offer", "particulars", "next"];

/** The journey on the page, for which the traveler can request a new offer once this one has expired. */
let journeyShown;
/** When the browser asked for the offer, which it did before it ran this script. */
let askedAt = Date.now() - performance.now();

byId("languages").replaceChildren(...languageLinks());
byId("retry").addEventListener("click", () => {
  // The button is about to be hidden and would lose the keyboard focus.
  byId("main").focus();
  readLink();
});
byId("copy").addEventListener("click", async () => {
  const text = byId("again");
  await navigator.clipboard.writeText(text.textContent).then(
    () => announce(textOf("copied")),
    // Then the traveler copies what is selected.
    () => getSelection().selectAllChildren(text),
  );
});
addEventListener("beforeprint", () => beforePrint(true));
addEventListener("afterprint", () => beforePrint(false));
readLink();

async function readLink() {
  show(["loading"]);
  announce(textOf("reading"));
  await resolveLink(byId("terms").getAttribute("href")).catch(() => showProblem("unavailable"));
  askedAt = undefined;
}

/** Shows the service's response to the link. Rejects if the response is not JSON. */
async function resolveLink(address) {
  if (!address) return showProblem("wrong");
  const sentAt = askedAt ?? Date.now();
  // The same mode and credentials as of the preload, so that the browser uses its response.
  /** @type {RequestInit} */
  const options = { credentials: "same-origin", signal: AbortSignal.timeout(GIVE_UP_MILLISECONDS) };
  const response = await fetch(address, options).catch(() => undefined);
  if (!response) return showProblem("offline");
  const body = await response.json();
  if (response.ok) return showOffer(body, serverClock(response, sentAt));
  if (body.expired_offer) {
    takeTranslations(body.expired_offer.translations);
    showJourney(body.expired_offer);
    return showProblem("expired", { beside: ["journey"] });
  }
  showProblem(PROBLEM_OF_CODE.get(body.code) ?? "unavailable", {
    retryAfterSeconds: Number(response.headers.get("Retry-After")) || 0,
  });
}

/**
 * Returns a clock with the server's time in milliseconds, from the Date header, because the device's clock may be
 * wrong. It advances with the device's clock, because the monotonic one may stop while a phone sleeps.
 */
function serverClock(response, sentAt) {
  const date = Date.parse(response.headers.get("Date") ?? "");
  // The header lacks the fraction of its second, and the response took time: better too little time left than too much.
  const ahead = Number.isNaN(date) ? 0 : date + 999 - sentAt;
  return () => Date.now() + ahead;
}

function showOffer(offer, now) {
  takeTranslations(offer.translations);
  byId("vehicle").replaceChildren(operatorText(offer.vehicle_type));
  byId("seats").textContent = textOf("seats", { count: offer.passenger_capacity });
  byId("amount").textContent = moneyText(offer.total_price, offer.currency);
  byId("price-note").textContent = textOf(offer.return_datetime ? "price_both_ways" : "price_note");
  byId("cancellation").replaceChildren(...cancellationDetails(offer).map(termItem));
  byId("details").replaceChildren(...journeyDetails(offer).map(termItem));
  byId("details-summary").textContent = partyAndLoadText(offer);
  byId("actions").replaceChildren(...offerActions(offer, now));
  byId("until").setAttribute("datetime", offer.expires_at);
  byId("until").textContent = textOf("until", { time: clockText(offer.expires_at) });
  showJourney(offer);
  showNotices(offer);
  const way = offer.continue_url ? "book_online" : "book_call";
  byId("book").textContent = textOf(way, { operator: offer.operator?.name ?? "" });
  byId("book-rest").textContent = textOf(`${way}_rest`);
  byId("book-details").replaceChildren(...bookingDetails(offer).map(termItem));
  byId("book").parentElement.hidden = isExample(offer);
  byId("operator").replaceChildren(...operatorDetails(offer).flatMap(linkItem));
  show(["journey", "offer", "particulars", "next"]);
  countDown(Date.parse(offer.expires_at), now, showTimeLeft);
}

function showJourney(offer) {
  const { operator } = offer;
  journeyShown = offer;
  byId("short-reference").textContent = referenceOfLink();
  const route = routeText(offer);
  byId("title").replaceChildren(...(route ? routeParts(offer) : [textOf("title")]));
  document.title = [route, operator?.name].filter(Boolean).join(" – ") || textOf("title");
  byId("timeline").replaceChildren(...timeline(offer));
  for (const id of ["decisive", "notes"]) byId(id).replaceChildren();
  explainMarks();
}

/** The title, which breaks between the names of the places, not within them. */
function routeParts(offer) {
  return endNames(offer).flatMap((name, index) => {
    const part = element("span", "", name);
    return index > 0 ? [" → ", part] : [part];
  });
}

/** What the operator finds the sale by; empty if the link names no quote. */
function referenceOfLink() {
  const id = referenceText(new URLSearchParams(location.search).get("quote_id") ?? "");
  return id && textOf("short_reference", { id });
}

function showNotices(offer) {
  const { origin, destination, waypoints, notices } = offer;
  const names = [origin, destination, ...waypoints.map(({ name }) => name)];
  const lists = { banner: [], decisive: [], included: [], notes: [] };
  for (const each of notices.filter(({ in_legs }) => !in_legs)) {
    const { code, decisive, included } = each;
    const list = code === "REHEARSAL" ? "banner" : decisive ? "decisive" : included ? "included" : "notes";
    lists[list].push(noticeItem(each, names));
  }
  for (const [id, items] of Object.entries(lists)) byId(id).replaceChildren(...items);
  const prices = priceDetails(offer);
  byId("lines").replaceChildren(...prices.map(termItem));
  byId("price-summary").textContent = textOf("lines", { count: prices.length + lists.included.length });
  byId("price-fold").hidden = prices.length + lists.included.length === 0;
  byId("notes-summary").textContent = textOf("points", { count: lists.notes.length });
  byId("notes-fold").hidden = lists.notes.length === 0;
  explainMarks();
}

/** Says what marked words are, where there are some. */
function explainMarks() {
  byId("underlined").hidden = !document.querySelector("#timeline .entered, #decisive .entered, #notes .entered");
}

function showTimeLeft(seconds) {
  if (seconds === 0) return showProblem("expired", { beside: ["journey"] });
  const left = byId("left");
  const minutes = seconds >= 60 ? `${Math.floor(seconds / 60)} min ` : "";
  // A clock with seconds from the first minute would be pressure.
  left.textContent = seconds <= 300 ? `${minutes}${String(seconds % 60).padStart(minutes ? 2 : 1, "0")} s` : "";
  left.classList.toggle("soon", seconds <= 300);
  showOnButton(left.textContent);
  byId("status").classList.toggle("soon", seconds <= 300);
  if (seconds <= 60) announce(textOf("last_minute"));
  else if (seconds <= 300) announce(textOf("last_minutes"));
  else announce(textOf("shown"));
}

/** The bar at the bottom of a phone has the price, and how long it holds. */
function showOnButton(left) {
  /** @type {HTMLElement} */
  const button = document.querySelector(".actions > [data-price]");
  if (!button) return;
  const { total_price, currency, expires_at } = journeyShown;
  const price = moneyText(total_price, currency);
  const held = left || textOf("until", { time: clockText(expires_at) });
  button.dataset.price = textOf("button_price", { price, held });
}

function showProblem(kind, { retryAfterSeconds = 0, beside = [] } = {}) {
  const retry = RETRYABLE.includes(kind);
  announce("");
  byId("problem-title").textContent = textOf(`${kind}_title`);
  byId("problem-text").textContent = textOf(`${kind}_text`);
  // Beside a journey it is at the top of the page.
  byId("reference").textContent = beside.length > 0 ? "" : referenceOfLink();
  byId("retry").hidden = !retry;
  const again = beside.length > 0 ? againText(journeyShown) : "";
  byId("expired-price").replaceChildren(...(again ? struckPrice(journeyShown) : []));
  byId("again").textContent = again;
  for (const id of ["again", "copy"]) byId(id).hidden = again === "";
  const hadFocus = SECTIONS.some((each) => byId(each).contains(document.activeElement));
  show(["problem", ...beside]);
  // A section that is hidden takes the keyboard focus with it.
  if (hadFocus) byId("problem-title").focus();
  document.title = [textOf(`${kind}_title`), journeyShown && routeText(journeyShown)].filter(Boolean).join(" – ");
  byId("status").classList.remove("soon");
  if (retry) countDown(Date.now() + retryAfterSeconds * 1000, Date.now, showWait);
}

function struckPrice({ total_price: price, currency }) {
  return [labeledText(textOf("expired_price"), ""), element("s", "", moneyText(price, currency))];
}

/** The text with which the traveler can ask the assistant for the same journey again, with all that was ordered. */
function againText(offer) {
  const { origin, destination, waypoints, duration_hours: hours, return_datetime: back } = offer;
  // A hire may end where it begins.
  const ends = hours && destination === origin ? [] : [destination];
  const stay = ({ stop_duration_min: minutes }) => (minutes ? ` (${minutes} min)` : "");
  const stops = [origin, ...waypoints.map((stop) => stop.name + nearText(stop) + stay(stop)), ...ends].join(" – ");
  const ordered = journeyDetails({
    ...offer,
    distance_km: undefined,
    return_distance_km: undefined,
    cancellation_policy: "",
  });
  const sentences = [
    textOf("again", { stops, time: dayAndTimeText(offer.pickup_datetime) }),
    ...(hours ? [`${labeledText(textOf("hire"), `${numberText(hours)} h`)}.`] : []),
    ...(back ? [`${labeledText(textOf("return"), dayAndTimeText(back))}.`] : []),
    ...ordered.map(([term, content]) => `${labeledText(term, content)}.`),
    `${labeledText(textOf("vehicle"), nameText(offer.vehicle_type))}.`,
    textOf("again_price", { price: moneyText(offer.total_price, offer.currency) }),
  ];
  return sentences.join(" ");
}

function showWait(seconds) {
  byId("retry").toggleAttribute("disabled", seconds > 0);
  byId("retry").textContent = seconds > 0 ? textOf("retry_wait", { seconds: String(seconds) }) : textOf("retry");
}

/** Shows only these sections, and stops the countdown. A problem has a heading of its own in place of the page's. */
function show(ids) {
  stopCountDown();
  for (const id of SECTIONS) byId(id).hidden = !ids.includes(id);
  byId("title").hidden = ids.includes("problem");
}

/** On paper nothing is folded, and the first line says what it is. */
function beforePrint(isPrinting) {
  for (const fold of document.querySelectorAll("details")) fold.open = isPrinting;
  if (!journeyShown) return;
  const time = dayAndTimeText(journeyShown.expires_at);
  byId("print-head").textContent = textOf("print_head", { time });
  byId("print-foot").textContent = textOf("print_foot", {
    time: new Date().toLocaleString(locale),
    link: location.href,
  });
}
