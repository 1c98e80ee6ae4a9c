import { z } from "zod/v3";
import { discountCode, labelOf } from "../src/contract/charges.ts";
import { QuoteRequirements } from "../src/contract/discovery.ts";
import { jsonSchemaOf } from "../src/contract/json-schema.ts";
import { classNames } from "../src/contract/notice-formats.ts";
import { QuoteRequest } from "../src/contract/quote-request.ts";
import { isFor } from "../src/domain/quotes/eligibility.ts";
import { defineOperation, perCatalog, type Services } from "../src/service/calls/operation.ts";
import { wireNotOffered } from "./wire/operator.ts";
import { francs } from "./wire/wired.ts";

/** Derived from the schema that validates requests, so that the two cannot differ. */
function fieldsOfRequest() {
  const { properties = {}, required = [] } = jsonSchemaOf(QuoteRequest);
  return Object.entries(properties).map(([name, { type, format = type, description = "" }]) => ({
    name,
    required: required.includes(name),
    type: String(format),
    description,
  }));
}

export const getQuoteRequirements = defineOperation({
  name: "get_quote_requirements",
  title: "Get quote requirements",
  description:
    "Returns the required and optional fields of a quote request, lead times by vehicle class, " +
    'surcharges and discounts. For "what do you need to know?", "how early must I book?", "is a return cheaper?" and "when is it cheapest?": ' +
    "savings of a quote names at most two cheaper changes and never moves a flight; without it, other times may still be " +
    "cheaper. A quote does not need it first. Ask the traveler for everything that is missing in one question, then call " +
    "create_transfer_quote.",
  examples: () => [{}],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "discovery",
  rest: {
    operationId: "getQuoteRequirements",
    method: "get",
    path: "/quote-requirements",
    tag: "Discovery",
    isCacheable: true,
    description:
      "Returns the fields of a quote request as data for a form, with lead times by vehicle class, surcharges and notes on parties with children. It validates nothing.",
  },

  input: z.strictObject({}),
  output: QuoteRequirements,
  errors: [],

  async handle(_input, { catalog }) {
    return requirementsOf(catalog);
  },
});

const requirementsOf = perCatalog((catalog) => ({
  notes: [catalog.requirements.notes, ...shortestHires(catalog)].join(" "),
  fields: fieldsOfRequest(),
  bookability_states: catalog.requirements.bookabilityStates,
  booking_windows: bookingWindowsOf(catalog),
  surcharges: surchargesOf(catalog),
  not_offered: wireNotOffered(catalog),
}));

/** Published, so that agents know before a quote which classes a short hire does not have. */
function shortestHires({ tariff: { rates }, vehicleClasses }: Services["catalog"]): readonly string[] {
  const nameOf = classNames(vehicleClasses);
  const limits = vehicleClasses.flatMap(({ id }) => {
    const { minimumHours: hours } = rates[id] ?? {};
    return hours === undefined ? [] : [`${nameOf(id)} ${hours} h`];
  });
  return limits.length > 0 ? [`Shortest hires: ${limits.join(", ")}.`] : [];
}

/** Published, so that agents know before a quote how early a large party has to be booked. */
function bookingWindowsOf({ bookingWindows, vehicleClasses, zones }: Services["catalog"]) {
  return bookingWindows.map((window) => ({
    lead_time_hours: window.leadTimeHours,
    horizon_days: window.horizonDays,
    vehicle_classes: vehicleClasses.filter((vehicle) => isFor(window, vehicle)).map(({ id }) => id),
    routes: routeTexts(window.routes, zones),
  }));
}

/** Published, so that agents need no trial quotes to find the cheapest day. */
function surchargesOf({ tariff: { night, holidays, returnDiscount }, seasons, zones }: Services["catalog"]) {
  const hours = (from: number, to: number) =>
    `${String(from).padStart(2, "0")}:00 to ${String(to).padStart(2, "0")}:00`;
  return [
    {
      label: "Night surcharge",
      percent: night.percent,
      ...(night.rappen && { amount: francs(night.rappen) }),
      hours: hours(night.fromHour, night.toHour),
    },
    { label: "Holiday surcharge", percent: holidays.percent, days: holidays.days.map(({ name }) => name) },
    ...(returnDiscount.percent > 0
      ? [
          {
            label: labelOf({ code: discountCode(returnDiscount), values: { percent: returnDiscount.percent } }),
            percent: -returnDiscount.percent,
            percent_of: "both fares, without surcharges",
            return_within_days: returnDiscount.withinDays ?? null,
          },
        ]
      : []),
    ...seasons.map(({ label, percent, dates, weekdays, hours: span, classes, routes }) => ({
      label,
      percent,
      days: dates?.map(({ from, to }) => `${from} to ${to}`),
      weekdays,
      hours: span && hours(span.from, span.to),
      vehicle_classes: classes,
      routes: routeTexts(routes, zones),
    })),
  ];
}

/** More places, regions or postcodes of a zone say nothing to a traveler. */
const MOST_WITHIN = 5;

type Routes = Services["catalog"]["bookingWindows"][number]["routes"];

function routeTexts(routes: Routes, zones: Services["catalog"]["zones"]) {
  /** A small zone with what lies in it, since its id is the operator's own. */
  const endText = (end = "anywhere") => {
    const { places = [], countries = [], cantons = [], postcodes = [] } = zones.find(({ id }) => id === end) ?? {};
    const within = [...places, ...countries, ...cantons, ...postcodes];
    return within.length > 0 && within.length <= MOST_WITHIN ? `${end} (${within.join(", ")})` : end;
  };
  return routes?.map(({ from, to, bothWays }) => `${endText(from)} to ${endText(to)}${bothWays ? ", both ways" : ""}`);
}
