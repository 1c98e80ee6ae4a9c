import { z } from "zod/v3";
import { TIERS, type Tier } from "../../contract/tiers.ts";
import {
  id,
  kilometers,
  knownCountry,
  latitude,
  longitude,
  name,
  placeId,
  positiveInteger,
  snakeCase,
  strictObject,
  text,
} from "./fields.ts";

export const CatalogFile = strictObject({
  base: z
    .enum(["packaged", "none"])
    .describe("packaged: the files of this folder are merged with those of the package; none: they stand alone"),
}).describe("optional; absent: packaged");

const capacity = z.number().int().min(0).max(1000);

const corridor = strictObject({
  key: id.max(128).describe("public route_key, <origin>-to-<destination>"),
  origin: placeId,
  destination: placeId,
  transferType: z.enum(["airport", "resort", "city"]),
  distanceKm: kilometers(5000).describe("verified driving distance; replaces the measured one on the usual route"),
  durationMinutes: positiveInteger.describe("verified driving time without stops"),
});
export const CorridorsFile = strictObject({
  corridors: z.array(corridor).min(1).describe("one record for each direction"),
});

const vehicleClass = strictObject({
  id: snakeCase.describe("public vehicle_class; tariff.json has a rate for it"),
  type: text.describe("public vehicle_type, for people"),
  passengerCapacity: capacity.min(1).describe("seats, driver excluded"),
  luggageCapacity: capacity.describe("pieces of luggage in all"),
  largeLuggageCapacity: capacity.describe("large pieces"),
  smallLuggageCapacity: capacity.describe("small pieces"),
  specialItemPlaces: capacity.describe("room for special items besides the luggage, in `places` of luggage.json"),
  onRequest: z.boolean().describe("priced, but requires the operator's confirmation"),
  vehicles: positiveInteger
    .optional()
    .describe("how many the operator has; each event of the calendar takes one. Absent: only events for all take it"),
  smallestParty: capacity
    .min(1)
    .optional()
    .describe("parties that need fewer seats get it only if no smaller class fits; absent: no limit"),
}).refine(
  (vehicle) => vehicle.luggageCapacity <= vehicle.largeLuggageCapacity + vehicle.smallLuggageCapacity,
  "luggageCapacity is more than the large and small pieces together",
);
export const VehicleClassesFile = strictObject({
  vehicleClasses: z.array(vehicleClass).min(1).describe("smallest first; the position is the fleet_id, from 1"),
});

const luggageDefinition = strictObject({
  label: text,
  description: text,
  maxDimensionsCm: z.array(positiveInteger).length(3).describe("length, width, height in cm"),
  typicalWeightKg: z.array(positiveInteger).length(2).describe("from, to in kg"),
  countsAs: z.number().int().min(0).describe("pieces of luggage; 0 is not counted"),
});

const specialItem = strictObject({
  kind: snakeCase.max(64).describe("public kind; tariff.json may have a price for it"),
  one: name.describe("in price lines and sentences, e.g. child seat"),
  many: name.describe("the same for several"),
  places: capacity.describe("room that one item takes of the specialItemPlaces of a vehicle class"),
  alsoCalled: z.array(text).optional().describe("what callers may send instead of the kind"),
  isChildSeat: z.boolean().optional().describe("one for each child or infant; takes a seat"),
  text: text.describe("for travelers: how it travels, who brings it, what to state at checkout"),
});
const notOffered = strictObject({
  item: text.describe("singular, such as pet without a carrier"),
  alsoCalled: z.array(text).optional().describe("what callers may send for it as a kind"),
});
export const LuggageFile = strictObject({
  definitions: z.record(luggageDefinition).describe("by kind of luggage"),
  specialItems: z.array(specialItem).describe("stated in special_items, never counted as luggage"),
  notOffered: z.array(notOffered).default([]).describe("what travelers ask for and have to ask the operator about"),
});

const refund = strictObject({
  hours: z.number().min(0).describe("before the pickup, fewer than fullRefundCutoffHours"),
  percent: z.number().gt(0).lt(100).describe("of the price that is refunded until then"),
});
const areFalling = (all: readonly z.output<typeof refund>[]) =>
  all.every(({ hours, percent }, n) => all.slice(0, n).every((each) => hours < each.hours && percent < each.percent));
const policy = strictObject({
  key: id.describe("public policy_key"),
  version: text.describe("change it whenever the policy changes"),
  fullRefundCutoffHours: z
    .number()
    .min(0)
    .optional()
    .describe("hours before the pickup; absent: those of the policy cancellation, which states them"),
  partialRefunds: z
    .array(refund)
    .min(1)
    .refine(areFalling, "Each has fewer hours and a lower percentage than the one before")
    .optional()
    .describe("what a later cancellation refunds; nothing after the last. Absent: what the text says"),
  legsSeparately: z.boolean().default(true).describe("whether outbound and return can be canceled independently"),
  text: text.describe(
    "for travelers; {fullRefundCutoffHours}, {partialRefunds.0.hours} and numbers of tariff.json are filled in",
  ),
}).refine(
  (policy) => !isCancellation(policy) || policy.fullRefundCutoffHours !== undefined,
  "It needs fullRefundCutoffHours, which are those of every policy",
);
/** The policy that states until when travelers cancel free of charge. */
export const isCancellation = ({ key }: { readonly key: string }) => key === "cancellation";
export const PoliciesFile = strictObject({
  policies: z
    .array(policy)
    .refine((policies) => policies.some(isCancellation), { path: ["cancellation"] })
    .describe("one is cancellation, with the hours of free cancellation; the others take them from it"),
});

const budget = strictObject({
  points: positiveInteger.describe("calls for each caller"),
  seconds: positiveInteger.describe("length of the window, which begins with the first call"),
});
export const BudgetsFile = strictObject(
  Object.fromEntries(TIERS.map((tier) => [tier, budget])) as Record<Tier, typeof budget>,
);

export const RequirementsFile = strictObject({
  notes: text.describe("what agents must know to ask for a quote; numbers of tariff.json are filled in"),
  bookabilityStates: z.array(text),
});

export const ServiceAreaFile = strictObject({
  countries: z.array(knownCountry).min(1).describe("the countries served"),
  box: strictObject({ south: latitude, west: longitude, north: latitude, east: longitude })
    .refine(({ south, north, west, east }) => south < north && west < east, "The box is empty")
    .describe("a position outside is not served"),
});

export type Corridor = z.output<typeof corridor>;
export type VehicleClass = z.output<typeof vehicleClass>;
export type Luggage = z.output<typeof LuggageFile>;
export type PolicyRecord = z.output<typeof policy>;
export type Policy = PolicyRecord & { readonly fullRefundCutoffHours: number };
export type ServiceArea = z.output<typeof ServiceAreaFile>;
