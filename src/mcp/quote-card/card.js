/** The card: shows the request while it is being priced, then the offer, then its approval, expiry or failure. */
import { stopText } from "../../checkout/page/details.js";
import { dayAndTimeText, durationText, timeText } from "../../checkout/page/formats.js";
import { language, textOf } from "../../checkout/page/language.js";
import { entered, noticeItem } from "../../checkout/page/notices.js";
import { arrivalText, connectionTexts, hireText } from "../../checkout/page/timeline.js";
import { createApproval } from "./approval.js";
import { operator, useCatalog } from "./catalog.js";
import { vehicleItem } from "./options.js";
import { byId, element, say, showView, write } from "./views.js";

const SHOWN_VEHICLES = 3;

export function createCard(host, capabilities, { availableDisplayModes = [] } = {}) {
  const approval = createApproval(host, capabilities, { onExpired: showExpired });
  let timer;
  useCatalog();
  // The host determines all other colors.
  if (operator.color) document.documentElement.style.setProperty("--brand", operator.color);
  document.documentElement.classList.toggle("branded", Boolean(operator.color));
  document.documentElement.lang = language;
  document.title = textOf("title");
  byId("route").textContent = textOf("title");
  byId("offer").setAttribute("aria-label", textOf("offer"));
  byId("more").addEventListener("click", showAll);
  byId("full").textContent = textOf("full");
  byId("full").hidden = !availableDisplayModes.includes("fullscreen");
  byId("full").addEventListener("click", () =>
    host.request("ui/request-display-mode", { mode: "fullscreen" }).catch(() => {}),
  );
  say(textOf("pricing"));

  return { showRequest, showResult, showProblem, stop };

  /** The arguments of the call, which the assistant wrote. */
  function showRequest({ origin, destination }) {
    if (typeof origin === "string") showRoute({ origin, destination: String(destination ?? origin) });
  }

  function showResult(result) {
    stop();
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

  function showOffer(quote, notices = []) {
    showRoute(quote);
    showTrip(quote);
    if (quote.status === "expired") return showExpired();
    const { options = [], limitations = [] } = quote;
    const names = [quote.origin, quote.destination, ...(quote.waypoints ?? []).map(({ name }) => name)];
    // Some hosts do not pass `_meta` on.
    const notes = notices.length > 0 ? notices : limitations.map((text) => ({ text }));
    write("notes", ...notes.map((each) => noticeItem(each, names)));
    const vehicles = sorted(options).map((option) => vehicleItem(option, { onChoose: chooserOf(quote, option) }));
    for (const vehicle of vehicles.slice(SHOWN_VEHICLES)) vehicle.hidden = true;
    write("options", ...vehicles);
    byId("more").textContent = textOf("more", { count: vehicles.length - SHOWN_VEHICLES });
    byId("more").hidden = vehicles.length <= SHOWN_VEHICLES;
    showView("offer");
    if (options.length === 0) return say(textOf("no_options"));
    say("");
    byId("validity").hidden = false;
    const both = textOf(quote.return_datetime ? "price_both_ways" : "price_note");
    write("terms", ...logo(), [operator.name, both].filter(Boolean).join(" · "));
    // An offer that needs manual confirmation cannot be paid online: the phone number and the reason come first.
    const isManual = quote.requires_manual_confirmation;
    byId("offer").classList.toggle("manual-first", isManual);
    if (isManual) return showLine(textOf("manual"), textOf("call", { phone: operator.phone }));
    if (quote.status === "estimate") return showLine(textOf("estimate"), textOf("estimate_rest"));
    const until = new Date(quote.expires_at);
    byId("left").role = "timer";
    byId("until").textContent = textOf("fixed_until", { time: timeText(until) });
    countDown(until.getTime());
  }

  function showLine(first, rest) {
    byId("left").role = null;
    byId("left").classList.remove("soon");
    byId("left").textContent = first;
    byId("until").textContent = rest;
  }

  function showAll() {
    const hidden = byId("options").querySelectorAll("[hidden]");
    for (const vehicle of hidden) vehicle.hidden = false;
    byId("more").hidden = true;
    hidden[0]?.querySelector("button")?.focus();
  }

  function chooserOf(quote, option) {
    return quote.status === "open" ? () => approval.ask(quote, option) : undefined;
  }

  function showTrip(quote) {
    const { waypoints = [], route_basis: route, passengers, luggage } = quote;
    const via = waypoints.flatMap((stop, at) => [
      at > 0 ? ", " : `${textOf("via")} `,
      entered(stop.name),
      stopText(stop),
    ]);
    const party = [textOf("passengers", { count: passengers }), luggage ? textOf("pieces", { count: luggage }) : ""];
    // A hire leads nowhere in particular.
    if (route.distance_km > 0) {
      party.push(textOf("way", { km: Math.round(route.distance_km), time: durationText(route.duration_min) }));
    }
    const back = quote.return_datetime && `${textOf("return")}: ${dayAndTimeText(new Date(quote.return_datetime))}`;
    party.push(hireText(quote));
    const lines = [[dayAndTimeText(new Date(quote.pickup_datetime)), arrivalText(quote)], [back || ""], via];
    lines.push(...connectionTexts(quote).map((text) => [text]));
    lines.push([party.filter((part) => part !== "").join(" · ")]);
    const shown = lines.filter(([first = ""]) => first !== "");
    write("trip", ...shown.map((line) => element("span", "line", ...line)));
  }

  /** Uses the device's clock, since the card gets no server time. The server decides whether a quote has expired. */
  function countDown(until) {
    const left = Math.max(0, until - Date.now());
    if (left === 0) return showExpired();
    const seconds = Math.ceil(left / 1000);
    byId("left").textContent = `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
    byId("left").classList.toggle("soon", seconds <= 300);
    if (seconds <= 60) say(textOf("last_minute"));
    else if (seconds <= 300) say(textOf("last_minutes"));
    timer = setTimeout(countDown, (left % 1000) + 1, until);
  }

  /** Shows `detail` only to English readers: it is written for the assistant. */
  function showFailure({ detail = "", field_errors: errors = [] }) {
    showProblem("failed", language === "en" && detail !== "" ? detail : undefined);
    const candidates = capabilities.message ? errors.flatMap(({ candidates = [] }) => candidates) : [];
    write("candidates", ...candidates.map(candidateButton));
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

  function showProblem(kind, text = textOf(`${kind}_text`)) {
    stop();
    for (const id of ["validity", "terms", "candidates"]) byId(id).hidden = true;
    say("");
    byId("problem-title").textContent = textOf(`${kind}_title`);
    byId("problem-text").replaceChildren(text);
    showView("problem");
  }

  function stop() {
    clearTimeout(timer);
  }
}

function logo() {
  return operator.logo ? [Object.assign(element("img", "logo"), { src: operator.logo, alt: "" })] : [];
}

function showRoute({ origin, destination }) {
  // A hire may end where it starts.
  const ends = destination === origin ? [origin] : [origin, destination];
  const arrow = element("span", "arrow", "→");
  arrow.setAttribute("role", "img");
  arrow.setAttribute("aria-label", textOf("to"));
  const [from, to] = ends.map((name) => element("bdi", "", name));
  byId("route").replaceChildren(from, ...(to ? [" ", arrow, " ", to] : []));
}

/** Some hosts omit the structured content: the last text is the same as JSON, or for an error its problem document. */
function contentOf({ structuredContent, content = [] }) {
  return structuredContent ?? JSON.parse(content.at(-1).text);
}

/** Options that can be paid online first, by ascending price. */
function sorted(options) {
  const isManual = (option) => Number(option.on_request || option.requires_manual_confirmation);
  return [...options].sort((a, b) => isManual(a) - isManual(b) || a.total_price - b.total_price);
}
