import { z } from "zod/v3";
import { cantonCode, id, placeOrZoneId, servedCountry, strictObject, text } from "./fields.ts";
import { route } from "./offer-schema.ts";

const area = strictObject({
  countries: z.array(servedCountry).min(1).optional().describe("absent: none"),
  cantons: z.array(cantonCode).min(1).optional().describe("absent: none"),
  places: z.array(placeOrZoneId).min(1).optional().describe("absent: none"),
}).refine(({ countries, cantons, places }) => countries ?? cantons ?? places, "It names no country, canton or place");

const rule = strictObject({
  id: id.describe("shown by check"),
  offer: z
    .enum(["at_once", "on_request", "none"])
    .describe("sold at once, priced with manual confirmation, or not sold"),
  reason: text.optional().describe("for travelers, one sentence; required unless offer is at_once"),
  routes: z.array(route).min(1).optional().describe("between these places and zones; absent: anywhere"),
  corridor: z.literal(true).optional().describe("a published corridor; absent: any journey"),
  endIn: area.optional().describe("at least one end in these countries, cantons, places or zones; absent: anywhere"),
  bothEndsIn: area.optional().describe("both ends in these countries, cantons, places or zones; absent: anywhere"),
}).refine(({ offer, reason }) => offer === "at_once" || reason, "It needs a reason that travelers can read");

export const ServiceRulesFile = strictObject({
  rules: z
    .array(rule)
    .min(1)
    .describe("the first rule whose conditions all hold decides; a rule without conditions is for every other journey"),
});

export type ServiceRule = z.output<typeof rule>;
export type Area = z.output<typeof area>;
