import { integerIn, numberIn } from "../config/kinds.ts";
import { ConfigError, type Kind } from "../config/setting.ts";
import type { Problem } from "../contract/problem.ts";
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

/** The request field of each option that is a number. */
const NUMBERS: readonly (readonly [keyof typeof journeyOptions, string, Kind<number>])[] = [
  ["hours", "duration_hours", numberIn(0, 240)],
  ["passengers", "passengers", integerIn(1, 50)],
  ["adults", "adults", integerIn(0, 50)],
  ["children", "children", integerIn(0, 50)],
  ["infants", "infants", integerIn(0, 50)],
  ["luggage", "luggage", integerIn(0, 50)],
  ["large-luggage", "large_luggage", integerIn(0, 50)],
  ["waiting", "waiting_minutes", integerIn(0, 1440)],
];

/** The arguments of `create_transfer_quote`; throws ConfigError where an option is not valid. */
export function quoteRequest({ values, operands }: Arguments<typeof journeyOptions>, timeZone: string): object {
  const [origin, destination] = operands;
  const { at, "arrive-by": arriveBy, flight, return: back, via = [], item = [] } = values;
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const pickup = at ?? (arriveBy === undefined ? tomorrow : undefined);
  const numbers = NUMBERS.flatMap(([option, field, kind]) => {
    const text = values[option];
    return text === undefined ? [] : [[field, numberOf(option, String(text), kind)] as const];
  });
  return {
    origin,
    ...(destination !== undefined && { destination }),
    ...(arriveBy !== undefined && { arrive_by: timeArgument("arrive-by", arriveBy, timeZone) }),
    ...(pickup !== undefined && { pickup_datetime: timeArgument("at", pickup, timeZone) }),
    ...(back !== undefined && { return_datetime: timeArgument("return", back, timeZone) }),
    ...(flight !== undefined && { flight_number: flight }),
    ...(values.hours !== undefined && { booking_type: "hourly" }),
    ...Object.fromEntries(numbers),
    waypoints: via.map((name) => ({ name })),
    special_items: item.map(specialItem),
  };
}

/** The operation checks the kind. */
function specialItem(text: string): object {
  const [kind = "", count = "1"] = text.split("=");
  return { kind, count: numberOf("item", count, integerIn(1, 50)) };
}

function numberOf(option: string, text: string, kind: Kind<number>): number {
  const value = kind.parse(text);
  if (value !== undefined) return value;
  throw new ConfigError(`--${option} is ${JSON.stringify(text)}; allowed: ${kind.allowed}`);
}

/** What is wrong with a journey, by the options that state it. */
export function problemText({ code, detail, field_errors: errors = [] }: Problem): string {
  const lines = errors.map(({ field, message }) => `  ${argumentOf(field)}: ${message}\n`);
  return code === "INVALID_REQUEST" && lines.length > 0 ? `${code}:\n${lines.join("")}` : `${code}: ${detail}\n`;
}

function argumentOf(field: string): string {
  const [first = "", index] = field.split(".");
  if (first === "waypoints") return `--via ${Number(index) + 1}`;
  if (first === "special_items") return `--item ${Number(index) + 1}`;
  const others: Readonly<Record<string, string>> = {
    pickup_datetime: "at",
    arrive_by: "arrive-by",
    return_datetime: "return",
    flight_number: "flight",
  };
  const option = others[first] ?? NUMBERS.find(([, name]) => name === first)?.[0];
  return option === undefined ? first.toUpperCase() : `--${option}`;
}
