import assert from "node:assert/strict";
import { before, suite, test } from "node:test";
import { type Charge, linesOf } from "../../src/contract/charges.ts";
import { PublicError } from "../../src/contract/errors.ts";
import { durationText, francsText } from "../../src/contract/notice-formats.ts";
import type { Notice } from "../../src/contract/notices.ts";
import { optionNotices } from "../../src/domain/quotes/price-notices.ts";
import type { Journey } from "../../src/domain/quotes/quote.ts";
import { AN_AGENCY, aGeneratedCatalog } from "../support/generated-catalog.ts";
import { aPoint, aStop, defaultCatalog, pricing, to } from "../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../support/seed.ts";

const CATALOGS = 15;
const MINUTE = 60_000;
/** Of pickups that `aClock()` accepts. */
const FIRST = Date.parse("2026-12-02T00:00:00Z");
const PLACES = ["Zurich Airport", "Geneva Airport", "Zermatt", "Davos", "Verbier", "Lucerne", "Annecy", "Interlaken"];

const random = randomOf("explanations");
const { upTo, anyOf, seed } = random;
const chance = (share: number) => random.random() < share;
const offers = [defaultCatalog.catalog, ...Array.from({ length: CATALOGS }, () => aGeneratedCatalog(random))].map(
  (catalog) => ({ catalog, price: pricing({ ...defaultCatalog, catalog }) }),
);

function aJourney(): Partial<Journey> {
  const pickupAt = new Date(FIRST + upTo(330 * 24 * 60) * MINUTE);
  const isHire = chance(0.3);
  const stops = chance(0.4) ? Array.from({ length: 1 + upTo(1) }, () => anyOf(PLACES)) : [];
  const [from, end] = [anyOf(PLACES), anyOf(PLACES)];
  return {
    points: [
      aPoint(from),
      ...stops.map((name, index) => ({ ...aStop(name, anyOf([0, 10, 60, 200])), field: `waypoints.${index}.name` })),
      to(end),
    ],
    pickupAt: chance(0.4) ? new Date(pickupAt.setUTCHours(20 + upTo(9), upTo(59))) : pickupAt,
    hireHours: isHire ? 1 + upTo(60) / 4 : null,
    returnAt: !isHire && chance(0.3) ? new Date(pickupAt.getTime() + (1_500 + upTo(9_000)) * MINUTE) : null,
    waitingMinutes: chance(0.5) ? upTo(150) : 0,
    specialItems: chance(0.2) ? [{ kind: "bicycle", count: 1 }] : [],
  };
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
  const faults = { total: [] as string[], unexplained: [] as string[], madeUp: [] as string[] };
  const seen = new Set<string>();

  before(async () => {
    for (let count = 0; count < RUNS; count++) {
      const { catalog, price } = anyOf(offers);
      const journey = aJourney();
      const priced = await price(journey, chance(0.2) ? AN_AGENCY : undefined).catch((error: unknown) => {
        assert.ok(error instanceof PublicError, String(error));
      });
      for (const option of priced?.options ?? []) {
        const { charges, totalRappen } = option;
        const add = (to: string[], fault: string) =>
          to.push(`${fault}: ${seed}, ${option.vehicleClass} of ${JSON.stringify({ ...journey, charges })}`);
        const lines = linesOf(charges);
        const sum = lines.reduce((total, { rappen }) => total + rappen, 0);
        const isWhole = sum > 0 && lines.every(({ rappen }) => Number.isInteger(rappen));
        if (!isWhole || sum !== totalRappen || sum % catalog.tariff.roundingRappen !== 0)
          add(faults.total, `${sum} of ${totalRappen}`);
        if (priced?.returnAt && !lines.some(({ label }) => label.startsWith("Return: ")))
          add(faults.total, "no line of the return");
        const notices = optionNotices(priced?.notices ?? [], option);
        for (const { code, rappen } of charges) {
          const sentence = SENTENCES[code];
          if (rappen !== 0 && sentence && !notices.some((each) => sentence.test(each.code)))
            add(faults.unexplained, code);
        }
        for (const notice of notices) {
          const madeUp = madeUpIn(notice, charges);
          if (madeUp) seen.add(notice.code);
          if (madeUp && madeUp.length > 0) add(faults.madeUp, madeUp.join(", "));
        }
      }
    }
  });

  const none = (found: readonly string[]) => assert.deepEqual(found.slice(0, 3), []);
  test("the lines of a price add up to its total, which is rounded", () => none(faults.total));
  test("each charge has the sentence that explains it", () => none(faults.unexplained));
  test("each number of a sentence is a value of the charge that it explains", () => none(faults.madeUp));

  test("every kind of sentence about a charge is met", () => {
    const codes = ["WAITING", "AGREED_WAITING", "FIXED_FARE", "HOLIDAY_SURCHARGE", "SEASON", "NIGHT_SURCHARGE"];
    for (const code of [...codes, "DRIVER_WAITS", "HIRE_OVERTIME", "TRANSFER_MINIMUM", "EXTRA_KM"])
      assert.ok(seen.has(code), `${code}, not in: ${[...seen].join(", ")}`);
  });
});
