import { z } from "zod/v3";
import { directions, instant, Operator, openObject, Quote, travelTimes, WaypointOut } from "./quote.ts";

/** Body of POST /checkout-sessions. */
export const CheckoutRequest = z.strictObject({
  quote_id: z.string().min(1).max(64).describe("of an open quote"),
  fleet_id: z.number().int().min(1).describe("of the approved option"),
  traveler_approval: z.boolean().describe("true once the traveler has approved it"),
});

/** A signed link to the hosted checkout; no booking, payment or hold. */
export const CheckoutHandoff = openObject({
  checkout_url: z.string().describe("opaque; give it to the traveler unchanged"),
  quote_id: z.string(),
  fleet_id: z.number().int(),
  total_price: z.number(),
  currency: z.string(),
  vat_included: z.boolean().default(true),
  expires_at: instant().nullable().optional(),
  request_id: z.string().nullable().optional(),
  non_binding: z.boolean().default(true),
  reservation_status: z.string().default("not_reserved"),
  status: z.string().default("open"),
  ...Quote.pick({ origin: true, destination: true, passengers: true, luggage: true, special_items: true }).partial()
    .shape,
  vehicle_class: z.string().optional(),
  vehicle_type: z.string().optional(),
  pickup_datetime: instant().optional(),
  return_datetime: instant().nullable().optional(),
  flight_number: z.string().optional(),
  ...travelTimes,
  ...directions,
  limitations: z.array(z.string()).optional().describe("show these to the traveler"),
  operator: Operator.optional(),
  cancellation: z.string().optional().describe("until when it is free, what is due afterwards, and how to cancel"),
  payment_methods: z.string().optional(),
  next_action: z.string().optional().describe("what to tell the traveler"),
});
export type CheckoutHandoff = z.output<typeof CheckoutHandoff>;

/** What a page that sells has to say of the operator. */
export const Imprint = openObject({
  postal_address: z.string().optional(),
  register_number: z.string().optional().describe("in the commercial register"),
  license: z.string().optional(),
  phone_hours: z.string().optional(),
  payment_methods: z.string().optional(),
  privacy_url: z.string().optional(),
});
export type Imprint = z.output<typeof Imprint>;

/** One place where one has to be. A means that a page does not know is shown by its minutes alone. */
export const Leg = openObject({
  direction: z.enum(["outbound", "return"]),
  place: z.string().describe("where one has to be; at a car-free place the car stop has a leg of its own"),
  exact: z.boolean().describe("false = somewhere in that town: the address is still to be agreed"),
  action: z
    .string()
    .describe("leave, pickup, stop, visit, resume, pass, drop_off, arrive or hire_end; open enumeration"),
  at: instant().nullable().describe("when the car is there; null where the car is not"),
  departs_at: instant().nullable().describe("when the car goes on; null where it does not"),
  landing: z.boolean().describe("at is the landing of the flight after which the car is met"),
  free_until: instant()
    .nullable()
    .describe("until when the driver waits at no charge at this pickup; null elsewhere and on a hire"),
  means: z
    .string()
    .nullable()
    .describe("by what it goes on: car, train, shuttle, …; open enumeration; null at the end"),
  minutes: z.number().int().nullable().describe("how long that takes; null = unknown"),
  every_minutes: z.number().int().nullable().describe("interval of the connection; null = unknown"),
  included: z.boolean().describe("whether total_price includes it"),
});
export type Leg = z.output<typeof Leg>;

/** A message to the traveler who has chosen an option, for pages in other languages. */
export const PageNotice = openObject({
  code: z.string().describe("open enumeration"),
  values: z.record(z.union([z.string(), z.number()])),
  text: z.string(),
  included: z.literal(true).optional().describe("it says what the price includes"),
  in_legs: z.literal(true).optional().describe("legs show the same"),
  decisive: z.literal(true).optional().describe("a traveler has to have read it before paying"),
});

/** What is driven and paid with one option: everything that dispatch and accounting need. */
export const CheckoutJourney = openObject({
  vehicle_class: z.string(),
  vehicle_type: z.string(),
  passenger_capacity: z.number().int(),
  origin: z.string(),
  destination: z.string(),
  pickup_datetime: instant(),
  return_datetime: instant().nullable(),
  waypoints: z.array(WaypointOut),
  passengers: z.number().int(),
  ...Quote.pick({ luggage: true, adults: true, children: true, infants: true }).shape,
  ...Quote.pick({ large_luggage: true, special_items: true, flight_number: true }).shape,
  waiting_minutes: z.number().int().optional().describe("waiting at the pickup"),
  duration_hours: z.number().nullable().optional().describe("hours of hire; null = a transfer"),
  distance_km: z.number().optional().describe("of the outbound journey or the hire"),
  duration_min: z.number().int().optional().describe("driving time, without stops"),
  return_distance_km: z.number().optional(),
  return_duration_min: z.number().int().optional(),
  legs: z.array(Leg).optional().describe("where to be, when, and by what the journey goes on; outbound first"),
  notices: z.array(PageNotice).describe("the limitations by code, for pages in other languages"),
  price_lines: z
    .array(
      openObject({
        label: z.string(),
        amount: z.number(),
        code: z.string().optional().describe("open enumeration; absent = label written by the operator"),
        count: z.number().optional().describe("kilometers, hours or minutes in the label"),
        direction: z.enum(["outbound", "return"]).optional().describe("absent = whole journey"),
        name: z.string().optional().describe("label without its direction"),
      }),
    )
    .optional()
    .describe("what total_price consists of, with its values for pages in other languages"),
  vat_percent: z.number().optional().describe("VAT included; absent if not shown separately"),
  vat_amount: z.number().optional().describe("VAT in total_price"),
  tariff_version: z.string().optional().describe("tariff that priced it"),
});
export type CheckoutJourney = z.output<typeof CheckoutJourney>;
