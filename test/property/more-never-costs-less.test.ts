import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../src/contract/charges.ts";
import { PublicError } from "../../src/contract/errors.ts";
import { crowFliesKm } from "../../src/domain/places/geo.ts";
import type { Journey, PricedJourney } from "../../src/domain/quotes/quote.ts";
import type { MeasuredRoute, Router } from "../../src/domain/routing/router.ts";
import { AN_AGENCY, aGeneratedCatalog } from "../support/generated-catalog.ts";
import { aPoint, aStop, defaultCatalog, pricing, to } from "../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../support/seed.ts";

/** Each is compared with two that ask for more. */
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
/** A place, or a position beside one, which may lie in it, beyond it or on another road. */
const aPlace = () => (chance(0.15) ? besideA(anyOf(TOWNS)) : chance(0.6) ? anyOf(PLACES) : anyOf(TOWNS).name);
const besideA = ({ lat, lng }: { lat: number; lng: number }) =>
  `${(lat + (random() - 0.5) / 15).toFixed(5)}, ${(lng + (random() - 0.5) / 10).toFixed(5)}`;
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

const MOST_STOPS = 10;

function aStopMore(stops: Journey["points"]): Journey["points"] {
  if (stops.length === MOST_STOPS) return stops;
  const at = upTo(stops.length);
  const beside = [stops[at - 1], stops[at]].flatMap((stop) => stop?.text ?? []);
  const name = chance(0.1) && beside.length > 0 ? anyOf(beside) : chance(0.5) ? placeNear(46.8, 8.2, 120) : aPlace();
  const more = [...stops.slice(0, at), aStop(name, anyOf([null, 0])), ...stops.slice(at)];
  return more.map((stop, index) => ({ ...stop, field: `waypoints.${index}.name` }));
}

/** Among them stops at the two ends, and the same place twice in a row. */
function someStops(from: string, end: string): readonly string[] {
  const names: string[] = [];
  const count = chance(0.15) ? MOST_STOPS - upTo(3) : 1 + upTo(3);
  while (names.length < count) {
    const before = names[names.length - 1] ?? from;
    names.push(chance(0.3) ? anyOf([from, end, before]) : aPlace());
  }
  return names;
}

function aJourney(): Partial<Journey> {
  const pickupAt = new Date(FIRST + upTo(330 * 24 * 60) * MINUTE);
  const isHire = chance(0.3);
  const from = aPlace();
  const end = chance(0.1) ? from : aPlace();
  const stops = chance(0.5) || end === from ? someStops(from, end) : [];
  return {
    points: [aPoint(from), ...stops.map((name, index) => aStopOf(index, name, anyOf([null, 0, 10, 45, 200]))), to(end)],
    // At night, and in the last hour before it, from which waiting leads on.
    pickupAt: chance(0.4) ? new Date(pickupAt.setUTCHours(anyOf([22, upTo(6)]), upTo(59))) : pickupAt,
    hireHours: isHire ? 1 + upTo(60) / 4 : null,
    returnAt: !isHire && chance(0.3) ? new Date(pickupAt.getTime() + (1_500 + upTo(9_000)) * MINUTE) : null,
    waitingMinutes: chance(0.3) ? upTo(150) : 0,
    passengers: 1 + upTo(6),
    luggage: upTo(4),
  };
}

/** What was measured between two points for the journey that is being priced. */
let measured = new Map<string, MeasuredRoute[]>();
const router: Router = {
  ...defaultCatalog.router,
  async measure(stops, departure, signal) {
    const route = await defaultCatalog.router.measure(stops, departure, signal);
    const key = stops.map(({ lat, lng }) => `${lat},${lng}`).join(" ");
    if (stops.length === 2) measured.set(key, [...(measured.get(key) ?? []), route]);
    return route;
  },
};

const prices = [
  pricing({ ...defaultCatalog, router }),
  ...Array.from({ length: CATALOGS }, () =>
    pricing({ ...defaultCatalog, router, catalog: aGeneratedCatalog({ random, upTo, anyOf, ...others }) }),
  ),
];
const aPrice = () => {
  const price = anyOf(prices);
  const client = chance(0.2) ? AN_AGENCY : undefined;
  return (journey: Partial<Journey>) => priced(() => price(journey, client));
};

type Measured = PricedJourney & { readonly measured: ReadonlyMap<string, readonly MeasuredRoute[]> };

async function priced(price: () => Promise<PricedJourney>): Promise<Measured | undefined> {
  measured = new Map();
  try {
    return { ...(await price()), measured };
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

/** A later departure may find a shorter way open, a pass or a car train in the morning, or none at all. */
const findsAnotherWayLater = (less: Measured, more: Measured) =>
  [...less.measured].some(([key, before]) => {
    const after = more.measured.get(key);
    return !after || before.some((route) => after.some((later) => isLess(later, route)));
  });
const isLess = (a: MeasuredRoute, b: MeasuredRoute) =>
  [a, b].every(({ exact }) => exact) &&
  ((a.exact?.km ?? 0) < (b.exact?.km ?? 0) - 1e-9 ||
    (a.exact?.minutes ?? 0) < (b.exact?.minutes ?? 0) - 1e-9 ||
    a.feesRappen < b.feesRappen);

suite("what a price may never do", () => {
  test(`more never costs less, in ${2 * RUNS} journeys`, async () => {
    const compared = new Map<string, number>();
    for (let count = 0; count < RUNS; count++) {
      const [journey, price] = [aJourney(), aPrice()];
      const less = await price(journey);
      if (!less) continue;
      for (let each = 0; each < 2; each++) {
        const [name, more] = anyOf(CHANGES);
        const changed = { ...journey, ...more(journey) };
        const other = await price(changed);
        if (!other) continue;
        if (findsAnotherWayLater(less, other)) continue;
        const options = assertNoCheaper(less, other, `${name}: ${described(journey)} → ${described(changed)}`);
        compared.set(name, (compared.get(name) ?? 0) + (options > 0 ? 1 : 0));
      }
    }
    for (const [name] of CHANGES) assert.ok((compared.get(name) ?? 0) > RUNS / 100, `${name}: ${compared.get(name)}`);
  });

  test(`a hire costs at least the transfer, a round trip too, in ${RUNS} journeys`, async () => {
    let compared = 0;
    for (let count = 0; count < RUNS; count++) {
      const [{ hireHours, returnAt: _, ...journey }, price] = [aJourney(), aPrice()];
      const transfer = await price(journey);
      const hire = transfer && (await price({ ...journey, hireHours: hireHours ?? 1 + upTo(20) }));
      if (hire) compared += assertNoCheaper(transfer, hire, `hire: ${described(journey)}`);
    }
    assert.ok(compared > RUNS / 2);
  });

  test(`a driver who waits costs at least the drive, and each part of it, in ${RUNS} journeys`, async () => {
    let compared = 0;
    for (let count = 0; count < RUNS; count++) {
      const [{ returnAt: _, hireHours: __, ...journey }, price] = [aJourney(), aPrice()];
      const { points = [] } = journey;
      const [origin, ...stops] = points.map((point) => ({ ...point, dwellMinutes: null }));
      if (!origin || points.length < 3) continue;
      const whole = await price(journey);
      const driven = whole && (await price({ ...journey, points: [origin, ...stops], waitingMinutes: 0 }));
      if (driven && !findsAnotherWayLater(driven, whole))
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
    assert.ok(compared > RUNS / 2);
  });
});
