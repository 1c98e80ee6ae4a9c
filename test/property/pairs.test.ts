import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { type Charge, linesOf } from "../../src/contract/charges.ts";
import { PublicError } from "../../src/contract/errors.ts";
import { durationText, francsText } from "../../src/contract/notice-formats.ts";
import type { Notice } from "../../src/contract/notices.ts";
import type { Fare, Season } from "../../src/domain/catalog/offer-schema.ts";
import { optionNotices } from "../../src/domain/quotes/price-notices.ts";
import type { PricedJourney } from "../../src/domain/quotes/quote.ts";
import { AN_AGENCY, aGeneratedCatalog } from "../support/generated-catalog.ts";
import { defaultCatalog, totalOf } from "../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../support/random.ts";
import { quotes } from "../support/told.ts";

const random = randomOf("pairs of features");
const { anyOf, upTo, seed } = random;
const CATALOGS = [defaultCatalog.catalog, ...Array.from({ length: 15 }, () => aGeneratedCatalog(random))];

/** What may meet in one journey; the first value of each asks for least. */
const FEATURES = {
  wait: [0, 45, 150],
  stay: ["", " 10'", " 200'"],
  shape: ["one way", "stop", "round trip", "return"],
  by: ["transfer", "hire"],
  fare: ["distance", "fixed", "random"],
  season: ["none", "surcharges", "discounts", "random"],
  hour: ["14:00", "23:20", "03:30"],
  items: ["", "; with 1 bicycle, 1 pet"],
  client: ["", AN_AGENCY],
} as const;
type Features = { readonly [Name in keyof typeof FEATURES]: (typeof FEATURES)[Name][number] };
const NAMES = Object.keys(FEATURES) as (keyof Features)[];
const PLACES = ["Bern", "Bern", "Zermatt", "Davos", "Verbier", "Lucerne", "Annecy", "Interlaken"];

const season = (id: string, percent: number, rest: Partial<Season> = {}) => ({ id, label: id, percent, ...rest });
const SEASONS: Readonly<Record<string, readonly Season[]>> = {
  none: [],
  surcharges: [season("Ski", 20), season("Evening", 10, { hours: { from: 23, to: 24 } })],
  discounts: [season("Spring", -25), season("Early", -20)],
};
const FIXED: Fare = {
  ...{ id: "bern", label: "Bern", routes: [{ from: "zurich-airport", to: "bern", bothWays: true }] },
  ...{ rappen: { sedan: 30_000, van: 41_001 }, includes: ["night"], freeWaitingMinutes: 20 },
};

/** A journey of these features, and its price and that of a journey that asks for less, in a catalog with them. */
function aCase({ fare, season, client, ...features }: Features) {
  const catalog = anyOf(CATALOGS);
  const fares = { distance: [], fixed: [FIXED], random: catalog.fares }[fare];
  const seasons = SEASONS[season] ?? catalog.seasons;
  const clients = [{ id: AN_AGENCY, percent: -10, ...(upTo(1) && { label: "Agency price" }) }];
  const price = quotes({ rules: { ...catalog, fares, seasons, clients }, ...(client && { client }) });
  const [from, end] = [anyOf(["Zurich Airport", "Geneva Airport"]), anyOf(PLACES)];
  const [month, day] = [1 + upTo(8), upTo(9)];
  const backAt = anyOf([`2027-0${month}-1${day} 23:55`, `2027-0${month}-2${day} 12:00`]);
  const words = ({ wait, stay, shape, by, hour, items }: typeof features) => {
    const ends = { "one way": [], return: [], stop: [`Olten${stay}`, end], "round trip": [`${end}${stay}`, from] }[
      shape
    ];
    const back = shape === "return" && by === "transfer" ? `; back ${backAt}` : "";
    const hire = by === "hire" ? `; hire ${3 + (wait % 7) / 2}` : "";
    const way = [from, ...(ends.length > 0 ? ends : [end])].join(" > ");
    return `${way}; at 2027-0${month}-1${day} ${hour}; wait ${wait}${back}${hire}${items}`;
  };
  const journey = words(features);
  const asked = { wait: { wait: 0 }, stay: { stay: "" }, items: { items: "" } } as const;
  // Elsewhere another way may be open after the wait.
  const less = end === "Bern" && words({ ...features, ...asked[anyOf(["wait", "stay", "items"] as const)] });
  return { journey, less, price, roundingRappen: catalog.tariff.roundingRappen };
}

/** The notices that explain a charge of each code; other charges need no sentence. */
const SENTENCES: Readonly<Record<string, RegExp>> = {
  fixed: /^FIXED_FARE$/,
  hire: /^(HIRE|HIRE_OVERTIME|TRANSFER_MINIMUM)$/,
  extra: /^EXTRA_KM/,
  hire_minimum: /^HIRE_MINIMUM/,
  night: /^NIGHT/,
  holidays: /^HOLIDAY/,
  season: /^SEASON/,
  agreed: /^SEASON/,
  waiting: /^(AGREED_)?WAITING$/,
  dwell: /^DRIVER_WAITS/,
  stops_minimum: /^PART_MINIMUM/,
  part_minimum: /^PART_MINIMUM/,
  transfer_minimum: /^TRANSFER_MINIMUM/,
};
const MET = ["WAITING", "AGREED_WAITING", "FIXED_FARE", "HOLIDAY_SURCHARGE", "SEASON", "NIGHT_SURCHARGE"];
MET.push("DRIVER_WAITS", "HIRE_OVERTIME", "TRANSFER_MINIMUM", "EXTRA_KM");

