/** Instants and amounts as the traveler reads them. */

export function dayAndTimeText(instant) {
  const day = swissText(instant, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  return `${day}, ${timeText(instant)}`;
}

export function timeText(instant) {
  const time = swissText(instant, { hour: "2-digit", minute: "2-digit" });
  const zone = swissText(instant, { hour: "2-digit", timeZoneName: "short" }).replace(/^\d+\s*/, "");
  return `${time} Swiss time (${zone})`;
}

function swissText(instant, format) {
  return new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Zurich", ...format }).format(instant);
}

export function moneyText(amount, currency) {
  const decimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat("de-CH", { style: "currency", currency, ...decimals }).format(amount);
}
