/** What the operator has to know besides the offer, and the agent cannot say. Values of the form, by name. */
export function fieldsOf({ notices, legs = [], special_items = [] }, { word, name }) {
  const isAsked = (leg) =>
    notices.some(({ code, values }) => code === "AIRPORT_PICKUP" && values.unknown && values.leg === leg);
  const flight = { pattern: "[A-Za-z0-9]{2} ?[0-9]{1,4}[A-Za-z]?" };
  const number = { pattern: "[0-9]{1,3}", inputmode: "numeric" };
  const seats = special_items.find(({ kind }) => kind === "child_seat")?.count ?? 0;
  const towns = [...new Set(legs.filter(({ exact }) => !exact).map(({ place }) => place))];
  return [
    { name: "traveler_name", label: word("name"), pattern: ".*\\S.*", autocomplete: "name" },
    { name: "phone", label: word("phone"), type: "tel", pattern: "\\+?[0-9][0-9 ]{5,24}", autocomplete: "tel" },
    { name: "email", label: word("email"), type: "email", pattern: "[^@\\s]+@[^@\\s]+", autocomplete: "email" },
    ...towns.map((place, n) => ({
      ...{ name: `address_${n + 1}`, label: word("address", { place: name(place) }), pattern: ".*\\S.*" },
    })),
    ...(isAsked(undefined) ? [{ name: "flight_number", label: word("flight_number"), ...flight }] : []),
    ...(isAsked("return") ? [{ name: "return_flight_number", label: word("return_flight_number"), ...flight }] : []),
    ...Array.from({ length: seats }, (_, index) => index + 1).flatMap((n) => [
      { name: `child_age_${n}`, label: word("child_age", { n }), ...number },
      { name: `child_height_${n}`, label: word("child_height", { n }), ...number },
    ]),
  ];
}

/** The values of those fields; undefined where one is missing or not valid, which a browser does not send. */
export function detailsIn(form, fields) {
  const details = {};
  for (const { name, pattern } of fields) {
    const value = form.get(name)?.trim() ?? "";
    if (value.length > 100 || !new RegExp(`^(?:${pattern})$`).test(value)) return undefined;
    details[name] = value;
  }
  return details;
}
