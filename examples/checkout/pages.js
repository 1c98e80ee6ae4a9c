/** Every page; all values are escaped. */
import { noticeText } from "./notices.js";
import { factsOf, journeyOf, pricesOf } from "./summary.js";

/** Twenty looks of three seconds: a payment that is not confirmed after a minute needs a person. */
const MOST_LOOKS = 20;

/** What a traveler says on the phone: the same on the traveler's page. */
export function referenceOf(quoteId) {
  return quoteId.slice(2).replace(/[-_]/g, "").slice(0, 6).toUpperCase();
}

/** With the form for `fields`; without fields the details have been sent. */
export function offerPage(offer, link, fields, texts, problem = "") {
  const { word, money, language } = texts;
  const hidden = Object.entries(link).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${html(value)}">`,
  );
  const inputs = fields.map(
    ({ name, label, pattern, type = "text", autocomplete = "off", inputmode = type }) =>
      `<label>${html(label)}<input name="${name}" required type="${type}" inputmode="${inputmode}" maxlength="100" pattern="${pattern}" autocomplete="${autocomplete}"></label>`,
  );
  const price = money(offer.total_price, offer.currency);
  const body = `<div class="columns"><form method="post" action="/pay?lang=${language}">${hidden.join("")}
<section class="card"><h2>${word("your_details")}</h2>
${problem && `<p class="problem" role="alert">${word(problem)}</p>`}
${fields.length > 0 ? inputs.join("\n") : `<p class="note">${word("sent")}</p>`}</section>
<button>${html(word("pay", { price }))}</button>
<p class="note">${word("stripe")}</p></form>
<div class="summary">${summary(offer, texts)}${conditions(offer, texts)}</div></div>`;
  return page(
    word("book_title"),
    body,
    texts,
    offer.operator,
    word("short_reference", { id: referenceOf(link.quote_id) }),
  );
}

export function problemPage(kind, texts, seller) {
  const { word } = texts;
  return page(word(`${kind}_title`), `<p class="card" role="alert">${word(`${kind}_text`)}</p>`, texts, seller);
}

/** Of a payment that is not confirmed yet: looks again for a minute. */
export function pendingPage(sessionId, looks, texts, seller) {
  const { word, language } = texts;
  const isLong = looks >= MOST_LOOKS;
  const next = `/paid?${new URLSearchParams({ session_id: sessionId, lang: language, looks: looks + 1 })}`;
  const refresh = isLong ? "" : `<meta http-equiv="refresh" content="3;url=${html(next)}">`;
  const text = word(isLong ? "pending_long" : "pending");
  return page(word("pending_title"), `<p class="card" role="status">${text}</p>`, texts, seller, "", refresh);
}

/** Of a booking. Without its order where this server has been restarted since: the operator's system has the quote's id. */
export function paidPage(booking, order, texts, seller) {
  const { word, money } = texts;
  const { reference, amount_rappen, currency, session_id } = booking;
  const paid = [[word("paid"), money(amount_rappen / 100, currency.toUpperCase())]];
  const who = order ? [[word("traveler"), order.traveler.traveler_name]] : [];
  const calendar = `/calendar?${new URLSearchParams({ session_id })}`;
  const link = `<p><a href="${html(calendar)}" download="transfer.ics">${word("calendar")}</a></p>`;
  const body = `<section class="card"><p>${word("your_reference")}</p><p class="amount">${html(reference)}</p>
${list([...paid, ...who])}${order ? link : ""}</section>${order ? summary(boughtIn(order), texts) : ""}`;
  return page(word("paid_title"), body, texts, order?.offer.operator ?? seller);
}

/** The flight is the agent's or the traveler's. */
function boughtIn({ offer, traveler }) {
  return { ...offer, flight_number: offer.flight_number ?? traveler.flight_number };
}

function summary(offer, texts) {
  const { word } = texts;
  const { origin, destination, waypoints, return_datetime, vat_included } = offer;
  const places = [origin, ...waypoints.map(({ name }) => name), destination].map(texts.name);
  const legs = journeyOf(offer, texts).map(({ heading, rows }) => {
    const items = rows.map(({ time, place, what, way }) => {
      const notes = [what, way].filter(Boolean).map((each) => `<br><span class="note">${html(each)}</span>`);
      return `<li><strong>${html([time, place].filter(Boolean).join(" "))}</strong>${notes.join("")}</li>`;
    });
    return `<h3>${html(heading)}</h3><ol>${items.join("")}</ol>`;
  });
  const vat = vat_included ? `<p class="note">${word(return_datetime ? "price_both_ways" : "price_note")}</p>` : "";
  return `<section class="card"><h2>${word("journey_title")}</h2><p>${html(places.join(" – "))}</p>${legs.join("")}
${list(factsOf(offer, texts))}</section>
<section class="card prices"><h2>${word("included_title")}</h2>${list(pricesOf(offer, texts))}${vat}</section>`;
}

function conditions({ notices, cancellation_policy, expires_at }, texts) {
  const { word, name, time } = texts;
  // The legs show the same as some notices; of those the meeting point is not in them.
  const notes = notices.filter(({ in_legs }) => !in_legs);
  const points = notices.filter(({ code }) => code === "MEETING_POINT");
  const held = word("held", { time: time(expires_at) });
  const items = notes.map((each) => {
    const text = noticeText(each, texts);
    return text ? `<li>${html(text)}</li>` : `<li lang="en">${html(each.text)}</li>`;
  });
  const met = points.map(({ values: { text, ...by } }) => {
    const where = text === undefined ? word("told_later", by) : name(text);
    return `<li>${html(`${word("meeting_point")}: ${where}`)}</li>`;
  });
  return `<section class="card"><h2>${word("details_title")}</h2><p>${html(held)}</p>
<p>${html(name(cancellation_policy ?? ""))}</p>
<ul>${[...met, ...items].join("")}</ul></section>`;
}

function list(rows) {
  return `<dl>${rows.map(([term, text]) => `<div><dt>${html(term)}</dt><dd>${html(text)}</dd></div>`).join("")}</dl>`;
}

/** `seller` is the operator of a resolved link; undefined before this server has resolved one. */
function page(title, body, { word, language }, seller, note = "", head = "") {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${html([title, seller?.name].filter(Boolean).join(" – "))}</title>
<link rel="icon" href="/logo">
<link rel="stylesheet" href="/style.css">
<link rel="stylesheet" href="/brand.css">${head}
<header><p class="brand"><img src="/logo" alt=""> ${html(seller?.name ?? "")}</p><p class="note">${html(note)}</p></header>
<main><h1>${html(title)}</h1>
${body}
</main>
<footer class="note">${seller ? contact(seller, word) : ""}</footer>
</html>
`;
}

function contact({ name, phone, email, terms_url }, word) {
  const terms = terms_url ? ` · <a href="${html(terms_url)}">${word("terms")}</a>` : "";
  return `${word("questions")} ${html(name)}, <a href="tel:${html(phone.replaceAll(" ", ""))}">${html(phone)}</a>,
<a href="mailto:${html(email)}">${html(email)}</a>${terms}`;
}

function html(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
