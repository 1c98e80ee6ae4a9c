import { z } from "zod/v3";
import { BudgetsFile } from "./catalog-schema.ts";
import {
  cantonCode,
  dayOf,
  endsBefore,
  horizonDays,
  hourFrom,
  hourTo,
  id,
  kilometers,
  knownCountry,
  placeId,
  placeOrZoneId,
  position,
  positiveInteger,
  postcode,
  refersTo,
  servedCountry,
  strictObject,
  text,
} from "./fields.ts";

/** Files with which an operator refines the tariff and says what is sold: fixed fares, seasons, stop-sales, service rules. */

export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

const vehicleClass = refersTo("vehicle class", "id in vehicle-classes.json");
const classes = z.array(vehicleClass).min(1).optional().describe("absent: every class");

const localDay = dayOf("(\\d{4}-)?", "", "Not YYYY-MM-DD or MM-DD");
const yearsDay = dayOf("\\d{4}-", "", "must have a year, YYYY-MM-DD");
const days = strictObject({ from: localDay, to: localDay })
  .refine(({ from, to }) => from.length === to.length, "Only one of the two days has a year")
  .refine(
    ({ from, to }) => from.length === 5 || from <= to,
    ({ from }) => endsBefore(from),
  )
  .describe("first and last local day: YYYY-MM-DD, or MM-DD every year, also over New Year");

/** When a rule applies, in the tariff's time zone: at the pickup, or at the beginning of each hour of a hire. */
const when = {
  dates: z.array(days).min(1).optional().describe("absent: every day"),
  weekdays: z.array(z.enum(WEEKDAYS)).min(1).optional().describe("absent: every weekday"),
  hours: strictObject({
    from: hourFrom.describe("first local hour"),
    to: hourTo.describe("first local hour after it; smaller than `from` over midnight"),
  })
    .refine(({ from, to }) => from !== to, "`from` and `to` are the same hour")
    .optional()
    .describe("absent: every hour"),
};

const bothWays = z.boolean().optional().describe("absent: false");
const route = strictObject({ from: placeOrZoneId.optional(), to: placeOrZoneId.optional(), bothWays }).describe(
  "absent `from` or `to`: anywhere",
);
const routes = z.array(route).min(1).optional().describe("absent: every journey");

const zone = strictObject({
  id: id.describe("unique among all zones and places"),
  places: z.array(placeId).min(1).optional(),
  countries: z.array(servedCountry).min(1).optional(),
  cantons: z.array(cantonCode).min(1).optional(),
  country: knownCountry.optional().describe("country of the postcodes; given together with them"),
  postcodes: z.array(postcode).min(1).optional().describe("a place of the country with one of them is in the zone"),
  circle: strictObject({ ...position, radiusKm: kilometers(200).describe("in km") })
    .optional()
    .describe("contains places and positions by straight-line distance"),
})
  .refine(
    ({ places, countries, cantons, postcodes, circle }) => places ?? countries ?? cantons ?? postcodes ?? circle,
    "It has no places, countries, cantons, postcodes or circle",
  )
  .refine(
    ({ country, postcodes }) => (country === undefined) === (postcodes === undefined),
    'Postcodes need the country that they are of, such as "country": "CH", and a country its postcodes',
  );
export const ZonesFile = strictObject({ zones: z.array(zone) });

/** Parts of a price that a fixed fare may include. */
const INCLUDES = ["fees", "place_fees", "night", "holidays", "seasons"] as const;

