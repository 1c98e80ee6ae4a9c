import { z } from "zod/v3";

/**
 * Everything that a traveler may have to hear, in English. Notices carry the values, so that a page can say the same in
 * another language. `{x day}` writes MM-DD as "5 November", `{x parts}` what a fixed fare includes.
 */
export const NOTICES = {
  // Sandbox
  REHEARSAL: 'Rehearsal: for "{name}" the sandbox priced {place}. No car will come.',
  // Places
  PLACED_AT: '"{text}" was placed at {place}.',
  PLACED_AT_TOWN: '"{text}" was placed at {place}; the exact address is agreed with the driver.',
  CAR_FREE: "{place} is car-free: the car stops at {stop}. {onward}",
  // Party and times
  PARTY_DIFFERS:
    "Adults, children and infants add up to {people}, passengers are {passengers}; vehicles are chosen for {seats} seats.",
  LARGE_LUGGAGE: "Of {luggage} pieces of luggage, so many may be large: {limits}.",
  SPECIAL_ITEM: "{items}: {text}",
  CHILD_SEATS:
    "Child seats ordered: {ordered}, for {children} children and {infants} infants. Order others as special items ({kinds}), or bring your own.",
  PICKUP_LOCAL_TIME: "The pickup is on {date} at {time} local time; it was sent as {sent}.",
  RETURN_LOCAL_TIME: "The return is on {date} at {time} local time; it was sent as {sent}.",
  PICKUP_IN: "Pickup in {place}.",
  RETURN_PICKUP_IN: "Return pickup in {place}.",
  AIRPORT_PICKUP: "Pickup at {place}: free waiting starts when the flight lands.",
  RETURN_AIRPORT_PICKUP:
    "Return pickup at {place}: free waiting starts when the flight lands. State the number of that flight at checkout.",
  FLIGHT_NUMBER: "State the flight number at checkout.",
  ARRIVE_BY:
    "The pickup is the latest from which the car is at {place} by {time} on {date}. This leaves no margin for traffic or check-in.",
  ARRIVE_BY_TRAIN: "To be there in time the car must take the {name}.",
  FREE_CANCELLATION_ENDED: "Free cancellation has ended: it was possible until {hours} h before the pickup.",
  RETURN_FREE_CANCELLATION_ENDED:
    "Free cancellation of the return has ended: it was possible until {hours} h before its pickup.",
  // What is not sold
  CLASS_BOOKABLE: "{vehicle} is not offered: it can be booked for pickups from {from} to {to}.",
  NOT_SOLD: "Not offered at that time: {classes}. {reason}",
  STOP_SALE_ON_REQUEST: "On request at that time: {classes}. {reason}",
  // Price
  RETURN_INCLUDED:
    "The price includes the return journey of {km} km without stops; the car does not wait between the two.",
  HIRE: "Hire of {hours} h with {km} km included; car and driver stay with the traveler.",
  HIRE_EXTENDED:
    "Hire of {hours} h with {km} km included; car and driver stay with the traveler. The journey takes longer than {requested} h, so {hours} h are charged.",
  HIRE_ROUNDED: "Started hours are charged: {requested} h cost as much as {hours} h.",
  HIRE_OVERTIME: "Each further started hour costs {hour_prices}; each further km costs {km_prices}.",
  HIRE_NIGHT_SURCHARGE: "Night surcharge of {percent} % on {hours} of {of_hours} h, from {from} to {to}.",
  HIRE_HOLIDAY_SURCHARGE: "Holiday surcharge of {percent} % on {hours} of {of_hours} h ({holiday}).",
  HIRE_SEASON: "{season}: {percent} % on {hours} of {of_hours} h.",
  FIXED_FARE: "{fare} ({classes}) includes {includes parts}{free_min} min of waiting at the pickup.",
  WAITING: "Waiting at the pickup is free for {free_min} min; each started {step_min} min after that costs {prices}.",
  DRIVER_WAITS: "The driver waits at the stops, {minutes} min in all; the first {free_min} min at each are free.",
  ROUND_TRIP_WAITS:
    "The driver waits at the stops, {minutes} min in all; the first {free_min} min at each are free. A round trip costs no more than a hire of the same hours.",
  NIGHT_SURCHARGE: "Night surcharge of {percent} % on the fare, from {from} to {to}.",
  OUTBOUND_NIGHT_SURCHARGE: "Outbound: Night surcharge of {percent} % on the fare, from {from} to {to}.",
  RETURN_NIGHT_SURCHARGE: "Return: Night surcharge of {percent} % on the fare, from {from} to {to}.",
  NIGHT_SUPPLEMENT: "Night surcharge of {supplement}, from {from} to {to}.",
  SEASON: "{season}: {percent} % of the fare.",
  OUTBOUND_SEASON: "Outbound: {season}: {percent} % of the fare.",
  RETURN_SEASON: "Return: {season}: {percent} % of the fare.",
  HOLIDAY_SURCHARGE: "Holiday surcharge of {percent} % on the fare ({holiday}).",
  OUTBOUND_HOLIDAY_SURCHARGE: "Outbound: Holiday surcharge of {percent} % on the fare ({holiday}).",
  RETURN_HOLIDAY_SURCHARGE: "Return: Holiday surcharge of {percent} % on the fare ({holiday}).",
  VAT_INCLUDED: "Prices include {percent} % VAT: {amounts}.",
  VAT_NOT_SPLIT: "Prices include taxes; this journey crosses a border, so VAT is not shown separately.",
  // Route
  CAR_TRAIN: "Includes the {name}: allow {wait_min} min for waiting and {ride_min} min for the ride.",
  TRAIN_AVOIDED: "The {name} does not run in time for this pickup: the route goes around, which takes longer.",
  TOLL: "Includes the toll of {name}.",
  MOTORWAY_TOLLS: "Includes motorway tolls.",
  PASS_AVOIDED:
    "{name} is usually closed from {from day} to {to day}; within three weeks of that change the route avoids it. If it is open, it may shorten the drive.",
  TOWN_STRAIGHT_LINE:
    "The distance inside the town from {from} to {to} is assumed to be {km} km, by the straight line.",
  TOWN_EXTENT: "The distance inside the town from {from} to {to} is assumed to be {km} km, by the extent of the town.",
  // Why a journey needs manual confirmation
  ROAD_CLOSED: "{place} lies by {name}, which is closed at that time.",
  OFF_THE_ROADS: "{place} lies {km} km from the measured roads.",
  LONG_DETOUR: "The route from {from} to {to} is {times} times as long as the straight line.",
  TRAIN_BY_ARRANGEMENT: "The {name} has no timetable and runs by arrangement.",
  PASS_UNCERTAIN:
    "{name} is usually closed from {from day} to {to day}; the pickup lies within three weeks of that change.",
  PASS_CLOSED: "{name} is closed from {from day} to {to day}.",
  ROADS_UNCHECKED: "Closed passes, tolls and car trains on this journey could not be checked.",
  MAY_CROSS_CLOSED_PASS: "The measured route may lead over a pass that is closed.",
  MAY_TAKE_IDLE_TRAIN: "The measured route may take the {name}, which does not run at that time.",
  MAY_MISS_NAMED_ROAD: "The measured route may not be the one with the car train or toll that is named.",
  MAY_MISS_TOLLS: "The measured route may not be the one whose tolls are in the price.",
  ON_REQUEST: "On request, subject to manual confirmation by {operator} ({phone}, {email}): {classes}.",
  MANUAL_CONFIRMATION: "This journey needs manual confirmation by {operator} ({phone}, {email}).",
} as const;

