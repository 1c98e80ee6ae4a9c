import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PublicError } from "../../src/contract/errors.ts";
import { crowFliesKm } from "../../src/domain/places/geo.ts";
import type { PricedJourney } from "../../src/domain/quotes/quote.ts";
import type { MeasuredRoute, Router } from "../../src/domain/routing/router.ts";
import { AN_AGENCY, aGeneratedCatalog } from "../support/generated-catalog.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../support/random.ts";
import { linesFor, quotes } from "../support/told.ts";

/** Of each property. */
const CASES = Math.ceil(RUNS / 2);
const CATALOGS = 25;
const MOST_STOPS = 10;
const MINUTE = 60_000;
/** Of pickups that `aClock()` accepts. */
const FIRST = Date.parse("2026-12-02T00:00:00Z");

const dice = randomOf("more never costs less");
const { random, upTo, anyOf, seed } = dice;
const chance = (share: number) => random() < share;
const TOWNS = defaultCatalog.catalog.places.filter(({ kind }) => kind !== "station");
const IN_THE_MIDDLE = TOWNS.filter((town) => crowFliesKm({ lat: 46.8, lng: 8.2 }, town) < 120).map(({ name }) => name);
const PLACES = ["Zurich Airport", "Geneva Airport", "Zermatt", "Davos", "Verbier", "Lucerne", "Interlaken", "Wengen"];
const beside = ({ lat, lng }: { readonly lat: number; readonly lng: number }) =>
  `${(lat + (random() - 0.5) / 15).toFixed(5)}, ${(lng + (random() - 0.5) / 10).toFixed(5)}`;
/** A place, or a position beside one, which may lie in it, beyond it or on another road. */
const aPlace = () => (chance(0.15) ? beside(anyOf(TOWNS)) : chance(0.6) ? anyOf(PLACES) : anyOf(TOWNS).name);

/** A journey in words, part by part; the stops of `way` with their stays. */
interface Wish {
  readonly way: readonly string[];
  readonly at: string;
  readonly parts: Readonly<Record<string, number | string | undefined>>;
}

function wordsOf({ way, at, parts }: Wish): string {
  const stated = Object.entries(parts).flatMap(([word, value]) => (value === undefined ? [] : [`${word} ${value}`]));
  return [way.join(" > "), `at ${at}`, ...stated].join("; ");
}

/** Among its stops are some at the two ends, and the same place twice in a row. */
function aWish(): Wish {
  const pickup = new Date(FIRST + upTo(330 * 24 * 60) * MINUTE);
  // At night, and in the last hour before it, from which waiting leads on.
  if (chance(0.4)) pickup.setUTCHours(anyOf([22, upTo(6)]), upTo(59));
  const isHire = chance(0.3);
  const way = [aPlace()];
  const end = chance(0.1) ? (way[0] ?? "") : aPlace();
  const count = chance(0.5) || end === way[0] ? (chance(0.06) ? MOST_STOPS - upTo(3) : 1 + upTo(3)) : 0;
  while (way.length <= count) way.push(chance(0.3) ? anyOf([way[0] ?? "", end, way.at(-1) ?? ""]) : aPlace());
  const stops = way
    .slice(1)
    .map((stop) => `${stop.replace(/ \d+'$/, "")}${anyOf(["", " 0'", " 10'", " 45'", " 200'"])}`);
  return {
    way: [way[0] ?? "", ...stops, end],
    at: pickup.toISOString(),
    parts: {
      hire: isHire ? 1 + upTo(60) / 4 : undefined,
      back: !isHire && chance(0.3) ? laterThan(pickup.toISOString(), 1_500 + upTo(9_000)) : undefined,
      ...{ wait: chance(0.3) ? upTo(150) : 0, people: 1 + upTo(6), bags: upTo(4), children: 0, with: undefined },
    },
  };
}

function laterThan(at: string, minutes: number): string {
  return new Date(Date.parse(at) + minutes * MINUTE).toISOString();
}

const withParts = (wish: Wish, parts: Wish["parts"]): Wish => ({ ...wish, parts: { ...wish.parts, ...parts } });
const plus = (part: string, more: () => number) => (wish: Wish) => {
  const { [part]: value } = wish.parts;
  return value === undefined ? wish : withParts(wish, { [part]: Number(value) + more() });
};

