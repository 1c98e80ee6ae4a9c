import { z } from "zod/v3";
import {
  horizonDays,
  hourFrom,
  hourTo,
  knownCountry,
  minutes,
  monthDay,
  placeOrZoneId,
  positiveInteger,
  rappen,
  refersTo,
  strictObject,
  text,
} from "./fields.ts";
import { didYouMean } from "./nearest-name.ts";

/** Of waiting: four hours at most. */
const freeMinutes = minutes.max(240);
const TIME_ZONES = Intl.supportedValuesOf("timeZone");
const percent = z.number().min(0).max(100);
const specialItem = refersTo("special item");

const rate = strictObject({
  baseRappen: rappen.describe("charged once a journey"),
  perKmRappen: rappen.describe("for each driven km"),
  minimumRappen: rappen.describe("least price of a transfer"),
  firstHourRappen: rappen.describe("first hour of a hire by the hour"),
  furtherHourRappen: rappen.describe("each further hour of a hire"),
  minimumHours: positiveInteger.max(24).optional().describe("not offered for a hire of fewer; absent: for any"),
  waitingStepRappen: rappen.describe("each started waiting step beyond the free minutes"),
});

const holiday = z.union([
  strictObject({ name: text, date: monthDay.describe("the same day each year, MM-DD") }),
  strictObject({
    name: text,
    daysFromEaster: z.number().int().min(-100).max(100).describe("0 is Easter Sunday, -2 Good Friday"),
  }),
]);

const specialItemTerms = strictObject({
  per: z.enum(["direction", "journey"]).optional().describe("charged once for each; absent: direction"),
  freeCount: positiveInteger.optional().describe("how many items are free in each; absent: none"),
  pickups: z
    .union([z.literal("airports"), z.array(placeOrZoneId).min(1)])
    .optional()
    .describe("offered only at pickups from airports, or from these places and zones; absent: anywhere"),
});

export const TariffFile = strictObject({
  version: text.describe("named on every price; change it whenever a number changes"),
  currency: z.literal("CHF"),
  timeZone: z
    .string()
    .refine(
      (name) => TIME_ZONES.includes(name),
      (name) => ({ message: `Not an IANA time zone such as Europe/Zurich${didYouMean(name, TIME_ZONES)}` }),
    )
    .describe("IANA name of the clock for night, holidays, closures and return discounts; pages call it Swiss time"),
  roundingRappen: positiveInteger.describe("each direction and the discount of a return are rounded to a multiple"),
  leadTimeHours: z.number().min(0).describe("earliest pickup, hours from now"),
  officeHours: strictObject({
    from: hourFrom.describe("first local hour"),
    to: hourTo.describe("first local hour after them"),
  })
    .refine(({ from, to }) => from < to, "`to` must be later than `from`")
    .optional()
    .describe("local hours in which lead times count, also those of booking windows; absent: around the clock"),
  horizonDays: horizonDays.describe("latest pickup, days from now"),
  takenClasses: z
    .enum(["left_out", "on_request"])
    .default("left_out")
    .describe("what becomes of a class whose vehicles are all taken by the calendar of TRANSFER_AVAILABILITY_URL"),
  turnaroundMinutes: minutes
    .max(1440)
    .default(30)
    .describe("a journey occupies its vehicle for so long before the pickup and after the arrival"),
  availabilityMaxAgeMinutes: positiveInteger
    .default(60)
    .describe("while the calendar was last read longer ago, every class is on request"),
  trainKilometers: z
    .enum(["charged", "free"])
    .default("charged")
    .describe("whether perKmRappen is charged for kilometers on car trains too"),
  publishPriceLines: z.boolean().default(true).describe("whether quotes and estimates show what a price consists of"),
  rates: z.record(rate).describe("VAT included; one entry for each id in vehicle-classes.json"),
  specialItemRappen: z
    .record(specialItem, rappen.describe("for each item and direction, VAT included"))
    .default({})
    .describe("by kind of luggage.json; absent: free"),
  specialItemTerms: z
    .record(specialItem, specialItemTerms)
    .default({})
    .describe("by kind of luggage.json; absent: each item is charged in each direction"),
  vat: strictObject({ percent: percent.describe("included in every price"), country: knownCountry })
    .optional()
    .describe("shown for journeys within the country; a journey across its border is not split. Absent: not shown"),
  floor: strictObject({
    perKmRappen: rappen.describe("least perKmRappen"),
    hourRappen: rappen.describe("least firstHourRappen and furtherHourRappen"),
  })
    .optional()
    .describe("lowest allowed rates; check reports lower ones. Absent: only 0 is too low"),
  waiting: strictObject({
    freeMinutesAtAirports: freeMinutes.describe("not charged at a pickup from an airport"),
    freeMinutes: freeMinutes.describe("not charged at other pickups"),
    stepMinutes: positiveInteger.describe("length of one charged waiting step"),
  }),
  hourly: strictObject({ includedKmPerHour: z.number().min(0).describe("beyond it, perKmRappen is charged") }),
  night: strictObject({
    fromHour: hourFrom.describe("first local hour with the surcharge"),
    toHour: hourTo.describe("first local hour without it; smaller than `fromHour` over midnight"),
    percent: percent.describe("surcharge; 0 for none"),
    rappen: rappen.optional().describe("amount added to each journey or hire with the surcharge; absent: none"),
  }).refine(({ fromHour, toHour }) => fromHour !== toHour, "fromHour and toHour are the same hour"),
  holidays: strictObject({
    percent: percent.describe("surcharge on a holiday"),
    days: z.array(holiday).describe("fixed dates, or days counted from Easter Sunday"),
  }),
  returnDiscount: strictObject({
    percent: percent.describe("discount on both fares without their surcharges, at most the fare of the return"),
    withinDays: z.number().int().min(0).optional().describe("most local days between the pickups; absent: no limit"),
  }),
});
export type Tariff = z.output<typeof TariffFile>;
export type Rate = Tariff["rates"][string];
