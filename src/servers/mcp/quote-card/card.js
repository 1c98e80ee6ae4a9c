/** The card: shows the request while it is being priced, then the offer, then its approval, expiry or failure. */

import { classNames, valueText } from "../../../contract/notices.ts";
import { translationOf } from "../../../domain/quotes/translation-of.ts";
import { announce, byId, countDown, element, stopCountDown } from "../../../service/checkout/page/elements.js";
import { clockText, durationText } from "../../../service/checkout/page/formats.js";
import {
  english,
  knownText,
  language,
  nameText,
  textOf,
  translateBy,
} from "../../../service/checkout/page/language.js";
import { takeLists } from "../../../service/checkout/page/notices.js";
import { createApproval } from "./approval.js";
import { contentOf } from "./host.js";
import { showConditions, showRoute, showTrip } from "./journey.js";
import { vehicleItem } from "./options.js";
import { showView, write } from "./views.js";

/** The operator's names and texts, from the catalog that the server writes into the page. */
const { translations = {}, vehicleTypes = {}, operator = {} } = JSON.parse(byId("catalog").textContent);
translateBy(translated);
takeLists(listText);

const SHOWN_VEHICLES = 3;
/** Beside the reasons why none can be booked at once. */
const SHOWN_MANUAL = 2;
/** From here on the time left runs down in seconds. */
const LAST_SECONDS = 300;

export function createCard(host, capabilities, { availableDisplayModes = [], displayMode = "inline" } = {}) {
  const approval = createApproval(host, capabilities, { onExpired: showExpired });
  /** The arguments of the call, which the assistant wrote. */
  let request = {};
  // The host determines all other colors.
  if (operator.color) document.documentElement.style.setProperty("--brand", operator.color);
  document.documentElement.classList.toggle("branded", Boolean(operator.color));
  document.documentElement.lang = language;
  document.title = textOf("title");
  /** @type {NodeListOf<HTMLElement>} */
  const named = document.querySelectorAll("[data-text], [data-label]");
  for (const each of named) {
    const { text, label } = each.dataset;
    if (text) each.textContent = textOf(text);
    if (label) each.ariaLabel = textOf(label);
  }
  byId("more").addEventListener("click", showAll);
  byId("full").addEventListener("click", () =>
    host.request("ui/request-display-mode", { mode: "fullscreen" }).then(
      ({ mode }) => showMode(mode),
      () => {},
    ),
  );
  showMode(displayMode);
  announce(textOf("pricing"));

  return { showRequest, showResult, showProblem, showMode };

  /** On the full screen everything is open. */
  function showMode(mode = "inline") {
    const isFull = mode === "fullscreen";
    document.documentElement.classList.toggle("full", isFull);
    byId("full").hidden = isFull || !availableDisplayModes.includes("fullscreen");
    byId("conditions").toggleAttribute("open", isFull);
    if (isFull) showAll();
  }

  function showRequest(written) {
    request = written;
    const { origin, destination } = written;
    if (typeof origin === "string") showRoute({ ...written, origin, destination: String(destination ?? origin) });
  }

  function showResult(result) {
    stopCountDown();
    try {
      const content = contentOf(result);
      if (result.isError) showFailure(content);
      else
        showOffer(
          { ...content, operator: content.operator ?? operator, legs: result._meta?.legs },
          result._meta?.notices,
        );
    } catch {
      showProblem("unreadable");
    }
  }

  function showOffer(quote, notices) {
    showRoute(quote);
    const { options = [], limitations = [] } = quote;
    // Some hosts do not pass `_meta` on.
    const notes = notices ?? limitations.map((text) => ({ text }));
    showTrip(quote, notes);
    if (quote.status === "expired") return showExpired();
    showConditions(quote, notes);
    const isManual = quote.requires_manual_confirmation;
    const shown = isManual ? SHOWN_MANUAL : SHOWN_VEHICLES;
    const vehicles = sorted(options).map((option) =>
      vehicleItem(option, { onChoose: chooserOf(quote, option), isMarked: !isManual }),
    );
    for (const vehicle of vehicles.slice(shown)) vehicle.hidden = true;
    write("options", ...vehicles);
    byId("more").textContent = textOf("more", { count: vehicles.length - shown });
    byId("more").hidden = vehicles.length <= shown;
    if (document.documentElement.classList.contains("full")) showAll();
    showView("offer");
    byId("terms").hidden = options.length === 0;
    if (options.length === 0) return announce(textOf("no_options"));
    announce("");
    const both = textOf(quote.return_datetime ? "price_both_ways" : "price_note");
    byId("seller").replaceChildren(...logo(), [operator.name, both].filter(Boolean).join(" · "));
    // Such an offer cannot be paid online: the reasons above say whom to call.
    if (isManual) return showValidity(textOf("swiss"));
    if (quote.status === "estimate")
      return showValidity([textOf("estimate"), textOf("estimate_rest"), textOf("swiss")].join(" · "));
    // By the device's clock, since the card gets no server time. The server decides whether a quote has expired.
    countDown(Date.parse(quote.expires_at), Date.now, (seconds) => showTimeLeft(seconds, quote.expires_at));
  }

  function showValidity(text, isSoon = false) {
    byId("left").textContent = text;
    byId("left").role = isSoon ? "timer" : null;
    byId("left").classList.toggle("soon", isSoon);
  }

  function showAll() {
    /** @type {NodeListOf<HTMLElement>} */
    const hidden = byId("options").querySelectorAll("[hidden]");
    for (const vehicle of hidden) vehicle.hidden = false;
    const hadFocus = document.activeElement === byId("more");
    byId("more").hidden = true;
    if (hadFocus) hidden[0]?.querySelector("button")?.focus();
  }

  function chooserOf(quote, option) {
    return quote.status === "open" ? () => approval.ask(quote, option) : undefined;
  }

  function showTimeLeft(seconds, expiresAt) {
    if (seconds === 0) return showExpired();
    const isSoon = seconds <= LAST_SECONDS;
    const time = isSoon ? minutesText(seconds) : clockText(expiresAt);
    showValidity(`${textOf(isSoon ? "held_for" : "held_until", { time })} · ${textOf("swiss")}`, isSoon);
    if (seconds <= 60) announce(textOf("last_minute"));
    else if (isSoon) announce(textOf("last_minutes"));
  }

  /** Candidates are buttons where the host takes messages, otherwise a list: the assistant asks. */
  function showFailure(problem) {
    const { title, text = "", candidates } = failureOf(problem, request);
    showProblem("failed", { title, text });
    const shownAs = capabilities.message ? candidateButton : (each) => element("p", "candidate", each);
    write("candidates", ...candidates.map(shownAs));
  }

  /** Sends the traveler's choice to the assistant as a message, so that it requests a price again. */
  function candidateButton(text) {
    const button = element("button", "", text);
    button.type = "button";
    button.addEventListener("click", () =>
      host.request("ui/message", { role: "user", content: [{ type: "text", text }] }).catch(() => {}),
    );
    return button;
  }

  function showExpired() {
    approval.close();
    showProblem("expired");
  }

  function showProblem(kind, { title = textOf(`${kind}_title`), text = textOf(`${kind}_text`) } = {}) {
    stopCountDown();
    for (const id of ["terms", "candidates"]) byId(id).hidden = true;
    announce("");
    byId("problem-title").textContent = title;
    byId("problem-text").textContent = text;
    showView("problem");
  }
}

