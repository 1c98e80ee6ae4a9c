import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Span } from "../../../src/domain/quotes/availability.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { instantOf, quotes, type Setup, told } from "../../support/told.ts";

const { tariff } = defaultCatalog.catalog;
const ids = defaultCatalog.catalog.vehicleClasses.map(({ id }) => id);
type Spans = Readonly<Record<string, readonly Span[]>>;

/** "14:00 to 15:00" on 8 December 2026. */
function from(text: string): Span {
  const [begin = Number.NaN, end = Number.NaN] = text.split(" to ").map((time) => instantOf(time).getTime());
  return { from: begin, to: end };
}

/** While these vehicles are taken; `undefined` where nobody knows. All drives take 60 min, and pickups are at 14:00. */
function taken(spans: Spans | undefined, rules: Partial<typeof tariff> = {}): Setup {
  const all = spans && new Map(ids.map((id) => [id, spans[id] ?? []]));
  const own = { ...tariff, turnaroundMinutes: 30, ...rules };
  return { measured: {}, availability: { taken: () => all }, rules: { tariff: own } };
}

const everyClass: Spans = Object.fromEntries(ids.map((id) => [id, [from("14:00 to 15:00")]]));
const OTHERS = "estate, first_class, van, first_class_van";
const ALL = `sedan, ${OTHERS}`;

suite("a class whose vehicles are taken", () => {
  told(
    "is not offered, and the traveler hears why",
    taken({ sedan: [from("14:00 to 15:00")], van: [from("15:00 to 15:10")] }),
    `at 14:00 -> offers estate, first_class, first_class_van
      -> says Not offered at that time: Sedan, Van. All of these vehicles are taken.
      -> never On request`,
  );
  told(
    "is on request at its price where the operator prefers that",
    taken({ sedan: [from("14:00 to 15:00")] }, { takenClasses: "on_request" }),
    `at 14:00 -> offers sedan on request, ${OTHERS}
      -> costs 2000 + 100 × 280 = 30000
      -> says All of these vehicles are taken at that time: Sedan.
      -> says On request: Sedan. Example Transfers (+41 00 000 00 00, bookings@transfers.example) must confirm before booking.`,
  );

  for (const [span, offered] of [
    ["13:00 to 13:30", ALL],
    ["13:00 to 13:31", OTHERS],
    ["15:00 to 23:00", OTHERS],
    ["15:29 to 23:00", OTHERS],
    ["15:30 to 23:00", ALL],
    ["01:00 to 23:00", OTHERS],
  ] as const)
    told(
      `is taken from the turnaround of 30 min before the pickup to that after the arrival: ${span}`,
      taken({ sedan: [from(span)] }),
      `at 14:00 -> offers ${offered}`,
    );
  told(
    "is free up to the pickup without a turnaround",
    taken({ sedan: [from("13:00 to 13:59")] }, { turnaroundMinutes: 0 }),
    `at 14:00 -> offers ${ALL}`,
  );

  told(
    "may be of either direction of a return, and is free between the two",
    taken({ sedan: [from("17:00 to 20:00")], van: [from("21:10 to 21:20")] }),
    `at 14:00             -> offers ${ALL}
     at 14:00; back 21:00 -> offers sedan, estate, first_class, first_class_van
      -> says Not offered at that time: Van. All of these vehicles are taken.`,
  );
  told(
    "is occupied for all hours of a hire, and for the stays of a journey",
    taken({ sedan: [from("18:45 to 19:00")] }),
    `at 14:00; hire 4                             -> offers ${ALL}
     at 14:00; hire 5                             -> offers ${OTHERS}
     Zurich Airport > Olten > Bern; at 14:00      -> offers ${ALL}
     Zurich Airport > Olten 240' > Bern; at 14:00 -> offers ${OTHERS}`,
  );
  told(
    "is NO_ELIGIBLE_VEHICLE with the reason where no other fits",
    taken(everyClass),
    `at 14:00 -> refuses NO_ELIGIBLE_VEHICLE
      -> says No vehicle class that fits is sold at that time. All vehicles are taken.
      -> says another date or time, or to contact Example Transfers`,
  );
});

const ON_REQUEST = ALL.replaceAll(/(\w+)/g, "$1 on request");
for (const [why, setup] of [
  ["all are taken and sold on request", taken(everyClass, { takenClasses: "on_request" })],
  ["nobody knows what is taken", taken(undefined)],
] as const) {
  told(`where ${why}, every class is on request`, setup, `at 14:00 -> offers ${ON_REQUEST}`);
  test(`where ${why}, nothing is payable at once`, async () => {
    const { requiresManualConfirmation, route } = await quotes(setup)("at 14:00");
    assert.deepEqual([requiresManualConfirmation, route.automaticallyPayable], [true, false]);
  });
}
told(
  "while nobody knows what is taken, that is said",
  taken(undefined),
  `at 14:00 -> says It is not known now whether one of these vehicles is free at that time: Sedan, Estate car, First-class sedan, Van, First-class van.`,
);
told(
  "a class that was not read is on request",
  { measured: {}, availability: { taken: () => new Map([["sedan", []]]) } },
  `at 14:00 -> offers ${ON_REQUEST.replace("sedan on request", "sedan")}`,
);
