import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Availability, Span } from "../../../src/domain/quotes/availability.ts";
import type { PricedJourney } from "../../../src/domain/quotes/quote.ts";
import { aRouter } from "../../support/fake-router.ts";
import { aStop, defaultCatalog, pricing, refusalOf, totalOf, via } from "../../support/quoting-fixture.ts";

const { tariff } = defaultCatalog.catalog;
const ids = defaultCatalog.catalog.vehicleClasses.map(({ id }) => id);
type Rules = Partial<Pick<typeof tariff, "takenClasses" | "turnaroundMinutes" | "availabilityMaxAgeMinutes">>;

/** On 8 December 2026, UTC. */
function from(begin: string, end: string): Span {
  return { from: Date.parse(`2026-12-08T${begin}Z`), to: Date.parse(`2026-12-08T${end}Z`) };
}

/** Prices while these vehicles are taken; `undefined` where nobody knows. */
function priced(taken: Readonly<Record<string, readonly Span[]>> | undefined, rules: Rules = {}) {
  const all = taken && new Map(ids.map((id) => [id, taken[id] ?? []]));
  const availability: Availability = { taken: () => all };
  const catalog = { ...defaultCatalog.catalog, tariff: { ...tariff, turnaroundMinutes: 30, ...rules } };
  return pricing({ catalog, availability, router: aRouter() });
}

const pickupAt = new Date("2026-12-08T13:00:00Z");

function classesOf({ options }: PricedJourney): readonly string[] {
  return options.map(({ vehicleClass, onRequest }) => `${vehicleClass}${onRequest ? " on request" : ""}`);
}

function said({ notices }: PricedJourney): readonly string[] {
  const codes = ["NOT_OFFERED", "VEHICLES_ON_REQUEST", "ON_REQUEST"];
  return notices.filter(({ code }) => codes.includes(code)).map(({ text }) => text);
}

suite("a class whose vehicles are taken", () => {
  test("is not offered, and the traveler hears why", async () => {
    const journey = await priced({ sedan: [from("13:00", "14:00")], van: [from("14:00", "14:10")] })();
    assert.deepEqual(classesOf(journey), ["estate", "first_class", "first_class_van"]);
    assert.deepEqual(said(journey), ["Not offered at that time: Sedan, Van. All of these vehicles are taken."]);
    assert.equal(journey.route.automaticallyPayable, true);
  });

  test("is on request where the operator prefers that", async () => {
    const price = priced({ sedan: [from("13:00", "14:00")] }, { takenClasses: "on_request" });
    const journey = await price();
    assert.deepEqual(classesOf(journey).slice(0, 2), ["sedan on request", "estate"]);
    assert.deepEqual(said(journey), [
      "All of these vehicles are taken at that time: Sedan.",
      "On request: Sedan. Example Transfers (+41 00 000 00 00, bookings@transfers.example) must confirm before booking.",
    ]);
    assert.equal(totalOf(journey), totalOf(await priced({})()), "at its price");
  });

  test("is taken from the turnaround before the pickup to the turnaround after the arrival", async () => {
    const arrival = (await priced({})({ pickupAt })).arrivalAt;
    const end = String(arrival).slice(11, 16);
    const after = (minutes: number) =>
      new Date(Date.parse(String(arrival)) + minutes * 60_000).toISOString().slice(11, 16);
    for (const [span, isTaken] of [
      [from("12:00", "12:30"), false],
      [from("12:00", "12:31"), true],
      [from(end, "23:00"), true],
      [from(after(29), "23:00"), true],
      [from(after(30), "23:00"), false],
      [from("00:00", "23:00"), true],
    ] as const) {
      const { options } = await priced({ sedan: [span] })({ pickupAt });
      assert.equal(
        options.some(({ vehicleClass }) => vehicleClass === "sedan"),
        !isTaken,
        JSON.stringify(span),
      );
    }
    const close = priced({ sedan: [from("12:00", "12:59")] }, { turnaroundMinutes: 0 });
    assert.equal((await close({ pickupAt })).options[0]?.vehicleClass, "sedan");
  });

  test("may be of either direction of a return, and is free between the two", async () => {
    const returnAt = new Date("2026-12-08T20:00:00Z");
    const between = await priced({ sedan: [from("16:00", "19:00")] })({ pickupAt, returnAt });
    assert.equal(between.options[0]?.vehicleClass, "sedan");
    for (const span of [from("13:10", "13:20"), from("20:10", "20:20")]) {
      const journey = await priced({ sedan: [span] })({ pickupAt, returnAt });
      assert.deepEqual(said(journey), ["Not offered at that time: Sedan. All of these vehicles are taken."]);
    }
    const oneWay = await priced({ sedan: [from("20:10", "20:20")] })({ pickupAt });
    assert.equal(oneWay.options[0]?.vehicleClass, "sedan");
  });

  test("is occupied for all hours of a hire, and for the stays of a journey", async () => {
    const late = { sedan: [from("17:45", "18:00")] };
    assert.equal((await priced(late)({ pickupAt, hireHours: 4 })).options[0]?.vehicleClass, "sedan");
    assert.equal((await priced(late)({ pickupAt, hireHours: 5 })).options[0]?.vehicleClass, "estate");
    const stay = { pickupAt, points: via(aStop("Olten", 240)) };
    assert.equal((await priced(late)({ pickupAt, points: via(aStop("Olten")) })).options[0]?.vehicleClass, "sedan");
    assert.equal((await priced(late)(stay)).options[0]?.vehicleClass, "estate");
  });

  test("is NO_ELIGIBLE_VEHICLE with the reason where no other fits, after stop-sales", async () => {
    const all = Object.fromEntries(ids.map((id) => [id, [from("13:00", "14:00")]]));
    const { detail, nextAction } = await refusalOf(priced(all)(), "NO_ELIGIBLE_VEHICLE");
    assert.equal(detail, "No vehicle class that fits is sold at that time. All vehicles are taken.");
    assert.match(nextAction, /another date or time, or to contact Example Transfers/);
    const onRequest = await priced(all, { takenClasses: "on_request" })();
    assert.equal(onRequest.requiresManualConfirmation, true);
    assert.ok(onRequest.options.every((option) => option.onRequest));
  });
});

test("while nobody knows what is taken, every class is on request", async () => {
  const journey = await priced(undefined)();
  assert.ok(journey.options.every(({ onRequest }) => onRequest));
  assert.deepEqual([journey.requiresManualConfirmation, journey.route.automaticallyPayable], [true, false]);
  assert.deepEqual(said(journey).slice(0, 1), [
    "It is not known now whether one of these vehicles is free at that time: Sedan, Estate car, First-class sedan, Van, First-class van.",
  ]);
  const unread = pricing({ availability: { taken: () => new Map([["sedan", []]]) }, router: aRouter() });
  assert.deepEqual(classesOf(await unread()).slice(0, 2), ["sedan", "estate on request"], "a class that was not read");
});
