import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Charge, linesOf } from "../../src/contract/charges.ts";
import { PublicError } from "../../src/contract/errors.ts";
import type { Notice, Value } from "../../src/contract/notices.ts";
import { rulesFor } from "../../src/domain/pricing/priced-direction.ts";
import { optionNotices } from "../../src/domain/quotes/price-notices.ts";
import type { Journey, PricedJourney } from "../../src/domain/quotes/quote.ts";
import { AN_AGENCY, aGeneratedCatalog } from "../support/generated-catalog.ts";
import { aPoint, aStop, defaultCatalog, pricing, to } from "../support/quoting-fixture.ts";
import { RUNS, randomOf } from "../support/seed.ts";

const CATALOGS = 15;
const MINUTE = 60_000;
/** Of pickups that `aClock()` accepts. */
const FIRST = Date.parse("2026-12-02T00:00:00Z");
/** Charges that surcharges are a percentage of. */
const FARES: readonly string[] = ["fixed", "transfer", "minimum"];
const PLACES = ["Zurich Airport", "Geneva Airport", "Zermatt", "Davos", "Verbier", "Lucerne", "Annecy", "Interlaken"];

const random = randomOf("explanations");
const { upTo, anyOf, seed } = random;
const chance = (share: number) => random.random() < share;

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

/** The percentage of a percentage, in whole Rappen. */
const percentOf = (rappen: number, percent: number) => Math.round((rappen * percent) / 100);

/** A charge of one code and direction. */
function chargeOf(charges: readonly Charge[], code: string, direction: unknown): Charge | undefined {
  return charges.find((each) => each.code === code && each.direction === (direction ?? null));
}

/**
 * Checks a sentence against what was charged, from the words that the traveler reads: free minutes, steps, percentages
 * and amounts. Returns the codes that it has checked.
 */
