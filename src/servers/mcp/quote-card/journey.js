/** What the card says about a journey: a few lines in its head, and its conditions, folded between messages. */
import { cancellationDetails, stopText } from "../../../service/checkout/page/details.js";
import { byId, element, termItem } from "../../../service/checkout/page/elements.js";
import { shortMomentText } from "../../../service/checkout/page/formats.js";
import { textOf } from "../../../service/checkout/page/language.js";
import { entered, noticeItem } from "../../../service/checkout/page/notices.js";
import { connectionTexts, endNames, timeline, timesLine } from "../../../service/checkout/page/timeline.js";
import { write } from "./views.js";

export function showRoute(quote) {
  const { origin, destination, return_datetime: back } = quote;
  const ends = endNames(quote);
  const arrow = element("span", "arrow", back ? "⇄" : "→");
  arrow.setAttribute("role", "img");
  arrow.setAttribute("aria-label", textOf("to"));
  // Before the answer only the assistant's words are known, and a hire may end where it starts.
  const names = ends.length > 0 ? ends : [...new Set([origin, destination])];
  const [from, to] = names.map((name) => element("bdi", "", name));
  byId("route").replaceChildren(from, ...(to ? [" ", arrow, " ", to] : []));
}

export function showTrip(quote, notices) {
  const lines = [[timesLine(quote)], partyLine(quote, notices)];
  lines.push(...connectionTexts(quote).map((text) => [text]));
  const until = quote.free_cancellation_until;
  if (until) lines.push([textOf("cancel_until", { time: shortMomentText(until) })]);
  write("trip", ...lines.map((line) => element("span", "line", ...line)));
}

function partyLine({ waypoints = [], passengers, luggage }, notices) {
  const hire = notices.find(({ code }) => code === "HIRE");
  const parts = [
    hire ? textOf("hire_of", hire.values) : "",
    textOf("passengers", { count: passengers }),
    luggage ? textOf("room", { count: luggage }) : "",
  ];
  const via = waypoints.flatMap((stop, at) => [
    at > 0 ? ", " : ` · ${textOf("via")} `,
    entered(stop.name),
    stopText(stop),
  ]);
  return [parts.filter(Boolean).join(" · "), ...via];
}

export function showConditions(quote, notices) {
  const names = [quote.origin, quote.destination, ...(quote.waypoints ?? []).map(({ name }) => name)];
  const itemOf = (each) => noticeItem(each, names);
  const isBanner = ({ code }) => code === "REHEARSAL";
  const others = notices.filter((each) => !isBanner(each) && !(quote.legs && each.in_legs));
  write("banner", ...notices.filter(isBanner).map(itemOf));
  const reasons = quote.requires_manual_confirmation ? reasonsOf(others) : [];
  write("reasons", ...reasons.map(itemOf));
  byId("conditions-title").textContent = textOf("conditions_of", { count: others.length });
  write("journey", ...timeline(quote));
  write("cancellation", ...cancellationDetails(quote).map(termItem));
  write("notes", ...others.map(itemOf));
}

/** Why the operator must confirm the journey, and whom to call. */
function reasonsOf(notices) {
  const at = notices.findIndex(({ code }) => code === "MANUAL_CONFIRMATION");
  return [...new Set([notices[0], notices[at]])].filter(Boolean);
}
