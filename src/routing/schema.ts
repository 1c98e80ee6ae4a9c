import { z } from "zod/v3";

const id = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Not lower-case words and hyphens");
const monthDay = z
  .string()
  .regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, "Not a month and day such as 11-15");
const localTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Not a time such as 05:30");
const rappen = z.number().int().min(0);

export const RoadsFile = z
  .object({
    region: z.string().min(1),
    nodes: z.array(
      z
        .object({
          id,
          name: z.string().min(1),
          lat: z.number().min(-90).max(90),
          lng: z.number().min(-180).max(180),
        })
        .strict(),
    ),
    edges: z.array(
      z
        .object({
          from: id,
          to: id,
          /** Driven length of the stretch, both directions. */
          km: z.number().positive().max(500),
          /** Driving time by car without traffic; of a car train its ride and `waitMinutes`. */
          minutes: z.number().positive().max(600),
          road: z.enum(["motorway", "expressway", "main", "mountain", "local", "car_train"]),
          ref: z.string().min(1).optional(),
          /** Pass, tunnel or train. */
          name: z.string().min(1).optional(),
          /** Mostly under ground: a position above it is not on it, nobody gets on or off between its ends. */
          tunnel: z.literal(true).optional(),
          /** Winter closure, first and last closed day of a usual year. */
          closed: z.object({ from: monthDay, to: monthDay }).strict().optional(),
          carTrain: z
            .object({
              railMinutes: z.number().int().positive(),
              /** To allow for the usual queue and the timetable. */
              waitMinutes: z.number().int().min(0),
              /**
               * To allow instead in a season: more while passes are open, so that the train is taken only where it
               * saves clearly more than they do.
               */
              seasonalWait: z
                .object({ minutes: z.number().int().min(0), from: monthDay, to: monthDay })
                .strict()
                .optional(),
              fareRappen: rappen,
              /** First and last departure of the day by local time, about. */
              hours: z.object({ from: localTime, to: localTime }).strict().optional(),
              /** No timetable: somebody has to ask whether it runs, before money is taken. */
              byArrangement: z.literal(true).optional(),
            })
            .strict()
            .optional(),
          toll: z.object({ fareRappen: rappen }).strict().optional(),
          source: z.string().min(1),
          /** Month of its last review, YYYY-MM. */
          checked: z.string().regex(/^\d{4}-\d{2}$/, "Not a month such as 2026-11"),
        })
        .strict(),
    ),
  })
  .strict();

export type RoadNode = z.output<typeof RoadsFile>["nodes"][number];
export type RoadEdge = z.output<typeof RoadsFile>["edges"][number];
