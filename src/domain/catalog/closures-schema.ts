import { z } from "zod/v3";
import { endsBefore, id, isDay, NO_DAY, refersTo, strictObject, text } from "./fields.ts";

const moment = z
  .string()
  .regex(
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d)?$/,
    "Not YYYY-MM-DD or YYYY-MM-DDTHH:MM",
  )
  .refine((value) => isDay(value.slice(0, 10)), NO_DAY);

const closure = strictObject({
  id: id.describe("shown by check"),
  road: refersTo("road", 'name of a road, pass, tunnel or car train in roads/, or its two nodes: "bivio julier-pass"'),
  from: moment.describe("first closed local day, or the local time at which it closes"),
  to: moment.describe("last closed local day, or the local time at which it opens"),
  reason: text.describe("for travelers, one sentence; translated in translations.json"),
}).refine(
  ({ from, to }) => from <= to,
  ({ from }) => endsBefore(from, "to"),
);

export const ClosuresFile = strictObject({
  closures: z.array(closure).describe("closures of exact dates, beside the yearly ones of the roads"),
});

/** Times are local, e.g. "2027-01-12" or "2027-01-12T06:00"; a `to` without a time is a whole day. */
export type Closure = z.output<typeof closure>;
