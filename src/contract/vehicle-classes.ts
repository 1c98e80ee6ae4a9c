import { z } from "zod/v3";

const nullableCount = () => z.number().int().nullable().optional();

/** A published vehicle class: no rates and no availability. */
export const VehicleClass = z
  .object({
    vehicle_class: z.string(),
    passenger_capacity: z.number().int(),
    vehicle_type: z.string().nullable().optional(),
    luggage_capacity: nullableCount(),
    large_luggage_capacity: nullableCount(),
    small_luggage_capacity: nullableCount(),
    instant_bookable: z.boolean().default(false).describe("false = on request, cannot be continued to checkout"),
  })
  .passthrough();

export const LuggageDefinition = z
  .object({
    label: z.string(),
    description: z.string(),
    max_dimensions_cm: z.array(z.number().int()),
    typical_weight_kg: z.array(z.number().int()),
    counts_as: z.number().int().describe("luggage units per piece"),
  })
  .passthrough();

export const VehicleClassList = z
  .object({
    vehicle_classes: z.array(VehicleClass),
    luggage_definitions: z.record(LuggageDefinition).describe("by kind of luggage"),
    special_item_kinds: z.array(z.string()).describe("declared separately, not counted as luggage units"),
  })
  .passthrough();
