import assert from "node:assert/strict";
import { test } from "node:test";
import { DateTime } from "luxon";
import { linesOf } from "../../src/contract/charges.ts";
import type { ErrorCode } from "../../src/contract/errors.ts";
import type { Catalog } from "../../src/domain/catalog/catalog.ts";
import type { Journey, JourneyPoint, PricedJourney } from "../../src/domain/quotes/quote.ts";
import { aRouter } from "./fake-router.ts";
import { aPoint, defaultCatalog, pricing, refusalOf, type ToldJourney, totalOf } from "./quoting-fixture.ts";

/** A local date and time in Switzerland, or a time on 8 December 2026, in winter; with an offset where the clock changes. */
export function instantOf(text: string): Date {
  const full = text.includes("-") ? text : `2026-12-08 ${text}`;
  return DateTime.fromISO(full.replace(" ", "T"), { zone: "Europe/Zurich" }).toJSDate();
}

const PARTS: Readonly<Record<string, (value: string) => Partial<Journey>>> = {
  at: (value) => ({ pickupAt: instantOf(value) }),
  by: (value) => ({ pickupAt: { arriveBy: instantOf(value) } }),
  back: (value) => ({ returnAt: instantOf(value) }),
  wait: (value) => ({ waitingMinutes: Number(value) }),
  hire: (value) => ({ hireHours: Number(value) }),
  people: (value) => ({ passengers: Number(value) }),
  adults: (value) => ({ adults: Number(value) }),
  children: (value) => ({ children: Number(value) }),
  infants: (value) => ({ infants: Number(value) }),
  bags: (value) => ({ luggage: Number(value) }),
  large: (value) => ({ largeLuggage: Number(value) }),
  flight: (value) => ({ flightNumber: value }),
  with: (value) => ({ specialItems: value.split(", ").map(itemOf) }),
};

/**
 * A journey in words: "Zurich Airport > Olten 30' > Bern; at 14:00; back 2026-12-10 18:00; wait 90; with 2 skis". Minutes
 * after a stop are its stay; "A corner @ 47.3, 7.95" is a place that is sent with its position.
 */
export function journeyOf(text: string): Partial<Journey> {
  const [way = "", ...parts] = text.includes(" > ") ? text.split("; ") : ["", ...text.split("; ")];
  const stated = parts.map((part) => {
    const [, word = "", value = ""] = /^(\S+) (.+)$/.exec(part) ?? assert.fail(part);
    return (PARTS[word] ?? assert.fail(part))(value);
  });
  return Object.assign({}, way && { points: pointsOf(way.split(" > ")) }, ...stated);
}

