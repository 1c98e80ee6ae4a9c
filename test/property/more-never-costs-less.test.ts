import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../src/contract/charges.ts";
import { PublicError } from "../../src/contract/errors.ts";
import { crowFliesKm } from "../../src/domain/places/geo.ts";
import type { Journey, PricedJourney } from "../../src/domain/quotes/quote.ts";
import { AN_AGENCY, aGeneratedCatalog } from "../support/generated-catalog.ts";
import { aPoint, aStop, defaultCatalog, pricing, to } from "../support/quoting-fixture.ts";
import { randomOf } from "../support/seed.ts";

/** Each is compared with two that ask for more. */
const JOURNEYS = 1_000;
const DRIVES = 800;
const CATALOGS = 25;
const MINUTE = 60_000;
/** Of pickups that `aClock()` accepts. */
const FIRST = Date.parse("2026-12-02T00:00:00Z");

const { random, upTo, anyOf, seed, ...others } = randomOf("more never costs less");
const chance = (share: number) => random() < share;
const TOWNS = defaultCatalog.catalog.places.filter(({ kind }) => kind !== "station");
const PLACES = ["Zurich Airport", "Geneva Airport", "Zermatt", "Davos", "Verbier", "Lucerne", "Interlaken", "Wengen"];
const placeNear = (lat: number, lng: number, km: number) => {
  const near = TOWNS.filter((town) => crowFliesKm({ lat, lng }, town) < km);
  return near.length > 0 ? anyOf(near).name : anyOf(TOWNS).name;
};
const aPlace = () => (chance(0.6) ? anyOf(PLACES) : anyOf(TOWNS).name);
const aStopOf = (index: number, name: string, minutes: number | null) => ({
  ...aStop(name, minutes),
  field: `waypoints.${index}.name`,
});

type Change = readonly [name: string, more: (journey: Partial<Journey>) => Partial<Journey>];

const withStops = ({ points = [] }: Partial<Journey>, change: (stops: Journey["points"]) => Journey["points"]) => {
  const [first, last] = [points[0], points[points.length - 1]];
  return first && last ? [first, ...change(points.slice(1, -1)), last] : points;
};

/** Each asks for more; the other values of the journey stay. */
const CHANGES: readonly Change[] = [
  ["a passenger", ({ passengers = 2 }) => ({ passengers: passengers + 1 })],
  ["a child", ({ children = 0 }) => ({ children: children + 1 })],
  ["luggage", ({ luggage = 2 }) => ({ luggage: luggage + 1 })],
  [
    "a special item",
    ({ specialItems = [] }) =>
      specialItems.length > 0 ? {} : { specialItems: [{ kind: anyOf(["pet", "bicycle", "child_seat"]), count: 1 }] },
  ],
  ["a minute of waiting", ({ waitingMinutes = 0 }) => ({ waitingMinutes: waitingMinutes + 1 })],
  ["waiting", ({ waitingMinutes = 0 }) => ({ waitingMinutes: waitingMinutes + 1 + upTo(120) })],
  ["an hour of a hire", ({ hireHours = null }) => (hireHours === null ? {} : { hireHours: hireHours + 1 })],
  ["hours of a hire", ({ hireHours = null }) => (hireHours === null ? {} : { hireHours: hireHours + upTo(90) / 10 })],
  ["a stop", (journey) => ({ points: withStops(journey, aStopMore) })],
  [
    "a stop between",
    (journey) => ({ points: withStops(journey, (stops) => (stops.length > 0 ? stops : aStopMore([]))) }),
  ],
  [
    "a longer stay",
    (journey) => ({
      points: withStops(journey, (stops) =>
        stops.map((stop, index) =>
          index === 0 ? { ...stop, dwellMinutes: (stop.dwellMinutes ?? 0) + upTo(90) } : stop,
        ),
      ),
    }),
  ],
  [
    "a return",
    ({ returnAt, hireHours, pickupAt }) =>
      returnAt || (hireHours ?? null) !== null || !(pickupAt instanceof Date)
        ? {}
        : { returnAt: new Date(pickupAt.getTime() + (1_500 + upTo(12_000)) * MINUTE) },
  ],
];

function aStopMore(stops: Journey["points"]): Journey["points"] {
  const at = upTo(stops.length);
  const name = chance(0.5) ? placeNear(46.8, 8.2, 120) : aPlace();
  const more = [...stops.slice(0, at), aStop(name, anyOf([null, 0])), ...stops.slice(at)];
  return more.map((stop, index) => ({ ...stop, field: `waypoints.${index}.name` }));
}

function aJourney(): Partial<Journey> {
  const pickupAt = new Date(FIRST + upTo(330 * 24 * 60) * MINUTE);
  const isHire = chance(0.3);
  const from = aPlace();
  const end = chance(0.1) ? from : aPlace();
  const stops = chance(0.4) || end === from ? Array.from({ length: 1 + upTo(1) }, () => aPlace()) : [];
  return {
    points: [aPoint(from), ...stops.map((name, index) => aStopOf(index, name, anyOf([null, 0, 10, 45, 200]))), to(end)],
    pickupAt: chance(0.3) ? new Date(pickupAt.setUTCHours(upTo(6), upTo(59))) : pickupAt,
    hireHours: isHire ? 1 + upTo(60) / 4 : null,
    returnAt: !isHire && chance(0.3) ? new Date(pickupAt.getTime() + (1_500 + upTo(9_000)) * MINUTE) : null,
    waitingMinutes: chance(0.3) ? upTo(150) : 0,
    passengers: 1 + upTo(6),
    luggage: upTo(4),
  };
}

