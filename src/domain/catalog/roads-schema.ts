import { z } from "zod/v3";
import {
  dayOf,
  endsBefore,
  id,
  kilometers,
  minutes,
  monthDay,
  position,
  positiveInteger,
  rappen,
  refersTo,
  strictObject,
  text,
} from "./fields.ts";

const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Not a time such as 05:30");

const node = strictObject({
  id: id.describe("unique among all nodes; edges and places refer to it"),
  name: text,
  ...position,
  radiusKm: kilometers(20).optional().describe("of a town, for the length of a drive inside it; absent: 1"),
});

export const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

const departures = strictObject({
  season: strictObject({ from: monthDay, to: monthDay }).optional().describe("first and last day; absent: all year"),
  days: z.array(z.enum(WEEKDAYS)).nonempty().optional().describe("absent: every day"),
  first: localTime.describe("first departure of the day, at the terminal where it is later"),
  last: localTime.describe("last departure of the day, at the terminal where it is earlier"),
  everyMinutes: positiveInteger.describe("interval of the departures"),
});

const carTrain = strictObject({
  loadingMinutes: minutes.describe("how long before the departure the car has to be at the terminal"),
  timetable: z
    .array(departures)
    .nonempty()
    .optional()
    .describe("the first for the day; no train without one; absent: always"),
  source: text.optional().describe("where hours and intervals come from, and for which season"),
  reluctanceMinutes: minutes.optional().describe("by which a route without the train may be worse, yet preferred"),
  fareRappen: rappen.describe("charged to the traveler"),
  byArrangement: z.literal(true).optional().describe("no timetable: requires the operator's confirmation"),
});

const border = z.string().regex(/^[A-Z]{2}–[A-Z]{2}$/, "Not two countries such as CH–IT");
const month = z.string().regex(/^\d{4}-\d{2}$/, "Not a month such as 2026-11");
const edge = strictObject({
  from: refersTo("road node", "id of a node"),
  to: refersTo("road node", "id of a node; the edge is driven in both directions"),
  km: kilometers(500).describe("driven length"),
  minutes: z.number().positive().max(600).describe("of driving without traffic; for a car train the ride alone"),
  road: z.enum(["motorway", "expressway", "main", "mountain", "local", "car_train"]),
  ref: text.optional().describe("number of the road"),
  name: text.optional().describe("pass, tunnel or car train"),
  tunnel: z.literal(true).optional().describe("mostly underground: entered and left at its ends only"),
  closed: strictObject({
    from: monthDay,
    to: monthDay,
    at: strictObject(position)
      .optional()
      .describe("on the road, by which routing engines avoid it; absent: they do not"),
  })
    .optional()
    .describe("winter closure, first and last closed day of a usual year; absent: open all year"),
  carTrain: carTrain.optional().describe("required where road is car_train"),
  toll: strictObject({ fareRappen: rappen }).optional().describe("charged to the traveler"),
  border: border.optional().describe("the countries at from and to, where the road crosses a border"),
  source: text.describe("where km and minutes come from"),
  checked: month.describe("month of the last review, YYYY-MM"),
}).refine(({ from, to }) => from !== to, "from and to are the same node");

export const RoutingFile = strictObject({
  minutesPerKm: z.number().min(0).max(2).describe("cost of a kilometer in minutes, by which routes are compared"),
  osrmSeasonalClass: z
    .string()
    .regex(/^[a-z0-9]+$/, "Not a class of an OSRM profile")
    .optional()
    .describe("class that the profile of your OSRM gives to roads with a winter closure; absent: none"),
});

export const RoadsFile = strictObject({
  region: text.optional().describe("what the file covers, for its editors"),
  positions: text.optional().describe("where positions and town radii come from, and of which date, for its editors"),
  nodes: z.array(node).default([]),
  edges: z.array(edge).default([]).describe("may refer to nodes of other files"),
});

const moment = dayOf("\\d{4}-", "(T([01]\\d|2[0-3]):[0-5]\\d)?", "Not YYYY-MM-DD or YYYY-MM-DDTHH:MM");

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

export type RoadNode = z.output<typeof node>;
export type RoadEdge = z.output<typeof edge>;
export type CarTrain = z.output<typeof carTrain>;
/** Times are local, e.g. "2027-01-12" or "2027-01-12T06:00"; a `to` without a time is a whole day. */
export type Closure = z.output<typeof closure>;
