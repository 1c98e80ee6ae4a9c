import { z } from "zod/v3";
import { TIERS } from "../limits/rate-limiter.ts";

const rappen = z.number().int().min(0);
const percent = z.number().min(0).max(100);
const positive = z.number().int().positive();
const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Not lower-case words and hyphens");
const monthDay = z
  .string()
  .regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, "Not a month and day such as 12-25");
const capacity = z.number().int().min(0).max(1000);

export const CorridorsFile = z
  .object({
    corridors: z
      .array(
        z
          .object({
            key: id.max(128),
            /** Place ids. */
            origin: id,
            destination: id,
            transferType: z.enum(["airport", "resort", "city"]),
            distanceKm: z.number().positive().max(5000),
            durationMinutes: positive,
          })
          .strict(),
      )
      .min(1),
  })
  .strict();

export const VehicleClassesFile = z
  .object({
    vehicleClasses: z
      .array(
        z
          .object({
            /** Public `vehicle_class`. */
            id: z.string().regex(/^[a-z][a-z0-9_]*$/, "Not a snake_case word"),
            /** Public `vehicle_type`, for people. */
            type: z.string().min(1),
            passengerCapacity: capacity.min(1),
            /** Luggage units it takes in all, and pieces of each size. */
            luggageCapacity: capacity,
            largeLuggageCapacity: capacity,
            smallLuggageCapacity: capacity,
            /** Priced, but an operator confirms it by hand. */
            onRequest: z.boolean(),
          })
          .strict(),
      )
      .min(1),
  })
  .strict();

export const LuggageFile = z
  .object({
    definitions: z.record(
      z
        .object({
          label: z.string().min(1),
          description: z.string().min(1),
          maxDimensionsCm: z.array(positive).length(3),
          typicalWeightKg: z.array(positive).length(2),
          countsAs: z.number().int().min(0),
        })
        .strict(),
    ),
    specialItemKinds: z.array(z.string().min(1)),
  })
  .strict();

export const PoliciesFile = z
  .object({
    policies: z
      .array(
        z
          .object({
            key: id,
            version: z.string().min(1),
            fullRefundCutoffHours: z.number().min(0),
            text: z.string().min(1),
          })
          .strict(),
      )
      .min(1),
  })
  .strict();

export const TariffFile = z
  .object({
    version: z.string().min(1),
    currency: z.literal("CHF"),
    /** Clock by which night, holidays and "same day" are read. */
    timeZone: z.string().refine(isTimeZone, "Not an IANA time zone"),
    /** The total is rounded once, to the nearest multiple of this. */
    roundingRappen: positive,
    leadTimeHours: z.number().min(0),
    horizonDays: positive,
    /** VAT included. One entry for each vehicle class. */
    rates: z.record(
      z
        .object({
          baseRappen: rappen,
          perKmRappen: rappen,
          minimumRappen: rappen,
          firstHourRappen: rappen,
          furtherHourRappen: rappen,
          /** For each started waiting step beyond the free minutes. */
          waitingStepRappen: rappen,
        })
        .strict(),
    ),
    waiting: z
      .object({
        freeMinutesAtAirports: z.number().int().min(0),
        freeMinutes: z.number().int().min(0),
        stepMinutes: positive,
      })
      .strict(),
    hourly: z.object({ includedKmPerHour: z.number().min(0) }).strict(),
    night: z
      .object({
        /** Local hours; pickups from `fromHour` up to, not including, `toHour`. */
        fromHour: z.number().int().min(0).max(23),
        toHour: z.number().int().min(1).max(24),
        percent,
      })
      .strict(),
    holidays: z
      .object({
        percent,
        /** Fixed days, or days counted from Easter Sunday. */
        days: z.array(
          z.union([
            z.object({ name: z.string().min(1), date: monthDay }).strict(),
            z
              .object({ name: z.string().min(1), daysFromEaster: z.number().int().min(-100).max(100) })
              .strict(),
          ]),
        ),
      })
      .strict(),
    sameDayReturnDiscountPercent: percent,
  })
  .strict();
export type Tariff = z.output<typeof TariffFile>;
export type Rate = Tariff["rates"][string];

const budget = z.object({ points: positive, seconds: positive }).strict();
export const BudgetsFile = z
  .object(
    Object.fromEntries(TIERS.map((tier) => [tier, budget])) as Record<(typeof TIERS)[number], typeof budget>,
  )
  .strict();

export const RequirementsFile = z
  .object({ notes: z.string().min(1), bookabilityStates: z.array(z.string().min(1)) })
  .strict();

export const ServiceAreaFile = z
  .object({
    /** ISO 3166-1 alpha-2 of the countries served. */
    countries: z.array(z.string().length(2)).min(1),
    /** Degrees; a place outside is UNSUPPORTED_ROUTE. */
    box: z
      .object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() })
      .strict()
      .refine(({ south, north, west, east }) => south < north && west < east, "The box is empty"),
  })
  .strict();

export type Corridor = z.output<typeof CorridorsFile>["corridors"][number];
export type VehicleClass = z.output<typeof VehicleClassesFile>["vehicleClasses"][number];
export type Luggage = z.output<typeof LuggageFile>;
export type Policy = z.output<typeof PoliciesFile>["policies"][number];
export type Requirements = z.output<typeof RequirementsFile>;
export type ServiceArea = z.output<typeof ServiceAreaFile>;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
