import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Charge, linesOf } from "../../src/contract/charges.ts";
import { PublicError } from "../../src/contract/errors.ts";
import { durationText, francsText } from "../../src/contract/notice-formats.ts";
import type { Notice } from "../../src/contract/notices.ts";
import { optionNotices } from "../../src/domain/quotes/price-notices.ts";
import type { Journey, PricedJourney } from "../../src/domain/quotes/quote.ts";
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

/** Asserts that each number of a sentence about a charge is one of the values of a charge that it explains. */
function assertFromCharges({ code, text, values }: Notice, charges: readonly Charge[]): boolean {
  // Waiting within the hours of a hire is no charge.
  if (values.hire !== undefined) return false;
  const explained = charges.filter((each) => SENTENCES[each.code]?.test(code));
  const own = explained.filter(({ direction }) => values.leg === undefined || direction === values.leg);
  const written = ` ${writtenIn(own).replaceAll(/[^\d.:]+/g, " ")} `;
  for (const [number] of text.matchAll(/\d+(?:[.:]\d+)*/g))
    assert.ok(written.includes(` ${number} `), `${number} is no value of ${JSON.stringify(own)}`);
  return own.length > 0;
}

function assertExplained(priced: PricedJourney, option: PricedJourney["options"][number]): readonly string[] {
  const { charges, totalRappen } = option;
  const lines = linesOf(charges);
  assert.equal(
    lines.reduce((total, { rappen }) => total + rappen, 0),
    totalRappen,
  );
  assert.ok(totalRappen > 0 && lines.every(({ rappen }) => Number.isInteger(rappen)));
  assert.ok(priced.returnAt === null || lines.some(({ label }) => label.startsWith("Return: ")));
  const notices = optionNotices(priced.notices, option);
  for (const { code, rappen } of charges) {
    const sentence = SENTENCES[code];
    if (rappen !== 0 && sentence)
      assert.ok(
        notices.some((each) => sentence.test(each.code)),
        `${code} is not explained`,
      );
  }
  const about = notices.filter(({ code }) => Object.values(SENTENCES).some((sentence) => sentence.test(code)));
  return about.filter((each) => assertFromCharges(each, charges)).map(({ code }) => code);
}

suite("what is said about a price is what was charged", () => {
  test(`in ${RUNS} journeys`, async () => {
    const seen = new Set<string>();
    for (let count = 0; count < RUNS; count++) {
      const { catalog, price } = anyOf(offers);
      const journey = aJourney();
      const priced = await price(journey, chance(0.2) ? AN_AGENCY : undefined).catch((error: unknown) => {
        assert.ok(error instanceof PublicError, String(error));
      });
      for (const option of priced?.options ?? []) {
        try {
          assert.equal(option.totalRappen % catalog.tariff.roundingRappen, 0);
          for (const code of assertExplained(priced as PricedJourney, option)) seen.add(code);
        } catch (error) {
          assert.fail(
            `${error}\n${seed}: ${option.vehicleClass} of ${JSON.stringify(journey)}\n${priced?.limitations.join("\n")}`,
          );
        }
      }
    }
    const codes = ["WAITING", "AGREED_WAITING", "FIXED_FARE", "HOLIDAY_SURCHARGE", "SEASON", "NIGHT_SURCHARGE"];
    for (const code of [...codes, "DRIVER_WAITS", "HIRE_OVERTIME", "TRANSFER_MINIMUM", "EXTRA_KM"])
      assert.ok(seen.has(code), `${code}, not in: ${[...seen].join(", ")}`);
  });
});
