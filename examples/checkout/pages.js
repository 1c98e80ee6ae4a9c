/** Every page; all values are escaped. */
const PROBLEMS = {
  expired: ["This offer has expired", "Its price is no longer valid. Ask your assistant for a new quote."],
  wrong: ["This link is wrong or incomplete", "Open it exactly as you got it, or ask your assistant to send it again."],
  unavailable: ["We cannot take your payment at the moment", "Nothing was charged. Try again in a moment."],
};

/** What a traveler says on the phone: the same on the traveler's page. */
export function referenceOf(quoteId) {
  return quoteId.slice(2).replace(/[-_]/g, "").slice(0, 6).toUpperCase();
}

/** With the form for `fields`; without fields the details have been sent. */
export function offerPage(offer, link, fields, problem = "") {
  const rows = {
    From: offer.origin,
    Via: offer.waypoints.map(({ name }) => name).join(" – "),
    To: offer.destination,
    Pickup: timeText(offer.pickup_datetime),
    Return: offer.return_datetime ? timeText(offer.return_datetime) : "",
    Vehicle: offer.vehicle_type,
    Passengers: String(offer.passengers),
    Flight: offer.flight_number ?? "",
    "Free cancellation until": offer.free_cancellation_until ? timeText(offer.free_cancellation_until) : "",
    "The price holds until": timeText(offer.expires_at),
  };
  const price = moneyText(offer.total_price, offer.currency);
  const hidden = Object.entries(link).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${html(value)}">`,
  );
  const inputs = fields.map(
    ({ name, label, pattern, autocomplete = "off" }) =>
      `<label>${label}<input name="${name}" required maxlength="100" pattern="${pattern}" autocomplete="${autocomplete}"></label>`,
  );
  const { operator, quote_id } = offer;
  // The form asks for it.
  const notes = offer.notices.filter(({ code }) => code !== "FLIGHT_NUMBER");
  return page(
    "Book your transfer",
    `<section class="card"><p class="amount">${html(price)}</p>
<p class="note">for the whole journey, VAT, tolls and car trains included</p></section>
<section class="card"><h2>Journey</h2><dl>${Object.entries(rows)
      .filter(([, value]) => value)
      .map(([name, value]) => `<div><dt>${name}</dt><dd>${html(value)}</dd></div>`)
      .join("")}</dl></section>
<section class="card"><h2>Good to know</h2>
<ul>${notes.map(({ text }) => `<li>${html(text)}</li>`).join("")}</ul>
<p class="note">${html(offer.cancellation_policy ?? "")}</p></section>
<form method="post" action="/pay">${hidden.join("")}<section class="card"><h2>Your details</h2>
${problem && `<p class="problem" role="alert">${html(problem)}</p>`}
${fields.length > 0 ? inputs.join("\n") : '<p class="note">We have your details. Call us to change them.</p>'}</section>
<button>Pay ${html(price)}</button></form>
<p class="note">You pay on a page of Stripe. Questions: ${html(operator.name)}, ${html(operator.phone)},
<a href="mailto:${html(operator.email)}">${html(operator.email)}</a></p>`,
    `<strong>${html(operator.name)}</strong> <span class="note">Reference ${html(referenceOf(quote_id))}</span>`,
  );
}

export function problemPage(kind) {
  const [title, text] = PROBLEMS[kind];
  return page(title, `<p class="card">${text}</p>`);
}

/** Of a booking, or of a payment that is not confirmed yet: then it looks again. */
export function paidPage(booking) {
  if (!booking) {
    const text = "Your payment is being confirmed. This page looks again every few seconds.";
    return page(
      "Thank you",
      `<p class="card" role="status">${text}</p>`,
      "",
      '<meta http-equiv="refresh" content="3">',
    );
  }
  // Without the last two where this server has been restarted since: the operator's system has the quote's id.
  const { reference, amount_rappen, traveler, journey } = booking;
  const who = journey
    ? `${traveler.traveler_name}, ${journey.origin} – ${journey.destination}, ${timeText(journey.pickup_datetime)}`
    : "";
  return page(
    "Your transfer is booked",
    `<section class="card"><p>Your reference</p><p class="amount">${html(reference)}</p>
<p>${html(who)}</p>
<p>Paid: ${html(moneyText(amount_rappen / 100, "CHF"))}. We will send you the confirmation.</p></section>`,
  );
}

function moneyText(amount, currency) {
  return new Intl.NumberFormat("en-CH", { style: "currency", currency }).format(amount);
}

function page(title, body, header = "", head = "") {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${html(title)}</title>
<link rel="stylesheet" href="/style.css">${head}
${header && `<header>${header}</header>`}
<main><h1>${html(title)}</h1>
${body}
</main>
</html>
`;
}

function timeText(instant) {
  const format = { dateStyle: "full", timeStyle: "short", timeZone: "Europe/Zurich" };
  return `${new Intl.DateTimeFormat("en-GB", format).format(new Date(instant))} (Swiss time)`;
}

function html(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
