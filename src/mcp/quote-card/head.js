/** What the card's head says about a journey, in a few lines. */
import { stopText } from "../../checkout/page/details.js";
import { byId, element } from "../../checkout/page/elements.js";
import { clockText, shortDayText } from "../../checkout/page/formats.js";
import { textOf } from "../../checkout/page/language.js";
import { entered } from "../../checkout/page/notices.js";
import { connectionTexts, endNames, timesLine } from "../../checkout/page/timeline.js";
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

function shortMomentText(instant) {
  const at = new Date(instant);
  return `${shortDayText(at)} ${clockText(at)}`;
}