function pointsOf(texts: readonly string[]): readonly JourneyPoint[] {
  return texts.map((each, index) => {
    const [, text = "", lat, lng, minutes] = /^(.+?)(?: @ ([\d.]+), ([\d.]+))?(?: (\d+)')?$/.exec(each) ?? [];
    const place = index === 0 ? "origin" : index === texts.length - 1 ? "destination" : `waypoints.${index - 1}.name`;
    const position = lat === undefined ? null : { lat: Number(lat), lng: Number(lng) };
    return aPoint(text, { field: place, position, dwellMinutes: minutes === undefined ? null : Number(minutes) });
  });
}

function itemOf(text: string): Journey["specialItems"][number] {
  const [, count = "", kind = ""] = /^(\d+) (.+)$/.exec(text) ?? assert.fail(text);
  return { kind, count: Number(count) };
}

/** What differs from the packaged catalog on its roads. */
export interface Setup extends Omit<NonNullable<Parameters<typeof pricing>[0]>, "catalog"> {
  readonly rules?: Partial<Catalog>;
  /** The route that every journey has, instead of that on the packaged roads. */
  readonly measured?: Parameters<typeof aRouter>[0];
  readonly client?: string;
}

/** Prices journeys that are given in words. */
export function quotes({ rules = {}, measured, client, ...parts }: Setup = {}) {
  const price = pricing({
    ...defaultCatalog,
    ...(measured && { router: aRouter(measured) }),
    ...parts,
    catalog: { ...defaultCatalog.catalog, ...rules },
  });
  return (journey: string, more: Partial<Journey> = {}): Promise<ToldJourney> =>
    price({ ...journeyOf(journey), ...more }, client);
}

/** The lines of the price of a class: "Night surcharge: 7440". */
export function linesFor({ options }: PricedJourney, vehicleClass = "sedan"): readonly string[] {
  const option = options.find((each) => each.vehicleClass === vehicleClass);
  return linesOf(option?.charges ?? []).map(({ label, rappen }) => `${label}: ${rappen}`);
}

/** The classes of the options: "van", or "van on request". */
export function classesOf({ options }: PricedJourney): readonly string[] {
  return options.map(({ vehicleClass, onRequest }) => `${vehicleClass}${onRequest ? " on request" : ""}`);
}

/**
 * A test of what is charged and said, as a table: each line has a journey in words, then "->" and what is wanted of it;
 * a line without a journey is about the one before.
 *
 * - `costs 2000 + 100 × 280 = 30000`: the total of the sedan, after a sum for the reader; `van costs`: of a van
 * - `pays 30000 Transfer 100 km + 4000 Tolls = 34000`: all lines of its price; `van pays`
 * - `offers sedan, coach on request`: all options
 * - `drives 103 km`: rounded; `payable at once` or `payable later`: whether the route needs a manual confirmation
 * - `refuses NO_ELIGIBLE_VEHICLE`: the sentences are then those of the refusal and of its fields
 * - `says`, `never`: a part of the sentences, in which … is any text of a sentence
 */
export function told(title: string, setup: Setup, table: string): void {
  const where = calledFrom();
  test(title, async () => {
    const price = quotes(setup);
    for (const { journey, wanted } of rowsOf(table)) {
      const refusal = wanted.find((each) => each.startsWith("refuses "))?.slice("refuses ".length);
      const row = `${journey} ${where}`;
      const failed = (cause: unknown) => assert.fail(`${row}: ${cause}`);
      const priced = refusal === undefined ? await price(journey).catch(failed) : undefined;
      const sentences = priced?.limitations ?? (await refusalIn(price(journey), refusal as ErrorCode));
      for (const each of wanted) check(each, priced, sentences, row);
    }
  });
}

/** The line that called the caller, where a failing row is found. */
export function calledFrom(): string {
  return new Error().stack?.split("\n")[3]?.trim() ?? "";
}

/** The rows of a table of journeys and of what is wanted of each. */
export function rowsOf(table: string) {
  const rows: { readonly journey: string; readonly wanted: string[] }[] = [];
  for (const line of table.trim().split("\n")) {
    const [journey = "", wanted = ""] = line.split("->").map((part) => part.trim());
    if (journey !== "") rows.push({ journey, wanted: [] });
    if (wanted !== "") rows.at(-1)?.wanted.push(wanted);
  }
  return rows;
}

async function refusalIn(call: Promise<unknown>, code: ErrorCode): Promise<readonly string[]> {
  const { detail, nextAction, fieldErrors } = await refusalOf(call, code);
  return [detail, nextAction, ...fieldErrors.map(({ field, message }) => `${field}: ${message}`)];
}

function check(wanted: string, priced: ToldJourney | undefined, sentences: readonly string[], journey: string): void {
  const [, of = "sedan", word, value = ""] = /^(?:(\w+) (?=costs|pays))?(\w+) (.+)$/.exec(wanted) ?? [];
  const total = Number(/\d+$/.exec(value)?.[0]);
  const isSaid = () => {
    const parts = value.split("…").map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return sentences.some((text) => new RegExp(parts.join(".*")).test(text));
  };
  if (word === "says" || word === "never")
    return assert.equal(isSaid(), word === "says", `${journey} ${wanted}:\n${sentences.join("\n")}`);
  if (word === "refuses") return;
  if (!priced) return assert.fail(`${journey}: ${wanted}`);
  const { distanceKm, automaticallyPayable } = priced.route;
  if (word === "drives") return assert.equal(`${Math.round(distanceKm)} km`, value, journey);
  if (word === "payable") {
    assert.equal(priced.requiresManualConfirmation, !automaticallyPayable, journey);
    return assert.equal(automaticallyPayable ? "at once" : "later", value, journey);
  }
  if (word === "offers") return assert.equal(classesOf(priced).join(", "), value, journey);
  const lines = linesFor(priced, of).map((line) =>
    line.replace(/^(.*): (-?)(\d+)$/, (_, label, sign, rappen) => `${sign || "+"} ${rappen} ${label}`),
  );
  if (word === "pays") assert.equal(`${lines.join(" ").replace(/^\+ /, "")} = ${total}`, value, journey);
  else assert.equal(word, "costs", wanted);
  assert.equal(totalOf(priced, of), total, `${journey}: ${lines.join(" ")}`);
}
