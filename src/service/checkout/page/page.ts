/** The traveler's page: resolves the signed link in its address and draws the view of the offer. */

import { referenceOf } from "../../../contract/notice-formats.ts";
import { requestAgain } from "../view/mail.ts";
import type { Offer } from "../view/offer.ts";
import { type OfferView, offerView, timeLeft } from "../view/offer-view.ts";
import { createWords, type Language, type PageKey, type PageWords } from "../view/words.ts";
import { drawOffer, showJourney } from "./draw.ts";
import { announce, byId, countDown, element, stopCountDown } from "./elements.ts";

const GIVE_UP_MILLISECONDS = 15_000;

type Problem = "expired" | "wrong" | "busy" | "unavailable" | "offline";

/** Problems for which the page offers another try. */
const RETRYABLE: readonly Problem[] = ["busy", "unavailable", "offline"];

/** The problem to show for a code of the API; any other code is shown as `unavailable`. */
const PROBLEM_OF_CODE: Readonly<Record<string, Problem>> = {
  QUOTE_EXPIRED: "expired",
  QUOTE_NOT_FOUND: "wrong",
  INVALID_REQUEST: "wrong",
  RATE_LIMITED: "busy",
};

const SECTIONS = ["loading", "problem", "journey", "offer", "particulars", "next"];

type Translations = Readonly<Record<string, Readonly<Record<string, string>>>>;
type Resolved = Offer & { readonly translations?: Translations };

const language = document.documentElement.lang as Language;
const { texts, notices }: PageWords = JSON.parse(byId("texts").textContent);
/** The operator's translations, which come with the offer. */
let translations: Readonly<Record<string, string>> = {};
const words = createWords<PageKey>(language, texts, notices, (text) =>
  Object.hasOwn(translations, text) ? translations[text] : undefined,
);
/** The journey on the page, for which the traveler can request a new offer once this one has expired. */
let shown: { readonly offer: Offer; readonly view: OfferView } | undefined;
/** When the browser asked for the offer, which it did before it ran this script. */
let askedAt: number | undefined = Date.now() - performance.now();

byId("retry").addEventListener("click", () => {
  // The button is about to be hidden and would lose the keyboard focus.
  byId("main").focus();
  readLink();
});
byId("copy").addEventListener("click", async () => {
  const text = byId("again");
  await navigator.clipboard.writeText(text.textContent).then(
    () => announce(words.text("copied")),
    // Then the traveler copies what is selected.
    () => getSelection()?.selectAllChildren(text),
  );
});
addEventListener("beforeprint", () => unfold(true));
addEventListener("afterprint", () => unfold(false));
readLink();

async function readLink(): Promise<void> {
  show(["loading"]);
  announce(words.text("reading"));
  await resolveLink(byId("terms").getAttribute("href")).catch(() => showProblem("unavailable"));
  askedAt = undefined;
}

/** Shows the service's response to the link. Rejects if the response is not what it should be. */
async function resolveLink(address: string | null): Promise<void> {
  if (!address) return showProblem("wrong");
  const sentAt = askedAt ?? Date.now();
  // The same mode and credentials as of the preload, so that the browser uses its response.
  const options: RequestInit = { credentials: "same-origin", signal: AbortSignal.timeout(GIVE_UP_MILLISECONDS) };
  const response = await fetch(address, options).catch(() => undefined);
  if (!response) return showProblem("offline");
  const body = await response.json();
  if (response.ok) return showOffer(body, serverClock(response, sentAt));
  if (body.expired_offer) {
    take(body.expired_offer);
    return showProblem("expired", { isBesideJourney: true });
  }
  showProblem(PROBLEM_OF_CODE[body.code] ?? "unavailable", {
    retryAfterSeconds: Number(response.headers.get("Retry-After")) || 0,
  });
}

/**
 * Returns a clock with the server's time in milliseconds, from the Date header, because the device's clock may be
 * wrong. It advances with the device's clock, because the monotonic one may stop while a phone sleeps.
 */
