import { z } from "zod/v3";
import { defineOperation } from "../src/calls/operation.ts";
import { linesOf } from "../src/contract/charges.ts";
import { CheckoutHandoff, Leg, PageNotice } from "../src/contract/checkout.ts";
import { quoteExpired, quoteNotFound } from "../src/contract/errors.ts";
import { Quote, WaypointOut } from "../src/contract/quote.ts";
import { optionNotices } from "../src/quotes/price-notices.ts";
import { isExpired, type StoredQuote } from "../src/quotes/quote.ts";
import { saleFacts } from "../src/quotes/sale-event.ts";
import { translationsOf } from "../src/quotes/translations-of.ts";
import { CAR_STOPS, wireCarStops } from "./wire/car-stops.ts";
import { expiredOffer, isExpiredOfferShown } from "./wire/expired-offer.ts";
import { wireLegs } from "./wire/legs.ts";
import { wireParty } from "./wire/party.ts";
import { francs, pageNotice, wireHandoff, wireOption, wireStops } from "./wire/quote.ts";

/** The handoff, and everything else that a checkout page shows. */
export const ResolvedHandoff = CheckoutHandoff.extend({
  vehicle_class: z.string(),
  vehicle_type: z.string(),
  passenger_capacity: z.number().int(),
  origin: z.string(),
  destination: z.string(),
  pickup_datetime: z.string().datetime({ offset: true }),
  return_datetime: z.string().datetime({ offset: true }).nullable(),
  waypoints: z.array(WaypointOut),
  passengers: z.number().int(),
  limitations: z.array(z.string()),
  notices: z.array(PageNotice).describe("the limitations by code, for pages in other languages"),
  route_map: z.string().optional().describe("map of the route as SVG; absent if there is none"),
  ...Quote.pick({ adults: true, children: true, infants: true, luggage: true }).shape,
  ...Quote.pick({ large_luggage: true, special_items: true }).shape,
  waiting_minutes: z.number().int().optional().describe("waiting at the pickup"),
  duration_hours: z.number().nullable().optional().describe("hours of hire; null = a transfer"),
  distance_km: z.number().optional().describe("of the outbound journey or the hire"),
  duration_min: z.number().int().optional().describe("driving time, without stops"),
  return_distance_km: z.number().optional(),
  return_duration_min: z.number().int().optional(),
  cancellation_policy: z.string().optional().describe("text of the policy"),
  price_lines: z
    .array(
      z
        .object({
          label: z.string(),
          amount: z.number(),
          code: z.string().optional().describe("open enumeration; absent = label written by the operator"),
          count: z.number().optional().describe("kilometers, hours or minutes in the label"),
          direction: z.enum(["outbound", "return"]).optional().describe("absent = whole journey"),
          name: z.string().optional().describe("label without its direction"),
        })
        .passthrough(),
    )
    .optional()
    .describe("what total_price consists of, with its values for pages in other languages"),
  vat_percent: z.number().optional().describe("VAT included; absent if not shown separately"),
  vat_amount: z.number().optional().describe("VAT in total_price"),
  tariff_version: z.string().optional().describe("tariff that priced it"),
  legs: z.array(Leg).optional().describe("where to be, when, and by what the journey goes on; outbound first"),
  ...CAR_STOPS,
  translations: z
    .record(z.record(z.string()))
    .optional()
    .describe("by language (de, fr, it), then by the operator's English text as it appears in this response"),
  continue_url: z.string().optional().describe("where the traveler books and pays; absent if by phone or e-mail"),
}).passthrough();

function stopTexts({ carStopAtDestination, carStopAtOrigin }: StoredQuote): readonly string[] {
  return [carStopAtDestination, carStopAtOrigin].flatMap((stop) => (stop ? [stop.place, stop.onward] : []));
}

