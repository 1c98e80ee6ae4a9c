import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import type { Leg } from "../../../src/domain/quotes/quote.ts";
import { localDateTime } from "../../../src/ops/local-time.ts";
import { defaultCatalog, type ToldJourney } from "../../support/quoting-fixture.ts";
import { instantOf, quotes } from "../../support/told.ts";

/**
 * Journeys with the legs and sentences that a traveler needs, written by hand from the catalog and the timetables, not
 * taken from the program.
 */
const FORTY_JOURNEYS: readonly ExpectedJourney[] = JSON.parse(
  readFileSync(new URL("forty-journeys.json", import.meta.url), "utf8"),
);

interface ExpectedJourney {
  readonly title: string;
  readonly from: string;
  /** Absent: a hire that ends where it starts. */
  readonly to?: string;
  readonly via?: readonly (readonly [stop: string, stayMinutes: number | null])[];
  /** Local date and time in Switzerland, with its UTC offset where the clock changes. */
  readonly pickup?: string;
  readonly arriveBy?: string;
  readonly returnAt?: string;
  readonly hireHours?: number;
  readonly waitingMinutes?: number;
  readonly outbound: readonly ExpectedLeg[];
  readonly back?: readonly ExpectedLeg[];
  /** Each list is one sentence (or one group of sentences) that matches all of these regular expressions. */
  readonly says: readonly (readonly string[])[];
  /** Regular expressions that no sentence matches. */
  readonly neverSays?: readonly string[];
}

/**
 * A row of a direction: its action ("hire" is the pickup of a hire that leads nowhere in particular), its place, when the
 * car arrives and departs there, and how a traveler goes on from a place to which the car does not drive.
 *
 * Times are sums such as "pickup + 45 min + drive": `pickup` and `return` are the pickups of the two directions, `drive`
 * the measured driving minutes of the direction, `drive 2` those of its second section. A time of day, or a date and
 * time, in Switzerland is absolute. The test compares instants.
 */
type ExpectedLeg = readonly [action: string, place: string, ...(string | Connection)[]];
type Connection = readonly [means: string, minutes: number, everyMinutes?: number];

/** From where a car drives on. */
const DRIVES = ["pickup", "hire", "stop", "pass", "resume"];

const price = quotes();
const { timeZone } = defaultCatalog.catalog.tariff;
const MINUTE = 60_000;

suite("a journey says where to be and when", () => {
  for (const expected of FORTY_JOURNEYS) {
    test(expected.title, async () => {
      const priced = await priceOf(expected);
      const { legs, route, pickupAt, returnAt, returnRoute } = priced;
      const from = legs.filter(({ direction }) => direction === "outbound").length;
      const [outbound, back] = [legs.slice(0, from), legs.slice(from)];
      checkLegs(outbound, expected.outbound, { pickup: pickupAt, driveMinutes: route.durationMinutes });
      checkLegs(back, expected.back ?? [], { pickup: returnAt ?? "", driveMinutes: returnRoute?.durationMinutes ?? 0 });
      checkSentences(expected, priced.limitations);
      checkPlacesOfTimes(legs, priced.limitations);
      checkStored(priced, legs);
    });
  }
});

function priceOf({ from, to = from, via = [], ...expected }: ExpectedJourney): Promise<ToldJourney> {
  const { pickup, arriveBy, returnAt, hireHours, waitingMinutes } = expected;
  const stops = via.map(([stop, stayMinutes]) => (stayMinutes === null ? stop : `${stop} ${stayMinutes}'`));
  const parts = Object.entries({ at: pickup, by: arriveBy, back: returnAt, hire: hireHours, wait: waitingMinutes });
  const stated = parts.flatMap(([word, value]) => (value === undefined ? [] : [`${word} ${value}`]));
  return price([[from, ...stops, to].join(" > "), ...stated].join("; "));
}

/** Times of a direction: its pickup, and the measured minutes of its whole way. */
interface Way {
  readonly pickup: string;
  readonly driveMinutes: number;
}