function checkSentence(notice: Notice, option: PricedJourney["options"][number], journey: PricedJourney): boolean {
  const { code, values } = notice;
  const { charges, vehicleClass } = option;
  const { tariff } = catalogOf(journey);
  const { waiting } = tariff;
  const rate = tariff.rates[vehicleClass] ?? assert.fail(vehicleClass);
  const leg = values.leg ?? (journey.returnAt === null ? null : "outbound");
  const fare = charges.filter((each) => FARES.includes(each.code) && each.direction === leg);
  const fareRappen = fare.reduce((sum, { rappen }) => sum + rappen, 0);
  const number = (name: string) => Number(firstText(values[name]));
  const near = (rappen: number | undefined, expected: number) =>
    // The rounding of the total is in one charge, and percentages of the fare are taken before it.
    assert.ok(Math.abs((rappen ?? 0) - expected) <= tariff.roundingRappen, `${rappen} ≠ ${expected}`);
  const money = (name: string) => Math.round(Number(firstText(values[name]).replace("CHF ", "")) * 100);

  const labeled = () =>
    charges.find(
      (each) =>
        (each.code === "season" || each.code === "agreed") &&
        each.direction === leg &&
        "label" in each.values &&
        each.values.label === values.season,
    );

  if (code === "WAITING") {
    assert.equal(money("prices"), rate.waitingStepRappen);
    assert.equal(number("step_min"), waiting.stepMinutes);
    if (values.free_min === undefined) {
      assert.ok(journey.returnAt !== null && values.return_free_min !== undefined);
      return true;
    }
    const steps = Math.ceil(Math.max(0, waitingAtPickup(journey) - number("free_min")) / waiting.stepMinutes);
    const own = chargeOf(charges, "waiting", journey.returnAt === null ? null : "outbound");
    const isCapped = charges.some(({ values }) => "isRoundTrip" in values && values.isRoundTrip);
    if (!isCapped && isPickupAlone(journey)) near(own?.rappen, steps * rate.waitingStepRappen);
    return true;
  }
  if (code === "AGREED_WAITING") {
    if (!isPickupAlone(journey)) return true;
    assert.equal(number("minutes"), waitingAtPickup(journey));
    const own = chargeOf(charges, "waiting", journey.returnAt === null ? null : "outbound");
    if (values.hire !== undefined) return true;
    if (values.prices !== undefined) assert.equal(money("prices"), rate.waitingStepRappen);
    near(own?.rappen, (number("charged_min") / waiting.stepMinutes) * rate.waitingStepRappen);
    return true;
  }
  if (code === "FIXED_FARE") {
    const own = chargeOf(charges, "fixed", leg);
    assert.ok(own && "label" in own.values && own.values.label === values.fare);
    const included = String(values.includes).split(", ");
    for (const [part, codes] of Object.entries(PARTS))
      if (included.includes(part))
        assert.ok(
          !charges.some((each) => codes.includes(each.code) && each.direction === leg && each.rappen !== 0),
          part,
        );
    return true;
  }
  if (code === "NIGHT_SURCHARGE" && values.supplement !== undefined) {
    const [, percent = 0] = /([\d.]+) %/.exec(String(values.supplement)) ?? [];
    const [, amount = 0] = /CHF ([\d.]+)/.exec(String(values.supplement)) ?? [];
    const isHire = journey.hireHours !== null;
    near(
      chargeOf(charges, "night", leg)?.rappen,
      (isHire ? 0 : percentOf(fareRappen, Number(percent))) + Number(amount) * 100,
    );
  } else if (code === "NIGHT_SURCHARGE" && values.hours !== undefined) {
    const hours = hourRates(journey, rate, number("of_hours"), isNight);
    assert.equal(hours.length, number("hours"));
    const share = percentOf(
      hours.reduce((sum, rappen) => sum + rappen, 0),
      number("percent"),
    );
    near(chargeOf(charges, "night", null)?.rappen, share + (values.amount === undefined ? 0 : money("amount")));
  } else if (code === "NIGHT_SURCHARGE")
    near(chargeOf(charges, "night", leg)?.rappen, percentOf(fareRappen, number("percent")));
  else if (code === "HOLIDAY_SURCHARGE" && values.hours === undefined)
    near(chargeOf(charges, "holidays", leg)?.rappen, percentOf(fareRappen, number("percent")));
  else if (code === "SEASON" && values.limited === undefined) {
    if (journey.hireHours === null)
      near(labeled()?.rappen, percentOf(fareRappen, number("percent")) * (values.off === undefined ? 1 : -1));
  } else if (code === "SEASON") {
    const most = percentOf(fareRappen, number("percent"));
    const discount = -(labeled()?.rappen ?? 0);
    assert.ok(discount >= 0 && discount <= most + tariff.roundingRappen, `${discount} of ${most}`);
  } else if (code === "DRIVER_WAITS" && values.charged_min !== undefined) {
    assert.equal(money("prices"), rate.waitingStepRappen);
    const own = charges.find(({ values }) => "stayMinutes" in values && values.freeMinutes === number("free_min"));
    near(own?.rappen, (number("charged_min") / waiting.stepMinutes) * rate.waitingStepRappen);
  } else if (code === "EXTRA_KM") {
    const hourKm = tariff.hourly.includedKmPerHour;
    const isCheaper = rate.furtherHourRappen < Math.min(number("km"), hourKm) * rate.perKmRappen;
    assert.equal(values.hour_km, isCheaper ? hourKm : undefined);
    near(chargeOf(charges, "extra", null)?.rappen, number("km") * rate.perKmRappen);
  } else if (code === "HIRE_OVERTIME" || code === "TRANSFER_MINIMUM") {
    assert.equal(
      code === "TRANSFER_MINIMUM",
      charges.some((each) => each.code === "transfer_minimum"),
    );
    assert.equal(number("hour_km"), tariff.hourly.includedKmPerHour);
    assert.equal(money("hour_prices"), rate.furtherHourRappen);
    assert.equal(money("km_prices"), rate.perKmRappen);
  } else return false;
  return true;
}

const PARTS: Readonly<Record<string, readonly string[]>> = {
  train: ["train"],
  tolls: ["tolls"],
  place_fees: ["place_fee"],
  night: ["night"],
  holidays: ["holidays"],
  seasons: ["season"],
};

const firstText = (value: Value | undefined) =>
  typeof value === "object" ? (value[0]?.text ?? "") : String(value ?? "");

const catalogs = new WeakMap<PricedJourney, typeof defaultCatalog.catalog>();
const asked = new WeakMap<PricedJourney, Partial<Journey>>();
const catalogOf = (journey: PricedJourney) => catalogs.get(journey) ?? assert.fail();
const waitingAtPickup = (journey: PricedJourney) => asked.get(journey)?.waitingMinutes ?? 0;
/** A stop at the place of the pickup counts as waiting there. */
const isPickupAlone = ({ stops }: PricedJourney) => stops.length === 0;

const swissHour = new Intl.DateTimeFormat("en", { timeZone: "Europe/Zurich", hour: "numeric", hourCycle: "h23" });