/** Every value that charges were calculated from, as sentences write it. */
function writtenIn(charges: readonly Charge[]): string {
  return JSON.stringify(charges, (_name, value) =>
    typeof value === "number" ? [Math.abs(value), durationText(Math.abs(value)), francsText(value)].join(" ; ") : value,
  );
}

/** Numbers of a sentence about charges that are no value of a charge that it explains; `undefined` for other sentences. */
function madeUpIn({ code, text, values }: Notice, charges: readonly Charge[]): readonly string[] | undefined {
  // Waiting within the hours of a hire is no charge.
  if (values.hire !== undefined || !Object.values(SENTENCES).some((sentence) => sentence.test(code))) return undefined;
  const explained = charges.filter((each) => SENTENCES[each.code]?.test(code));
  const own = explained.filter(({ direction }) => values.leg === undefined || direction === values.leg);
  const written = ` ${writtenIn(own).replaceAll(/[^\d.:]+/g, " ")} `;
  const numbers = [...text.matchAll(/\d+(?:[.:]\d+)*/g)].map(([number]) => number);
  return numbers.filter((number) => !written.includes(` ${number} `)).map((number) => `${number} in "${text}"`);
}

suite(`what is said about a price is what was charged, in ${RUNS} journeys`, () => {
  const faults = { total: [] as string[], unexplained: [] as string[], madeUp: [] as string[], dearer: [] as string[] };
  const [pairs, codes] = [new Set<string>(), new Set<string>()];

  before(async () => {
    for (let count = 0; count < RUNS; count++) {
      const features = Object.fromEntries(NAMES.map((name) => [name, anyOf<unknown>(FEATURES[name])])) as Features;
      const { price, journey, less, roundingRappen } = aCase(features);
      const pricedOrRefused = (of: string) =>
        price(of).catch((error: unknown) => {
          assert.ok(error instanceof PublicError, String(error));
        });
      const priced = await pricedOrRefused(journey);
      const other = less ? await pricedOrRefused(less) : undefined;
      if (!priced) continue;
      for (const a of NAMES) for (const b of NAMES) pairs.add(JSON.stringify([a, features[a], b, features[b]]));
      for (const option of priced.options) {
        const add = (to: string[], fault: string) =>
          to.push(`${fault}: ${seed}, ${option.vehicleClass}, ${journey}: ${JSON.stringify(option.charges)}`);
        check(priced, option, roundingRappen, add);
        const least = other && totalOf(other, option.vehicleClass);
        if (least !== undefined && least > option.totalRappen) add(faults.dearer, `${least} for ${less}`);
      }
    }
  });

  function check(
    { notices, returnAt }: PricedJourney,
    option: PricedJourney["options"][number],
    roundingRappen: number,
    add: (to: string[], fault: string) => void,
  ) {
    const lines = linesOf(option.charges);
    const sum = lines.reduce((total, { rappen }) => total + rappen, 0);
    const isWhole = sum > 0 && lines.every(({ rappen }) => Number.isInteger(rappen));
    if (!isWhole || sum !== option.totalRappen || sum % roundingRappen !== 0)
      add(faults.total, `${sum} of ${option.totalRappen}`);
    if (returnAt && !lines.some(({ label }) => label.startsWith("Return: ")))
      add(faults.total, "no line of the return");
    const own = optionNotices(notices, option);
    for (const { code, rappen } of option.charges) {
      const sentence = SENTENCES[code];
      if (rappen !== 0 && sentence && !own.some((each) => sentence.test(each.code))) add(faults.unexplained, code);
    }
    for (const notice of own) {
      const madeUp = madeUpIn(notice, option.charges);
      if (madeUp) codes.add(notice.code);
      if (madeUp && madeUp.length > 0) add(faults.madeUp, madeUp.join(", "));
    }
  }

  const none = (found: readonly string[]) => assert.deepEqual(found.slice(0, 3), []);
  test("the lines of a price add up to its total, which is rounded", () => none(faults.total));
  test("each charge has the sentence that explains it", () => none(faults.unexplained));
  test("each number of a sentence is a value of the charge that it explains", () => none(faults.madeUp));
  test("without waiting, stays or items a journey costs no more", () => none(faults.dearer));
  test("every kind of sentence about a charge is met", () =>
    assert.deepEqual(
      MET.filter((code) => !codes.has(code)),
      [],
    ));
  test("each pair of features meets in a journey", () => {
    const each = NAMES.flatMap((name) => FEATURES[name].map((value) => [name, value] as const));
    const wanted = each.flatMap(([a, x]) => each.flatMap(([b, y]) => (a === b ? [] : JSON.stringify([a, x, b, y]))));
    assert.deepEqual(
      wanted.filter((pair) => !pairs.has(pair)),
      [],
    );
  });
});