function checkLegs(legs: readonly Leg[], expected: readonly ExpectedLeg[], way: Way): void {
  const sections = legs.flatMap(({ means, minutes }) => (means === "car" ? [minutes ?? 0] : []));
  const timeOf = (text: string | null) => text && local(evaluated(text, way, sections));
  const rows = expected.map(([action, place, ...more], index) => {
    const drives = DRIVES.includes(action) && more.every((each) => typeof each === "string");
    const [arrives = null, departs = arrives] = more.filter((each) => typeof each === "string");
    const [means = null, minutes = null, everyMinutes = null] = more.find((each) => typeof each !== "string") ?? [];
    const driveMinutes = action === "hire" ? null : (legs[index]?.minutes ?? "the minutes of the drive");
    return {
      ...{ action: action === "hire" ? "pickup" : action, place },
      at: timeOf(arrives),
      departsAt: drives || action === "stop" ? timeOf(departs) : null,
      ...(drives ? { means: "car", minutes: driveMinutes, everyMinutes: null } : { means, minutes, everyMinutes }),
      included: drives,
    };
  });
  const actual = legs.map((leg) => ({
    ...{ action: leg.action, place: leg.place },
    at: leg.at && local(Date.parse(leg.at)),
    departsAt: leg.departsAt && local(Date.parse(leg.departsAt)),
    ...{ means: leg.means, minutes: leg.minutes, everyMinutes: leg.everyMinutes },
    included: leg.means === null ? false : leg.included,
  }));
  assert.deepEqual(actual, rows);
  if (!expected.some(([action]) => action !== "hire" && DRIVES.includes(action))) return;
  assert.equal(
    sections.reduce((sum, minutes) => sum + minutes, 0),
    way.driveMinutes,
    "the sections add up to the measured drive",
  );
}

/** The instant of "pickup + drive 1 + 25 min", "return + drive", "14:00" or "2026-12-12T09:00". */
function evaluated(text: string, { pickup, driveMinutes }: Way, sections: readonly number[]): number {
  const [start = "", ...terms] = text.split(" + ");
  const isPickup = start === "pickup" || start === "return";
  const date = start.includes("T") ? "" : `${localDateTime(new Date(pickup), timeZone).slice(0, 10)}T`;
  const from = isPickup ? Date.parse(pickup) : instantOf(`${date}${start}`).getTime();
  return terms.reduce((at, term) => {
    const [, drive, section, minutes] = /^(?:(drive)(?: (\d+))?|(\d+) min)$/.exec(term) ?? assert.fail(text);
    const driven = section === undefined ? driveMinutes : (sections[Number(section) - 1] ?? 0);
    return at + (drive ? driven : Number(minutes)) * MINUTE;
  }, from);
}

function checkSentences({ says, neverSays = [] }: ExpectedJourney, limitations: readonly string[]): void {
  for (const parts of says) {
    const isSaid = limitations.some((sentence) => parts.every((part) => new RegExp(part).test(sentence)));
    assert.ok(isSaid, `no limitation has all of ${parts.join(" | ")}:\n${limitations.join("\n")}`);
  }
  for (const never of neverSays) assert.doesNotMatch(limitations.join("\n"), new RegExp(never));
}

/** A sentence that has a time and names a place where the car is not also names the car stop. */
function checkPlacesOfTimes(legs: readonly Leg[], limitations: readonly string[]): void {
  for (const [index, { at, place }] of legs.entries()) {
    if (at !== null) continue;
    const beside = [legs[index - 1], legs[index + 1]].filter((leg) => leg?.at != null);
    for (const sentence of limitations.flatMap((text) => text.split(/(?<=\.) /))) {
      const carStops = beside.map((leg) => leg?.place ?? "");
      const other = carStops.reduce((text, name) => text.replaceAll(name, ""), sentence);
      if (!/\d\d:\d\d/.test(sentence) || !other.includes(place)) continue;
      assert.ok(other !== sentence, `a time beside ${place}, where the car is not: ${sentence}`);
    }
  }
}

/** The other times of the quote are those of the legs. */
function checkStored({ pickupAt, arrivalAt, returnAt, returnArrivalAt }: ToldJourney, legs: readonly Leg[]): void {
  const timesOf = (direction: string) => legs.flatMap((leg) => (leg.direction === direction ? (leg.at ?? []) : []));
  const [outbound, back] = [timesOf("outbound"), timesOf("return")];
  const instants = (times: readonly (string | null | undefined)[]) =>
    times.map((time) => time && local(Date.parse(time)));
  assert.deepEqual(instants([outbound[0], outbound.at(-1)]), instants([pickupAt, arrivalAt]));
  assert.deepEqual(instants([back[0] ?? null, back.at(-1) ?? null]), instants([returnAt, returnArrivalAt]));
}

function local(milliseconds: number): string {
  return localDateTime(new Date(milliseconds), timeZone);
}
