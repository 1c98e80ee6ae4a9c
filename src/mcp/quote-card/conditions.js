/** The journey and the conditions of an offer, folded where the card stands between messages. */
import { cancellationDetails } from "../../checkout/page/details.js";
import { byId, termItem } from "../../checkout/page/elements.js";
import { textOf } from "../../checkout/page/language.js";
import { isRehearsal, isShownByLegs, noticeItem } from "../../checkout/page/notices.js";
import { timeline } from "../../checkout/page/timeline.js";
import { write } from "./views.js";

export function showConditions(quote, notices) {
  const names = [quote.origin, quote.destination, ...(quote.waypoints ?? []).map(({ name }) => name)];
  const itemOf = (each) => noticeItem(each, names);
  const others = notices.filter((each) => !isRehearsal(each) && !(quote.legs && isShownByLegs(each)));
  write("banner", ...notices.filter(isRehearsal).map(itemOf));
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
