/** What the operator has to know besides the offer, and the agent cannot say. Values of the form, by name. */
export function fieldsOf({ notices, children, infants }) {
  const isFlightMissing = notices.some(({ code }) => code === "FLIGHT_NUMBER");
  const child = (n) => ({ name: `child_age_${n + 1}`, label: `Age of child ${n + 1}`, pattern: "[0-9]|1[0-7]" });
  return [
    { name: "traveler_name", label: "Name of the traveler", pattern: ".*\\S.*", autocomplete: "name" },
    ...(isFlightMissing
      ? [{ name: "flight_number", label: "Flight number", pattern: "[A-Za-z0-9]{2} ?[0-9]{1,4}[A-Za-z]?" }]
      : []),
    ...Array.from({ length: children + infants }, (_, n) => child(n)),
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
