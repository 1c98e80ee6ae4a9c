import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { linesOf } from "../../src/contract/charges.ts";
import type { Journey } from "../../src/domain/quotes/quote.ts";
import { allPairs } from "../support/all-pairs.ts";
import { aPoint, aStop, defaultCatalog, pricing, to, totalOf } from "../support/quoting-fixture.ts";

/** What may meet in one journey; the first value of each asks for least. */
const FEATURES = {
  waiting: [0, 45, 100],
  stay: [null, 10, 90],
  shape: ["one way", "round trip", "return"],
  by: ["transfer", "hire"],
  fare: ["distance", "fixed"],
  season: ["none", "surcharge", "discounts"],
  hour: ["14:00", "23:20", "03:30"],
  items: [[], ["bicycle", "pet"]],
  client: [undefined, "agency"],
} as const;
type Features = { readonly [Name in keyof typeof FEATURES]: (typeof FEATURES)[Name][number] };

const NAMES = Object.keys(FEATURES) as (keyof Features)[];
const ROWS = allPairs(NAMES.map((name) => FEATURES[name].length)).map(
  (row) =>
    Object.fromEntries(row.map((value, index) => [NAMES[index], FEATURES[NAMES[index] ?? "by"][value]])) as Features,
);

const season = (id: string, percent: number) => ({ id, label: id, percent });
const SEASONS = {
  none: [],
  surcharge: [season("Ski", 20), { ...season("Evening", 10), hours: { from: 23, to: 24 } }],
  discounts: [season("Spring", -25), season("Early", -20)],
};

function priceOf({ fare, season, client, ...features }: Features) {
  const rappen = { sedan: 30_000, van: 41_001 };
  const route = { from: "zurich-airport", to: "bern", bothWays: true };
  const fixed = {
    id: "bern",
    label: "Bern",
    routes: [route],
    rappen,
    includes: ["night" as const],
    freeWaitingMinutes: 20,
  };
  const catalog = {
    ...defaultCatalog.catalog,
    fares: fare === "fixed" ? [fixed] : [],
    seasons: SEASONS[season],
    clients: [{ id: "agency", label: "Agency price", percent: -10 }],
  };
  return pricing({ ...defaultCatalog, catalog })(journeyOf(features), client);
}

function journeyOf({
  waiting,
  stay,
  shape,
  by,
  hour,
  items,
}: Omit<Features, "fare" | "season" | "client">): Partial<Journey> {
  const airport = aPoint("Zurich Airport");
  // A round trip needs a stop elsewhere.
  const stops = shape === "round trip" ? [aStop("Bern", stay)] : stay === null ? [] : [aStop("Olten", stay)];
  const pickupAt = new Date(`2026-12-08T${hour}:00+01:00`);
  const isReturn = shape === "return" && by === "transfer";
  return {
    points: [airport, ...stops, to(shape === "round trip" ? "Zurich Airport" : "Bern")],
    ...{ pickupAt, waitingMinutes: waiting, hireHours: by === "hire" ? 3 : null },
    returnAt: isReturn ? new Date("2026-12-10T12:00:00+01:00") : null,
    specialItems: items.map((kind) => ({ kind, count: 1 })),
  };
}

suite(`pairs of features, in ${ROWS.length} journeys`, () => {
  test("each pair stands in a journey", () => {
    const pairs = new Set(
      ROWS.flatMap((row) => NAMES.flatMap((a) => NAMES.map((b) => JSON.stringify([a, row[a] ?? "", b, row[b] ?? ""])))),
    );
    const wanted = NAMES.flatMap((a) =>
      NAMES.map((b) => (a === b ? FEATURES[a].length : FEATURES[a].length * FEATURES[b].length)),
    );
    assert.equal(
      pairs.size,
      wanted.reduce((sum, count) => sum + count, 0),
    );
    assert.ok(ROWS.length < 30, `${ROWS.length}`);
  });

  for (const row of ROWS)
    test(NAMES.map((name) => `${name} ${row[name] ?? "none"}`).join(", "), async () => {
      const priced = await priceOf(row);
      for (const { totalRappen, charges } of priced.options) {
        assert.ok(totalRappen > 0);
        for (const direction of ["outbound", "return", undefined]) {
          const own = linesOf(charges).filter((line) => line.direction === direction);
          assert.equal(own.reduce((sum, { rappen }) => sum + rappen, 0) % 5, 0, `${direction}`);
        }
      }
      const free = priced.options.flatMap(({ charges }) =>
        charges.flatMap(({ values }) => [
          ...("freeMinutes" in values ? [values.freeMinutes] : []),
          ...("returnFreeMinutes" in values ? [values.returnFreeMinutes] : []),
        ]),
      );
      for (const { code, values } of priced.notices)
        if ("free_min" in values) assert.ok(free.includes(Number(values.free_min)), code);
      // Asking for less never costs more.
      for (const name of ["waiting", "stay", "items"] as const) {
        const [least] = FEATURES[name];
        const less = await priceOf({ ...row, [name]: least });
        for (const { vehicleClass, totalRappen } of priced.options)
          assert.ok(
            (totalOf(less, vehicleClass) ?? 0) <= totalRappen,
            `${vehicleClass} without ${name}: ${totalOf(less, vehicleClass)} > ${totalRappen}`,
          );
      }
    });
});
