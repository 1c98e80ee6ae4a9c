import { z } from "zod/v3";
import { VehicleClassList } from "../src/contract/discovery.ts";
import { defineOperation, perCatalog } from "../src/service/calls/operation.ts";
import { wireNotOffered } from "./wire/operator.ts";
import { francs, wired } from "./wire/wired.ts";

export const listVehicleClasses = defineOperation({
  name: "list_vehicle_classes",
  title: "List vehicle classes and luggage rules",
  description:
    "Lists the vehicle classes with seats and luggage capacity, how luggage is counted, and the kinds of special " +
    'items with their prices; neither fares nor availability. For "which cars do you have?", "do our suitcases fit?", ' +
    '"can we bring skis?" and "what does a child seat cost?", and for the kinds of special_items. To find the car for ' +
    "a party, call create_transfer_quote instead: it offers the classes with room. The operator must confirm classes " +
    "with instant_bookable false.",
  examples: () => [{}],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "discovery",
  rest: {
    operationId: "listVehicleClasses",
    method: "get",
    path: "/vehicle-classes",
    tag: "Discovery",
    isCacheable: true,
    description:
      "Returns the vehicle classes with seats and luggage capacity, how luggage is counted, and the kinds of special items with their prices.",
  },

  input: z.strictObject({}),
  output: VehicleClassList,
  errors: [],

  async handle(_input, { catalog }) {
    return vehicleClassesOf(catalog);
  },
});

const vehicleClassesOf = perCatalog((catalog) => {
  const { vehicleClasses, luggage, tariff } = catalog;
  return {
    vehicle_classes: vehicleClasses.map((vehicle) => ({
      vehicle_class: vehicle.id,
      ...wired(vehicle, "passengerCapacity"),
      vehicle_type: vehicle.type,
      ...wired(vehicle, "luggageCapacity", "largeLuggageCapacity", "smallLuggageCapacity", "specialItemPlaces"),
      instant_bookable: !vehicle.onRequest,
    })),
    luggage_definitions: Object.fromEntries(
      Object.entries(luggage.definitions).map(([kind, definition]) => [
        kind,
        wired(definition, "label", "description", "maxDimensionsCm", "typicalWeightKg", "countsAs"),
      ]),
    ),
    special_item_kinds: luggage.specialItems.map(({ kind }) => kind),
    special_items: luggage.specialItems.map(({ kind, one, text, places }) => ({
      kind,
      label: one,
      description: text,
      special_item_places: places,
      ...(tariff.publishPriceLines && {
        price: francs(tariff.specialItemRappen[kind] ?? 0),
        price_per: tariff.specialItemTerms[kind]?.per === "journey" ? "item" : "item and direction",
        currency: tariff.currency,
      }),
    })),
    not_offered: wireNotOffered(catalog),
  };
});