/** Each asks for more. */
const CHANGES: Readonly<Record<string, (wish: Wish) => Wish>> = {
  "a passenger": plus("people", () => 1),
  "a child": plus("children", () => 1),
  luggage: plus("bags", () => 1),
  "a special item": (wish) => withParts(wish, { with: `1 ${anyOf(["pet", "bicycle", "child_seat"])}` }),
  "a minute of waiting": plus("wait", () => 1),
  waiting: plus("wait", () => 1 + upTo(120)),
  "an hour of a hire": plus("hire", () => 1),
  "hours of a hire": plus("hire", () => upTo(90) / 10),
  "a stop": (wish) => ({ ...wish, way: withStop(wish.way) }),
  "a stop between": (wish) => (wish.way.length > 2 ? wish : { ...wish, way: withStop(wish.way) }),
  "a longer stay": ({ way: [from = "", stop = "", ...others], ...wish }) => {
    const [, place, minutes = 0] = /^(.+?)(?: (\d+)')?$/.exec(stop) ?? [];
    const longer = others.length > 0 ? `${place} ${Number(minutes) + upTo(90)}'` : stop;
    return { ...wish, way: [from, longer, ...others] };
  },
  "a return": (wish) =>
    wish.parts.back !== undefined || wish.parts.hire !== undefined
      ? wish
      : withParts(wish, { back: laterThan(wish.at, 1_500 + upTo(12_000)) }),
};

function withStop(way: readonly string[]): readonly string[] {
  if (way.length === MOST_STOPS + 2) return way;
  const at = 1 + upTo(way.length - 2);
  const near = way.slice(at - 1, at + 1).map((stop) => stop.replace(/ \d+'$/, ""));
  const name = chance(0.1) ? anyOf(near) : chance(0.5) ? anyOf(IN_THE_MIDDLE) : aPlace();
  return [...way.slice(0, at), `${name}${anyOf(["", " 0'"])}`, ...way.slice(at)];
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

type Measured = PricedJourney & {
  readonly words: string;
  readonly measured: ReadonlyMap<string, readonly MeasuredRoute[]>;
};
const SETUPS = [{}, ...Array.from({ length: CATALOGS }, () => ({ rules: aGeneratedCatalog(dice) }))];

/** Prices wishes in one of the catalogs; `undefined` what is refused. */
function aPrice() {
  const price = quotes({ router, ...anyOf(SETUPS), ...(chance(0.2) && { client: AN_AGENCY }) });
  return async (wish: Wish): Promise<Measured | undefined> => {
    measured = new Map();
    const words = wordsOf(wish);
    try {
      return { ...(await price(words)), words, measured };
    } catch (error) {
      if (error instanceof PublicError) return undefined;
      throw error;
    }
  };
}

/** How many options are compared. */
function assertNoCheaper(less: Measured, more: Measured, what: string): number {
  const totals = new Map(less.options.map(({ vehicleClass, totalRappen }) => [vehicleClass, totalRappen]));
  const both = more.options.filter(({ vehicleClass }) => totals.has(vehicleClass));
  for (const { vehicleClass, totalRappen } of both) {
    const [few, many] = [less, more].map((each) => `${each.words}: ${linesFor(each, vehicleClass).join(", ")}`);
    assert.ok(totalRappen >= (totals.get(vehicleClass) ?? 0), `${seed}, ${what}, ${vehicleClass}:\n${few}\n${many}`);
  }
  return both.length;
}

/** A later departure may find a shorter way open, a pass or a car train in the morning, or none at all. */
const findsAnotherWayLater = (less: Measured, more: Measured) =>
  [...less.measured].some(([key, before]) => {
    const after = more.measured.get(key);
    return !after || before.some((route) => after.some((later) => isLess(later, route)));
  });
const isLess = (a: MeasuredRoute, b: MeasuredRoute) =>
  a.exact !== undefined &&
  b.exact !== undefined &&
  (a.exact.km < b.exact.km - 1e-9 || a.exact.minutes < b.exact.minutes - 1e-9 || a.feesRappen < b.feesRappen);

suite("what a price may never do", () => {
  test(`more never costs less, in ${2 * CASES} journeys`, async () => {
    const compared = new Map<string, number>();
    for (let count = 0; count < CASES; count++) {
      const [wish, price] = [aWish(), aPrice()];
      const less = await price(wish);
      for (let each = 0; less && each < 2; each++) {
        const [name, change] = anyOf(Object.entries(CHANGES));
        const other = await price(change(wish));
        if (!other || findsAnotherWayLater(less, other)) continue;
        if (assertNoCheaper(less, other, name) > 0) compared.set(name, (compared.get(name) ?? 0) + 1);
      }
    }
    for (const name of Object.keys(CHANGES))
      assert.ok((compared.get(name) ?? 0) > CASES / 100, `${name}: ${compared.get(name)}`);
  });

  test(`a hire costs at least the transfer, a round trip too, in ${CASES} journeys`, async () => {
    let compared = 0;
    for (let count = 0; count < CASES; count++) {
      const [wish, price] = [aWish(), aPrice()];
      const { hire: hours = 1 + upTo(20) } = wish.parts;
      const transfer = await price(withParts(wish, { back: undefined, hire: undefined }));
      const hire = transfer && (await price(withParts(wish, { back: undefined, hire: hours })));
      if (hire) compared += assertNoCheaper(transfer, hire, "a hire");
    }
    assert.ok(compared > CASES / 2);
  });

  test(`a driver who waits costs at least the drive, and each part of it, in ${CASES} journeys`, async () => {
    let compared = 0;
    for (let count = 0; count < CASES; count++) {
      const [wish, price] = [withParts(aWish(), { back: undefined, hire: undefined }), aPrice()];
      const whole = wish.way.length > 2 && (await price(wish));
      if (!whole) continue;
      const way = wish.way.map((stop) => stop.replace(/ \d+'$/, ""));
      const driven = await price(withParts({ ...wish, way }, { wait: 0 }));
      if (driven && !findsAnotherWayLater(driven, whole)) compared += assertNoCheaper(driven, whole, "the drive");
      // After a wait another way may be open.
      const first = wish.parts.wait === 0 && (await price({ ...wish, way: way.slice(0, 2) }));
      if (first) compared += assertNoCheaper(first, whole, "the first part");
    }
    assert.ok(compared > CASES / 2);
  });
});