/** Called by the traveler's browser, which follows the signed link; an agent never calls it. */
export const resolveCheckoutHandoff = defineOperation({
  name: "resolve_checkout_handoff",
  title: "Resolve a checkout link",
  description:
    "Returns the terms of the option that a signed checkout link refers to. The signature is the credential.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  listedOverMcp: false,
  access: { kind: "signature" },
  rateTier: "quote_read",
  rest: [
    {
      operationId: "resolveCheckoutHandoff",
      method: "get",
      path: "/checkout-sessions/{quote_id}",
      tag: "Checkout",
      query: ["fleet_id", "sig"],
      description:
        "Returns what a checkout page shows for a signed link: journey, terms and total. The signature is the credential.",
    },
  ],

  input: z
    .object({
      quote_id: z.string().min(1).max(64).describe("quote_id of the link"),
      fleet_id: z.number().int().min(1).describe("fleet_id of the link"),
      sig: z
        .string()
        .regex(/^[\w-]{43}$/, "Not a signature of this service")
        .describe("sig of the link"),
    })
    .strict(),
  output: ResolvedHandoff,
  errors: ["QUOTE_NOT_FOUND", "QUOTE_EXPIRED"],

  async handle({ quote_id, fleet_id, sig }, context) {
    const { quotes, checkout, catalog, clock, localTime, drawRoute, note } = context;
    checkout.assertEnabled();
    const quote = await quotes.find(quote_id);
    const option = quote?.options.find(({ fleetId }) => fleetId === fleet_id);
    if (!quote || !option || !checkout.verifySignature(quote, fleet_id, sig)) throw quoteNotFound();
    const { passengers, luggage, adults, ...others } = wireParty(quote);
    const journey = {
      origin: quote.origin,
      destination: quote.destination,
      pickup_datetime: localTime(quote.pickupAt),
      return_datetime: quote.returnAt === null ? null : localTime(quote.returnAt),
      waypoints: wireStops(quote),
      passengers,
    };
    const handoff = wireHandoff(quote, option, checkout, context);
    if (isExpired(quote, clock.now())) {
      if (!isExpiredOfferShown(quote, clock.now())) throw quoteNotFound();
      const { operator } = handoff;
      throw quoteExpired(localTime(quote.expiresAt), { ...expiredOffer(quote, option, context), operator });
    }
    await note(saleFacts("handoff.opened", quote, option));
    // A hire has no route to show.
    const map = quote.path && quote.hireHours === null ? await drawRoute(quote.path) : undefined;
    const { vehicle_class, vehicle_type, passenger_capacity, vat_amount } = wireOption(option, quote);
    const lines = quote.publishesPriceLines ? linesOf(option.charges) : [];
    const { route, returnRoute } = quote;
    const continueUrl = checkout.continueUrlFor(quote, fleet_id);
    const cancellation = quote.terms.policies.find(({ key }) => key === "cancellation");
    const notices = optionNotices(quote.notices, option);
    const operatorTexts = [
      ...[vehicle_type, cancellation?.text ?? "", ...stopTexts(quote)],
      ...quote.legs.map(({ place }) => place),
      ...lines.map(({ label, name = label, item }) => (item ? [item] : name)),
      ...notices.flatMap(({ values }) => Object.values(values)),
      ...(map?.names ?? []),
    ];
    return {
      ...handoff,
      ...{ vehicle_class, vehicle_type, passenger_capacity },
      ...journey,
      notices: notices.map(pageNotice),
      ...(map && { route_map: map.svg }),
      ...{ adults, children: others.children, infants: others.infants, luggage },
      ...{ large_luggage: others.large_luggage, special_items: others.special_items },
      waiting_minutes: quote.waitingMinutes,
      duration_hours: quote.hireHours,
      distance_km: route.distanceKm,
      duration_min: route.durationMinutes,
      ...(returnRoute && {
        return_distance_km: returnRoute.distanceKm,
        return_duration_min: returnRoute.durationMinutes,
      }),
      ...(cancellation && { cancellation_policy: cancellation.text }),
      ...(quote.publishesPriceLines && {
        price_lines: lines.map(({ label, rappen, code, count, direction, name }) => ({
          ...{ label, amount: francs(rappen) },
          ...{ code, count, direction, name },
        })),
      }),
      vat_percent: quote.vatPercent ?? undefined,
      vat_amount,
      tariff_version: quote.tariffVersion,
      legs: wireLegs(quote, localTime),
      ...wireCarStops(quote),
      translations: translationsOf(catalog.translations, operatorTexts),
      ...(continueUrl !== undefined && { continue_url: continueUrl }),
    };
  },
});