function serverClock(response: Response, sentAt: number): () => number {
  const date = Date.parse(response.headers.get("Date") ?? "");
  // The header lacks the fraction of its second, and the response took time: better too little time left than too much.
  const ahead = Number.isNaN(date) ? 0 : date + 999 - sentAt;
  return () => Date.now() + ahead;
}

function take(offer: Resolved): { readonly offer: Offer; readonly view: OfferView } {
  translations = offer.translations?.[language] ?? {};
  shown = { offer, view: offerView(offer, words) };
  showJourney(shown.view);
  byId("short-reference").textContent = referenceOfLink();
  document.title = [shown.view.head.title, offer.operator?.name].filter(Boolean).join(" – ");
  return shown;
}

function showOffer(offer: Resolved, now: () => number): void {
  const taken = take(offer);
  drawOffer(taken.offer, taken.view, words, now);
  show(["journey", "offer", "particulars", "next"]);
  announce("");
  countDown(Date.parse(offer.expires_at ?? ""), now, showTimeLeft);
}

/** What the operator finds the sale by; empty if the link names no quote. */
function referenceOfLink(): string {
  const id = referenceOf(new URLSearchParams(location.search).get("quote_id") ?? "");
  return id && words.text("short_reference", { id });
}

function showTimeLeft(seconds: number): void {
  if (seconds === 0) return showProblem("expired", { isBesideJourney: true });
  const { held, announced } = timeLeft(seconds, words);
  byId("left").textContent = held;
  for (const id of ["left", "status"]) byId(id).classList.toggle("soon", announced !== undefined);
  if (announced) announce(announced);
}

function showProblem(kind: Problem, { retryAfterSeconds = 0, isBesideJourney = false } = {}): void {
  const canRetry = RETRYABLE.includes(kind);
  const expired = isBesideJourney ? shown : undefined;
  announce("");
  byId("problem-title").textContent = words.text(`${kind}_title`);
  byId("problem-text").textContent = words.text(`${kind}_text`);
  // Beside a journey it is at the top of the page.
  byId("reference").textContent = expired ? "" : referenceOfLink();
  byId("retry").hidden = !canRetry;
  byId("expired-price").replaceChildren(
    ...(expired ? [`${words.text("expired_price")} `, element("s", "", expired.view.price.total)] : []),
  );
  byId("again").textContent = expired ? requestAgain(expired.offer, expired.view, words) : "";
  // There is nothing left to agree.
  for (const id of ["addresses", "decisive"]) byId(id).replaceChildren();
  for (const id of ["again", "copy"]) byId(id).hidden = !expired;
  const hadFocus = SECTIONS.some((each) => byId(each).contains(document.activeElement));
  show(["problem", ...(expired ? ["journey"] : [])]);
  // A section that is hidden takes the keyboard focus with it.
  if (hadFocus) byId("problem-title").focus();
  document.title = [words.text(`${kind}_title`), expired?.view.head.title].filter(Boolean).join(" – ");
  byId("status").classList.remove("soon");
  if (canRetry) countDown(Date.now() + retryAfterSeconds * 1000, Date.now, showWait);
}

function showWait(seconds: number): void {
  byId("retry").toggleAttribute("disabled", seconds > 0);
  byId("retry").textContent =
    seconds > 0 ? words.text("retry_wait", { seconds: String(seconds) }) : words.text("retry");
}

/** Shows only these sections, and stops the countdown. A problem has a heading of its own in place of the page's. */
function show(ids: readonly string[]): void {
  stopCountDown();
  for (const id of SECTIONS) byId(id).hidden = !ids.includes(id);
  byId("head").hidden = ids.includes("problem");
  // Says what marked words are, where some are shown.
  byId("underlined").hidden = !document.querySelector("main > :not([hidden]) bdi.entered");
}

/** On paper nothing is folded, and the first line says what it is. */
function unfold(isPrinting: boolean): void {
  for (const fold of document.querySelectorAll("details")) fold.open = isPrinting;
  const until = shown?.offer.expires_at;
  byId("print-head").textContent = until ? words.text("print_head", { time: words.dayAndTime(until) }) : "";
}