const prices = [
  pricing(),
  ...Array.from({ length: CATALOGS }, () =>
    pricing({ ...defaultCatalog, catalog: aGeneratedCatalog({ random, upTo, anyOf, ...others }) }),
  ),
];
const aPrice = () => {
  const price = anyOf(prices);
  const client = chance(0.2) ? AN_AGENCY : undefined;
  return (journey: Partial<Journey>) => priced(price(journey, client));
};

async function priced(call: Promise<PricedJourney>): Promise<PricedJourney | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof PublicError) return undefined;
    throw error;
  }
}

function described({
  points = [],
  pickupAt,
  returnAt,
  hireHours,
  waitingMinutes,
  passengers,
}: Partial<Journey>): string {
  const places = points.map(({ text, dwellMinutes }) => (dwellMinutes ? `${text} (${dwellMinutes} min)` : text));
  const at = pickupAt instanceof Date ? pickupAt.toISOString() : "";
  return JSON.stringify({ places: places.join(" - "), at, returnAt, hireHours, waitingMinutes, passengers });
}

function assertNoCheaper(less: PricedJourney, more: PricedJourney, what: string): number {
  let compared = 0;
  for (const option of more.options) {
    const other = less.options.find(({ vehicleClass }) => vehicleClass === option.vehicleClass);
    if (!other) continue;
    compared += 1;
    const totals = `${other.totalRappen} → ${option.totalRappen}`;
    assert.ok(
      option.totalRappen >= other.totalRappen,
      `${seed}: ${option.vehicleClass} ${totals}: ${what}\n${shown(other)}\n${shown(option)}`,
    );
  }
  return compared;
}

const shown = ({ charges }: PricedJourney["options"][number]) =>
  linesOf(charges)
    .map(({ label, rappen }) => `${label}: ${rappen}`)
    .join(", ");

/** A shorter way that is compared may open later, too. */
const isFloored = ({ options }: PricedJourney) =>
  options.some(({ charges }) => charges.some(({ code }) => code === "stops_minimum" || code === "direct_minimum"));
const isRoundTrip = ({ options }: PricedJourney) =>
  options.some(({ charges }) => charges.some(({ values }) => "isRoundTrip" in values && values.isRoundTrip));
const wayOf = ({ route }: PricedJourney) => route.distanceKm;

suite("what a price may never do", () => {
  test(`more never costs less, in ${2 * JOURNEYS} journeys`, async () => {
    const compared = new Map<string, number>();
    for (let count = 0; count < JOURNEYS; count++) {
      const [journey, price] = [aJourney(), aPrice()];
      const less = await price(journey);
      if (!less) continue;
      for (let each = 0; each < 2; each++) {
        const [name, more] = anyOf(CHANGES);
        const changed = { ...journey, ...more(journey) };
        const other = await price(changed);
        if (!other) continue;
        // A later departure may find a shorter way open: a pass, or a car train in the morning.
        const isLater = name.includes("waiting") || name === "a longer stay";
        if (isLater && (wayOf(less) !== wayOf(other) || isFloored(less))) continue;
        const options = assertNoCheaper(less, other, `${name}: ${described(journey)} → ${described(changed)}`);
        compared.set(name, (compared.get(name) ?? 0) + (options > 0 ? 1 : 0));
      }
    }
    for (const [name] of CHANGES)
      assert.ok((compared.get(name) ?? 0) > JOURNEYS / 100, `${name}: ${compared.get(name)}`);
  });

  test(`a hire that ends elsewhere costs at least the transfer, in ${DRIVES} journeys`, async () => {
    let compared = 0;
    for (let count = 0; count < DRIVES; count++) {
      const [{ hireHours, returnAt: _, ...journey }, price] = [aJourney(), aPrice()];
      const transfer = await price(journey);
      const hire = transfer && (await price({ ...journey, hireHours: hireHours ?? 1 + upTo(20) }));
      if (hire && !isRoundTrip(hire)) compared += assertNoCheaper(transfer, hire, `hire: ${described(journey)}`);
    }
    assert.ok(compared > DRIVES / 2);
  });

  test(`a driver who waits costs at least the drive, and each part of it, in ${DRIVES} journeys`, async () => {
    let compared = 0;
    for (let count = 0; count < DRIVES; count++) {
      const [{ returnAt: _, hireHours: __, ...journey }, price] = [aJourney(), aPrice()];
      const { points = [] } = journey;
      const [origin, ...stops] = points.map((point) => ({ ...point, dwellMinutes: null }));
      if (!origin || points.length < 3) continue;
      const whole = await price(journey);
      const driven = whole && (await price({ ...journey, points: [origin, ...stops], waitingMinutes: 0 }));
      if (driven && wayOf(whole) === wayOf(driven) && !isFloored(driven))
        compared += assertNoCheaper(driven, whole, `driven: ${described(journey)}`);
      // After a wait another way may be open.
      const isAtOnce = (journey.waitingMinutes ?? 0) === 0;
      const first =
        isAtOnce &&
        stops[0] &&
        whole &&
        (await price({ ...journey, points: [origin, to(stops[0].text)], waitingMinutes: 0 }));
      if (first) compared += assertNoCheaper(first, whole, `first part: ${described(journey)}`);
    }
    assert.ok(compared > DRIVES / 2);
  });
});
