/** What is bought, as rows of texts for the pages: only what the resolved link says. */

/** The directions with their legs: heading and, for each leg, when, where, what happens and how it goes on. */
export function journeyOf(offer, texts) {
  const { word, date } = texts;
  const directions = { outbound: offer.pickup_datetime, return: offer.return_datetime };
  return Object.entries(directions).flatMap(([direction, start]) => {
    const legs = (offer.legs ?? []).filter((leg) => leg.direction === direction);
    if (!start || legs.length === 0) return [];
    const day = word("swiss_day", { date: date(start) });
    const heading = direction === "return" ? word("labeled", { term: word("return"), text: day }) : day;
    return [
      { heading: capitalized(heading), rows: legs.map((leg, index) => rowOf(leg, legs[index + 1], start, texts)) },
    ];
  });
}

function rowOf(leg, next, start, { word, known, name, date, clock, shortTime, minutes }) {
  const { at, departs_at, means, every_minutes: every } = leg;
  const moment = (instant) => (date(instant) === date(start) ? clock(instant) : shortTime(instant));
  const stay = at && departs_at ? (Date.parse(departs_at) - Date.parse(at)) / 60_000 : 0;
  const values = { time: minutes(stay), place: name(next?.place ?? "") };
  const action = leg.landing ? "landing" : leg.action;
  const way = [
    known(`means_${means}`) ?? word("means_other"),
    leg.minutes ? minutes(leg.minutes) : "",
    every ? word("every", { time: minutes(every) }) : "",
    means === "car" ? "" : word(leg.included ? "way_included" : "way_excluded"),
  ];
  return {
    time: at ? moment(at) : "",
    place: capitalized(name(leg.place)),
    what: known(stay > 0 ? `leg_${action}_for` : `leg_${action}`, values) ?? "",
    way: means ? way.filter(Boolean).join(", ") : "",
  };
}

/** Names such as "aéroport de Genève" start a row, and days such as "mardi" a heading. */
function capitalized(text) {
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}

/** Pairs of term and text about car, party and conditions. */
export function factsOf(offer, { word, known, name, shortMoment, minutes }) {
  const { luggage: count, large_luggage: large, passengers, special_items = [] } = offer;
  const { adults, children, infants } = offer;
  // Omitted adults are stored as the number of all.
  const isStated = adults + children + infants === passengers;
  const ages = Object.entries({ ...(isStated && { adults }), children, infants });
  const byAge = ages.filter(([, count]) => count).map(([key, count]) => word(key, { count }));
  const pieces = typeof large === "number" ? word("pieces_large", { count, large }) : word("room", { count });
  const items = special_items.map(({ kind, count }) => `${count} ${known(`item_${kind}`, { count }) ?? kind}`);
  const free = (until) =>
    until === null ? word("no_longer_free") : until && word("cancel_until", { time: shortMoment(until) });
  const rows = {
    vehicle: name(offer.vehicle_type),
    travelers: offer.children || offer.infants ? byAge.join(", ") : word("passengers", { count: passengers }),
    luggage: count ? pieces : "",
    special_items: items.join(", "),
    flight: offer.flight_number,
    waiting: offer.waiting_minutes && minutes(offer.waiting_minutes),
    hire: offer.duration_hours && `${offer.duration_hours} h`,
    cancellation: free(offer.free_cancellation_until),
    return_cancellation: free(offer.return_free_cancellation_until),
  };
  return Object.entries(rows).flatMap(([key, text]) => (text ? [[word(key), text]] : []));
}

/** Pairs of label and amount; the last one is the total. */
export function pricesOf({ price_lines = [], total_price, currency }, { word, known, name, money, minutes }) {
  const lines = price_lines.map(({ label, code, count = 0, direction, name: own = label, amount }) => {
    const line = known(`line_${code}`, { count, time: minutes(count) }) ?? name(own);
    return [direction ? word(`line_${direction}`, { line }) : line, money(amount, currency)];
  });
  return [...lines, [word("total_price"), money(total_price, currency)]];
}

/** One line for the payment page, such as "Zurich Airport – Zermatt, Sat 19 Dec 2026, 15:40". */
export function lineItemOf({ origin, destination, pickup_datetime }, { name, shortTime }) {
  return `${[...new Set([origin, destination])].map(name).join(" – ")}, ${shortTime(pickup_datetime)}`;
}
