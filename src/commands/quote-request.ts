import type { Problem } from "../contract/problem.ts";
import { DAY } from "../ops/durations.ts";
import type { Arguments } from "./command.ts";
import { timeArgument } from "./local-time-argument.ts";

export const journeyOptions = {
  at: { type: "string", value: "TIME", meaning: 'pickup, such as "2026-12-24 22:00"; default: tomorrow at noon' },
  "arrive-by": { type: "string", value: "TIME", meaning: "arrival at the latest, instead of --at" },
  return: { type: "string", value: "TIME", meaning: "pickup of the return journey" },
  hours: { type: "string", value: "N", meaning: "hire by the hour; ends at ORIGIN without a DESTINATION" },
  via: { type: "string", multiple: true, value: "PLACE", meaning: "stop on the way" },
  passengers: { type: "string", value: "N", meaning: "default: 1" },
  adults: { type: "string", value: "N", meaning: "default: as many as passengers" },
  children: { type: "string", value: "N", meaning: "default: 0" },
  infants: { type: "string", value: "N", meaning: "default: 0" },
  luggage: { type: "string", value: "N", meaning: "pieces; default: 0" },
  "large-luggage": { type: "string", value: "N", meaning: "large pieces of it; default: not stated" },
  item: { type: "string", multiple: true, value: "KIND=N", meaning: "special items, such as skis=2" },
  waiting: { type: "string", value: "N", meaning: "minutes at the pickup; default: 0" },
  flight: { type: "string", value: "NUMBER", meaning: 'flight of the outbound journey, such as "LX 39"' },
} as const;

type JourneyOption = keyof typeof journeyOptions;
const journeyOptionNames = Object.keys(journeyOptions) as JourneyOption[];

/** The field of the request that an option states, where it has another name. */
const FIELDS: Readonly<Record<string, string>> = {
  at: "pickup_datetime",
  return: "return_datetime",
  hours: "duration_hours",
  via: "waypoints",
  item: "special_items",
  waiting: "waiting_minutes",
  flight: "flight_number",
};

/** The arguments of `create_transfer_quote`, which validates them. Throws ConfigError where a time is not one. */
export function quoteRequest({ values, operands }: Arguments<typeof journeyOptions>, timeZone: string): object {
  const [origin, destination] = operands;
  const tomorrow = new Date(Date.now() + DAY).toISOString().slice(0, 10);
  const given = { ...values, at: values.at ?? (values["arrive-by"] === undefined ? tomorrow : undefined) };
  const stated = journeyOptionNames.flatMap((option) => {
    const value = given[option];
    return value === undefined ? [] : [[fieldOf(option), argumentOf(option, value, timeZone)]];
  });
  const bookingType = values.hours === undefined ? {} : { booking_type: "hourly" };
  return { origin, destination, ...bookingType, ...Object.fromEntries(stated) };
}

function argumentOf(option: JourneyOption, value: string | readonly string[], timeZone: string): unknown {
  if (typeof value !== "string") return value.map(option === "item" ? specialItem : (name) => ({ name }));
  if (option === "at" || option === "arrive-by" || option === "return") return timeArgument(option, value, timeZone);
  return option === "flight" ? value : numberOf(value);
}

function specialItem(text: string): object {
  const [kind = "", count = "1"] = text.split("=");
  return { kind, count: numberOf(count) };
}

/** A text that is no number stays as it is, for the operation to reject. */
function numberOf(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function fieldOf(option: string): string {
  return FIELDS[option] ?? option.replaceAll("-", "_");
}

/** A problem in the words of the terminal: mistakes are listed by option. */
export function problemText({ code, detail, field_errors: errors = [] }: Problem): string {
  const lines = errors.map(({ field, message }) => `  ${optionOf(field)}: ${message}\n`);
  return code === "INVALID_REQUEST" && lines.length > 0 ? `${code}:\n${lines.join("")}` : `${code}: ${detail}\n`;
}

function optionOf(path: string): string {
  const [field = "", index] = path.split(".");
  const option = journeyOptionNames.find((each) => fieldOf(each) === field);
  if (option === undefined) return field.toUpperCase();
  return index === undefined ? `--${option}` : `--${option} ${Number(index) + 1}`;
}