const fare = strictObject({
  id: id.describe("shown by check"),
  label: text.describe("its line in the price, e.g. Fixed fare Zurich Airport – Davos"),
  routes: z.array(strictObject({ from: placeOrZoneId, to: placeOrZoneId, bothWays })).min(1),
  rappen: z
    .record(vehicleClass, positiveInteger.describe("VAT included"))
    .refine((rappen) => Object.keys(rappen).length > 0, "It is for no vehicle class: add one")
    .describe("by id of the vehicle class; other classes are priced by km"),
  validFrom: yearsDay.optional().describe("first local day; absent: no limit"),
  validTo: yearsDay.optional().describe("last local day; absent: no limit"),
  ...when,
  includes: z
    .array(z.enum(INCLUDES))
    .describe("not charged on top: tolls and car trains, the fees of place-fees.json, or a surcharge"),
  freeWaitingMinutes: z.number().int().min(0).optional().describe("at the pickup; absent: as in tariff.json"),
}).refine(
  ({ validFrom = "", validTo = "9999" }) => validFrom <= validTo,
  ({ validFrom = "" }) => endsBefore(validFrom, "validTo"),
);
export const FaresFile = strictObject({ fares: z.array(fare) });

const season = strictObject({
  id: id.describe("shown by check"),
  label: text.describe("its line in the price, e.g. New Year surcharge"),
  percent: z.number().min(-30).max(300).describe("of the fare; negative: a discount"),
  replacesHolidays: z.boolean().optional().describe("replaces the holiday surcharge; absent: false"),
  classes,
  routes,
  ...when,
}).refine(
  ({ replacesHolidays, classes }) => !(replacesHolidays && classes),
  "`classes` is not allowed with replacesHolidays, which applies to every class",
);
export const SeasonsFile = strictObject({ seasons: z.array(season) });

const placeFee = strictObject({
  id: id.describe("shown by check"),
  label: text.describe("its line in the price, e.g. Parking at Zurich Airport"),
  places: z.array(placeOrZoneId).min(1),
  at: z.enum(["pickup", "drop_off"]).optional().describe("a stop is both, but charged once; absent: both"),
  rappen: positiveInteger.describe("for each vehicle, VAT included"),
  classes,
});
export const PlaceFeesFile = strictObject({ placeFees: z.array(placeFee) });

const client = strictObject({
  id: z.string().min(1).max(255).describe("client id in its tokens, which alone selects the client"),
  label: text
    .optional()
    .describe("its line in the price, e.g. Agency price; absent: the percentage changes rates and fares, unnamed"),
  percent: z.number().min(-50).max(100).optional().describe("of the fare; negative: a discount; absent: none"),
  budgets: BudgetsFile.omit({ auth_failure: true })
    .partial()
    .optional()
    .describe("for each of its callers, by tier; absent tiers: as in budgets.json"),
  commissionPercent: z.number().min(0).max(100).optional().describe("of checkout handoffs; shown in reports only"),
});
export const ClientsFile = strictObject({ clients: z.array(client) });

const stopSale = strictObject({
  id: id.describe("shown by check"),
  reason: text.describe("for travelers, e.g. On New Year's Eve limousines are assigned by phone."),
  offer: z.enum(["on_request", "none"]).describe("priced with manual confirmation, or not at all"),
  classes,
  routes,
  ...when,
});

const bookingWindow = strictObject({
  id: id.describe("shown by check"),
  leadTimeHours: z.number().min(0).optional().describe("earliest pickup, hours from now; absent: as in tariff.json"),
  horizonDays: horizonDays.optional().describe("latest pickup, days from now; absent: as in tariff.json"),
  classes,
  routes,
}).refine(
  ({ leadTimeHours, horizonDays }) => leadTimeHours !== undefined || horizonDays !== undefined,
  "It limits nothing: state leadTimeHours or horizonDays",
);
export const AvailabilityFile = strictObject({
  stopSales: z.array(stopSale).describe("classes that are not sold"),
  bookingWindows: z.array(bookingWindow).describe("if several apply, the strictest counts"),
});

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

export type Zone = z.output<typeof zone>;
export type Fare = z.output<typeof fare>;
export type Season = z.output<typeof season>;
export type PlaceFee = z.output<typeof placeFee>;
export type Client = z.output<typeof client>;
export type StopSale = z.output<typeof stopSale>;
export type BookingWindow = z.output<typeof bookingWindow>;
export type RuleRoute = z.output<typeof route>;
export type When = Pick<Season, "dates" | "weekdays" | "hours">;
export type ServiceRule = z.output<typeof rule>;
export type Area = z.output<typeof area>;