function isNight(at: Date, { fromHour, toHour }: typeof defaultCatalog.catalog.tariff.night): boolean {
  const hour = Number(swissHour.format(at));
  return fromHour < toHour ? hour >= fromHour && hour < toHour : hour >= fromHour || hour < toHour;
}

/** The rates of the hours of a hire that begin at night. */
function hourRates(
  journey: PricedJourney,
  rate: { readonly firstHourRappen: number; readonly furtherHourRappen: number },
  hours: number,
  isWithin: typeof isNight,
): readonly number[] {
  const { night } = catalogOf(journey).tariff;
  return Array.from({ length: hours }, (_, hour) => hour)
    .filter((hour) => isWithin(new Date(Date.parse(journey.pickupAt) + hour * 60 * MINUTE), night))
    .map((hour) => (hour === 0 ? rate.firstHourRappen : rate.furtherHourRappen));
}

const offers = [defaultCatalog.catalog, ...Array.from({ length: CATALOGS }, () => aGeneratedCatalog(random))].map(
  (catalog) => ({ catalog, price: pricing({ ...defaultCatalog, catalog }) }),
);

suite("what is said about a price is what was charged", () => {
  test(`in ${RUNS} journeys`, async () => {
    const seen = new Set<string>();
    for (let count = 0; count < RUNS; count++) {
      const { catalog, price } = anyOf(offers);
      const journey = aJourney();
      const client = chance(0.2) ? AN_AGENCY : undefined;
      const priced = await price(journey, client).catch((error: unknown) => {
        assert.ok(error instanceof PublicError, String(error));
      });
      if (!priced) continue;
      catalogs.set(priced, { ...catalog, tariff: rulesFor(catalog, client).tariff });
      asked.set(priced, journey);
      for (const option of priced.options) {
        const what = `${seed}: ${option.vehicleClass} of ${JSON.stringify({ ...journey, charges: option.charges })}`;
        const sum = linesOf(option.charges).reduce((total, { rappen }) => total + rappen, 0);
        assert.equal(sum, option.totalRappen, what);
        assert.ok(sum > 0, what);
        assert.equal(option.totalRappen % catalog.tariff.roundingRappen, 0, what);
        const notices = optionNotices(priced.notices, option);
        for (const notice of notices) {
          try {
            if (checkSentence(notice, option, priced)) seen.add(variantOf(notice));
          } catch (error) {
            assert.fail(`${notice.text}\n${error}\n${what}`);
          }
        }
        for (const { code, rappen } of option.charges) {
          const explained = SENTENCES[code];
          if (rappen !== 0 && explained)
            assert.ok(
              notices.some((each) => explained.test(each.code)),
              `${code}: ${what}`,
            );
        }
      }
    }
    for (const variant of [
      ...["WAITING free_min", "WAITING each", "WAITING free_min return_free_min", "WAITING return_free_min"],
      ...["AGREED_WAITING charged_min", "AGREED_WAITING", "FIXED_FARE", "HOLIDAY_SURCHARGE", "SEASON", "SEASON off"],
      ...["NIGHT_SURCHARGE", "NIGHT_SURCHARGE hours", "NIGHT_SURCHARGE supplement"],
      ...["HIRE_OVERTIME", "TRANSFER_MINIMUM", "EXTRA_KM"],
    ])
      assert.ok(seen.has(variant), `${variant}, not in: ${[...seen].join(", ")}`);
  });
});

/** The code of a notice, with the values on which parts of its sentence depend. */
function variantOf({ code, values }: Notice): string {
  const isWaiting = code === "WAITING";
  const parts = isWaiting && values.each === undefined ? ["free_min", "return_free_min"] : [];
  return [code, ...[...parts, ...PARTS_OF_SENTENCES].filter((name) => values[name] !== undefined)].join(" ");
}

const PARTS_OF_SENTENCES = ["each", "charged_min", "hours", "off", "supplement"];

/** The sentences that explain a charge. */
const SENTENCES: Readonly<Record<string, RegExp>> = {
  night: /NIGHT/,
  holidays: /HOLIDAY/,
  season: /SEASON/,
  agreed: /SEASON/,
  fixed: /FIXED_FARE/,
  waiting: /^AGREED_WAITING$/,
  dwell: /WAITS/,
  hire: /^HIRE/,
  extra: /EXTRA_KM/,
  stops_minimum: /PART_MINIMUM/,
  transfer_minimum: /TRANSFER_MINIMUM/,
  part_minimum: /PART_MINIMUM/,
  hire_minimum: /HIRE_MINIMUM/,
};