export type NoticeCode = keyof typeof NOTICES;

/** One thing to tell the traveler: `text` is the English limitation, made of `code` and `values`. */
export const Notice = z
  .object({
    code: z.string().describe("open enumeration"),
    values: z.record(z.union([z.string(), z.number()])),
    text: z.string(),
  })
  .passthrough();
export type Notice = {
  readonly code: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly text: string;
};

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Word} ${string}` ? Word : Name) | Placeholder<Rest>
  : never;
type Values<Code extends NoticeCode> = { readonly [Name in Placeholder<(typeof NOTICES)[Code]>]: string | number };

export function notice<Code extends NoticeCode>(
  code: Code,
  ...[values]: Placeholder<(typeof NOTICES)[Code]> extends never ? [] : [values: Values<Code>]
): Notice {
  return written(code, { ...values });
}

/** A notice that says the same of fewer things; one with a code of an earlier version stays as it is. */
export function withValues(original: Notice, changed: Notice["values"]): Notice {
  const { code, values } = original;
  return isNoticeCode(code) ? written(code, { ...values, ...changed }) : original;
}

function written(code: NoticeCode, values: Notice["values"]): Notice {
  const parts = templates.get(code) ?? templateOf(code);
  let text = "";
  for (const part of parts) text += typeof part === "string" ? part : part.format(String(values[part.name]));
  return { code, values, text };
}

type Template = readonly (string | { readonly name: string; readonly format: (value: string) => string })[];

/** Made when first used: finding the placeholders took a third of a notice's time. */
const templates = new Map<NoticeCode, Template>();

function templateOf(code: NoticeCode): Template {
  const pieces = NOTICES[code].split(/(\{\w+(?: \w+)?\})/);
  const template = pieces.map((piece) => {
    const [, name, format = ""] = /^\{(\w+)(?: (\w+))?\}$/.exec(piece) ?? [];
    return name === undefined ? piece : { name, format: FORMATS[format] ?? unchanged };
  });
  templates.set(code, template);
  return template;
}

function unchanged(value: string): string {
  return value;
}

function isNoticeCode(code: string): code is NoticeCode {
  return Object.hasOwn(NOTICES, code);
}

/** Each text once, in its order. */
export function distinct(notices: readonly Notice[]): readonly Notice[] {
  return [...new Map(notices.map((each) => [each.text, each])).values()];
}

export function textsOf(notices: readonly Notice[]): readonly string[] {
  return notices.map(({ text }) => text);
}

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/** "11-05" as "5 November". */
function dayName(monthDay: string): string {
  const [month, day] = monthDay.split("-").map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]}`;
}

const INCLUDED: Readonly<Record<string, string>> = {
  fees: "tolls and car trains",
  night: "the night surcharge",
  holidays: "the holiday surcharge",
  seasons: "seasonal surcharges",
};

/** "fees, night" as words, each followed by a comma. */
function partNames(codes: string): string {
  const names = codes.split(", ").flatMap((code) => INCLUDED[code] ?? []);
  return names.map((name) => `${name}, `).join("");
}

const FORMATS: Readonly<Record<string, (value: string) => string>> = { day: dayName, parts: partNames };
