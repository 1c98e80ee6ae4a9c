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

/** What a traveler may bring or order besides luggage. */
export const SpecialItemKind = z
  .object({
    kind: z.string(),
    label: z.string().describe("name of one"),
    description: z.string().describe("how it travels, who brings it"),
    price: z.number().optional().describe("each, one way; absent if not published"),
    currency: z.string().optional(),
  })
  .passthrough();

export const VehicleClassList = z
  .object({
    vehicle_classes: z.array(VehicleClass),
    luggage_definitions: z.record(LuggageDefinition).describe("by kind of luggage"),
    special_item_kinds: z.array(z.string()).describe("declared separately, not counted as luggage units"),
    special_items: z.array(SpecialItemKind).optional().describe("what each kind is and costs"),
  })
  .passthrough();
