import { z } from "zod/v3";
import { VehicleClassList } from "../src/contract/vehicle-classes.ts";
import { defineOperation } from "../src/engine/operation.ts";

export const listVehicleClasses = defineOperation({
  name: "list_vehicle_classes",
  title: "List vehicle classes and luggage rules",
  description:
    "Lists the vehicle classes with their seats and luggage, how pieces of luggage are counted, and the kinds of special items. " +
    "No prices, and no promise that a vehicle is free. Use it to count a traveler's luggage before create_transfer_quote, " +
    "which chooses the fitting classes by itself. Example: {}",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  access: { kind: "open" },
  rateTier: "discovery",

  input: z.object({}).strict(),
  output: VehicleClassList,

  async handle(_input, { published: { vehicleClasses, luggage } }) {
    return {
      vehicle_classes: vehicleClasses.map((vehicle) => ({
        vehicle_class: vehicle.id,
        vehicle_type: vehicle.type,
        passenger_capacity: vehicle.passengerCapacity,
        luggage_capacity: vehicle.luggageCapacity,
        large_luggage_capacity: vehicle.largeLuggageCapacity,
        small_luggage_capacity: vehicle.smallLuggageCapacity,
        instant_bookable: !vehicle.onRequest,
      })),
      luggage_definitions: Object.fromEntries(
        Object.entries(luggage.definitions).map(([kind, definition]) => [
          kind,
          {
            label: definition.label,
            description: definition.description,
            max_dimensions_cm: definition.maxDimensionsCm,
            typical_weight_kg: definition.typicalWeightKg,
            counts_as: definition.countsAs,
          },
        ]),
      ),
      special_item_kinds: luggage.specialItemKinds,
    };
  },
});