/** `undefined` where there is no translation, as for English. */
function translated(value) {
  return translationOf(translations, value, /** @type {"de" | "fr" | "it"} */ (language));
}

function listText(parts) {
  if (!parts.some(({ classes }) => classes)) return translated(parts) ?? english(valueText(parts));
  // Notices name classes by id.
  const types = Object.entries(vehicleTypes).map(([id, type]) => ({ id, type: nameText(type) }));
  return valueText(parts, nameText, classNames(types));
}

function minutesText(seconds) {
  const rest = `${seconds % 60} s`;
  return seconds < 60 ? rest : `${durationText(Math.floor(seconds / 60))} ${rest}`;
}

function logo() {
  return operator.logo ? [Object.assign(element("img", "logo"), { src: operator.logo, alt: "" })] : [];
}

/** Options that can be paid online first, by ascending price. */
function sorted(options) {
  const isManual = (option) => Number(option.on_request || option.requires_manual_confirmation);
  return [...options].sort((a, b) => isManual(a) - isManual(b) || a.total_price - b.total_price);
}

/**
 * `title` and `text` for a problem, and the `candidates` among which the traveler can choose. In the traveler's words:
 * what the service answers is written for the assistant.
 */
function failureOf({ code, field_errors: errors = [] }, request) {
  const asked = errors.find(({ candidates = [] }) => candidates.length > 0);
  if (asked) {
    const text = wordsOf(asked.field, request);
    return { title: textOf(text ? "which_place" : "failed_title", { text }), candidates: asked.candidates };
  }
  const place = PLACE_CODES.includes(code) ? errors.find(({ field }) => wordsOf(field, request)) : undefined;
  const text = place
    ? textOf(`failed_${ENDS.includes(place.field) ? place.field : "stop"}`, { text: wordsOf(place.field, request) })
    : (knownText(`failed_${code}`) ?? textOf("failed_text"));
  return { title: textOf("failed_title"), text, candidates: [] };
}

const PLACE_CODES = ["INVALID_LOCATION", "UNSUPPORTED_ROUTE"];

const ENDS = ["origin", "destination"];

/** What the assistant wrote in a field such as "origin" or "waypoints.0.name". */
function wordsOf(field, request) {
  const value = field.split(".").reduce((part, key) => part?.[key], request);
  return typeof value === "string" ? value : "";
}
