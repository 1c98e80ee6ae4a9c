/** Every page; all values are escaped. */
const PROBLEMS = {
  expired: ["This offer has expired", "Its price is no longer valid. Ask your assistant for a new quote."],
  wrong: ["This link is wrong or incomplete", "Open it exactly as you got it, or ask your assistant to send it again."],
  unavailable: ["We cannot take your payment at the moment", "Nothing was charged. Try again in a moment."],
};

export function offerPage(offer, link) {
  const rows = {
    From: offer.origin,
    Via: offer.waypoints.map(({ name }) => name).join(" – "),
    To: offer.destination,
    Pickup: timeText(offer.pickup_datetime),
    Return: offer.return_datetime ? timeText(offer.return_datetime) : "",
    Passengers: String(offer.passengers),
    Vehicle: offer.vehicle_type,
    Cancellation: offer.cancellation_policy ?? "",
    "Price holds until": timeText(offer.expires_at),
  };
  const price = new Intl.NumberFormat("en-CH", { style: "currency", currency: offer.currency }).format(
    offer.total_price,
  );
  const hidden = Object.entries(link).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${html(value)}">`,
  );
  return page(
    "Your transfer",
    `<dl>${Object.entries(rows)
      .filter(([, value]) => value)
      .map(([name, value]) => `<dt>${name}</dt><dd>${html(value)}</dd>`)
      .join("")}</dl>
<p><strong>${html(price)}</strong> for the whole journey, VAT included</p>
<ul>${offer.limitations.map((text) => `<li>${html(text)}</li>`).join("")}</ul>
<form method="post" action="/pay">${hidden.join("")}<button>Pay ${html(price)}</button></form>`,
  );
}

export function problemPage(kind) {
  const [title, text] = PROBLEMS[kind];
  return page(title, `<p>${text}</p>`);
}

export function paidPage(isBooked) {
  return isBooked
    ? page("Your transfer is booked", "<p>Thank you. We have your payment and will send you the confirmation.</p>")
    : page("Thank you", "<p>Your payment is being confirmed. We will write to you as soon as it has arrived.</p>");
}

function page(title, body) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(title)}</title>
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
