import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { BookingWindow, StopSale } from "../../../src/domain/catalog/offer-schema.ts";
import { isAboutOtherClasses } from "../../../src/domain/quotes/eligibility.ts";
import type { PricedJourney } from "../../../src/domain/quotes/quote.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aRouter } from "../../support/fake-router.ts";
import { aPoint, defaultCatalog, pricing, refusalOf, to } from "../../support/quoting-fixture.ts";

/** Every class to every party. */
const allOffered = {
  ...defaultCatalog.catalog,
  vehicleClasses: defaultCatalog.catalog.vehicleClasses.map((each) => ({ ...each, smallestParty: 1 })),
};

function priced(offers: { stopSales?: readonly StopSale[]; bookingWindows?: readonly BookingWindow[] }) {
  const catalog = { ...allOffered, stopSales: [], bookingWindows: [], ...offers };
  return pricing({ catalog, router: aRouter() });
}

function aStopSale(overrides: Partial<StopSale> = {}): StopSale {
  return { id: "stop", reason: "A marathon closes the city.", offer: "none", ...overrides };
}

function classesOf({ options }: PricedJourney): readonly string[] {
  return options.map(({ vehicleClass, onRequest }) => `${vehicleClass}${onRequest ? " on request" : ""}`);
}

/** Sentences about what is not sold. */
function stoppedIn({ notices }: PricedJourney): readonly string[] {
  return notices.filter(isAboutOtherClasses).map(({ text }) => text);
}

const ALL = ["sedan", "estate", "first_class", "van", "first_class_van", "minibus", "coach on request"];

suite("a stop-sale", () => {
  test("takes a class out, or leaves it on request, and the traveler hears why", async () => {
    const none = await priced({ stopSales: [aStopSale({ classes: ["sedan", "coach"] })] })();
    assert.deepEqual(classesOf(none), ALL.slice(1, 6));
    assert.deepEqual(stoppedIn(none), ["Not offered at that time: Sedan, Coach. A marathon closes the city."]);
    assert.deepEqual(
      none.options.map(({ fleetId }) => fleetId),
      [2, 3, 4, 5, 6],
      "the others keep their fleet_id",
    );
    const request = await priced({ stopSales: [aStopSale({ classes: ["van"], offer: "on_request" })] })();
    assert.deepEqual(classesOf(request), ALL.with(3, "van on request"));
    assert.deepEqual(stoppedIn(request), [
      "On request: Van, Coach. Example Transfers (+41 00 000 00 00, bookings@transfers.example) must confirm before booking. A marathon closes the city.",
    ]);
  });

  test("that leaves every option on request leaves nothing to be paid at once", async () => {
    for (const [passengers, isManual] of [
      [20, true],
      [2, false],
    ] as const) {
      const { requiresManualConfirmation, route, options } = await priced({})({ passengers });
      assert.equal(
        options.every(({ onRequest }) => onRequest),
        isManual,
      );
      assert.deepEqual([requiresManualConfirmation, route.automaticallyPayable], [isManual, !isManual]);
    }
  });

  test("of every class is NO_ELIGIBLE_VEHICLE with the reason", async () => {
    const price = priced({ stopSales: [aStopSale()] });
    const { detail, nextAction } = await refusalOf(price(), "NO_ELIGIBLE_VEHICLE");
    assert.equal(detail, "No vehicle class that fits is sold at that time. A marathon closes the city.");
    assert.match(nextAction, /another date or time, or to contact Example Transfers/);
    const large = priced({ stopSales: [aStopSale({ classes: ["minibus", "coach"] })] });
    await refusalOf(large({ passengers: 8 }), "NO_ELIGIBLE_VEHICLE");
    assert.equal((await large({ passengers: 7 })).options.length, 1, "the van takes seven");
  });

  test("is of its dates, hours and routes, for each direction and all hours of a hire", async () => {
    const evening = aStopSale({ dates: [{ from: "2026-12-08", to: "2026-12-08" }], hours: { from: 18, to: 20 } });
    const price = priced({ stopSales: [evening] });
    const at = (hour: string) => ({ pickupAt: new Date(`2026-12-08T${hour}:00:00Z`) });
    assert.equal((await price(at("16"))).options.length, 7);
    await refusalOf(price(at("17")), "NO_ELIGIBLE_VEHICLE");
    await refusalOf(price(at("18")), "NO_ELIGIBLE_VEHICLE");
    assert.equal((await price(at("19"))).options.length, 7);
    await refusalOf(price({ ...at("14"), returnAt: new Date("2026-12-08T17:30:00Z") }), "NO_ELIGIBLE_VEHICLE");
    await refusalOf(price({ ...at("14"), hireHours: 4 }), "NO_ELIGIBLE_VEHICLE");
    assert.equal((await price({ ...at("14"), hireHours: 3 })).options.length, 7);
    const toBern = priced({ stopSales: [aStopSale({ routes: [{ to: "bern" }] })] });
    await refusalOf(toBern(), "NO_ELIGIBLE_VEHICLE");
    assert.equal((await toBern({ points: [aPoint("Bern"), to("Thun")] })).options.length, 7);
  });

  test("that offers nothing holds before one that offers on request", async () => {
    const stopSales = [aStopSale({ id: "a", offer: "on_request" }), aStopSale({ id: "b", classes: ["sedan"] })];
    for (const order of [stopSales, [...stopSales].reverse()]) {
      const [first] = classesOf(await priced({ stopSales: order })());
      assert.equal(first, "estate on request");
    }
  });
});

suite("a booking window", () => {
  const coach: BookingWindow = { id: "coach", leadTimeHours: 72, classes: ["coach"] };
  /** The clock shows 2026-12-01T09:00:00Z. */
  const tomorrow = { pickupAt: new Date("2026-12-02T09:00:00Z") };

  test("leaves out a class whose lead time is longer, and says from when it can be booked", async () => {
    const price = priced({ bookingWindows: [coach] });
    const journey = await price(tomorrow);
    assert.deepEqual(classesOf(journey), ALL.slice(0, 6));
    assert.deepEqual(stoppedIn(journey), [
      "Not offered: Coach. It can be booked for pickups from 4 December 2026, 10:00 to 1 December 2027, 10:00.",
    ]);
    assert.deepEqual(classesOf(await price({ pickupAt: new Date("2026-12-04T09:00:00Z") })), ALL);
  });

  test("names whole minutes, which are accepted", async () => {
    const catalog = { ...allOffered, bookingWindows: [coach] };
    const price = pricing({ catalog, router: aRouter(), clock: aClock("2026-12-01T09:00:00.250Z") });
    assert.deepEqual(stoppedIn(await price(tomorrow)), [
      "Not offered: Coach. It can be booked for pickups from 4 December 2026, 10:01 to 1 December 2027, 10:00.",
    ]);
    assert.deepEqual(classesOf(await price({ pickupAt: new Date("2026-12-04T10:01:00+01:00") })), ALL);
  });

  test("gives LEAD_TIME_NOT_SUPPORTED the earliest pickup of the classes that fit", async () => {
    const price = priced({ bookingWindows: [coach, { id: "minibus", leadTimeHours: 48, classes: ["minibus"] }] });
    for (const [passengers, earliest] of [
      [8, "2026-12-03T10:00:00+01:00"],
      [20, "2026-12-04T10:00:00+01:00"],
    ] as const) {
      const { detail } = await refusalOf(price({ ...tomorrow, passengers }), "LEAD_TIME_NOT_SUPPORTED");
      assert.match(detail, new RegExp(`from ${earliest.replaceAll("+", "\\+")} to `));
      await price({ pickupAt: new Date(earliest), passengers });
    }
    const past = { pickupAt: new Date("2026-12-01T08:00:00Z"), passengers: 8 };
    assert.match((await refusalOf(price(past), "PAST_DATETIME")).detail, /from 2026-12-03T10:00:00\+01:00 to /);
  });

  test("of a class is named where it is the reason", async () => {
    const [van] = allOffered.vehicleClasses.filter(({ id }) => id === "van");
    assert.ok(van);
    const minivan = { ...van, id: "minivan", type: "Minivan", passengerCapacity: 14 };
    const bookingWindows = [{ ...coach, classes: ["van", "minivan"] }];
    const catalog = { ...allOffered, vehicleClasses: [van, minivan], bookingWindows };
    const price = pricing({ catalog, router: aRouter() });
    const accepted = "are accepted from 2026-12-04T10:00:00+01:00 to 2027-12-01T10:00:00+01:00.";
    for (const [passengers, classes] of [
      [2, "Van, Minivan"],
      [10, "Minivan"],
    ] as const) {
      const { detail } = await refusalOf(price({ ...tomorrow, passengers }), "LEAD_TIME_NOT_SUPPORTED");
      assert.equal(detail, `The pickup is sooner than the lead time. Pickups with ${classes} ${accepted}`);
    }
    const past = price({ pickupAt: new Date("2026-12-01T08:00:00Z"), passengers: 10 });
    const { detail } = await refusalOf(past, "PAST_DATETIME");
    assert.equal(detail, `The pickup is in the past. Pickups with Minivan ${accepted}`);
    const arriveBy = { pickupAt: { arriveBy: new Date("2026-12-02T12:00:00Z") }, passengers: 10 };
    const arrival = await refusalOf(price(arriveBy), "LEAD_TIME_NOT_SUPPORTED");
    assert.match(arrival.detail, /The earliest arrival that is accepted with Minivan is 2026-12-04T1/);
    const mixed = { ...catalog, vehicleClasses: [...allOffered.vehicleClasses, minivan] };
    assert.ok(
      stoppedIn(await pricing({ catalog: mixed, router: aRouter() })({ ...tomorrow, passengers: 10 })).includes(
        "Not offered: Minivan. It can be booked for pickups from 4 December 2026, 10:00 to 1 December 2027, 10:00.",
      ),
    );
  });

  test("may be shorter or longer on a route, and the strictest of several holds", async () => {
    const bookingWindows = [
      { id: "bern", leadTimeHours: 1, routes: [{ to: "bern" }] },
      { id: "thun", leadTimeHours: 24, horizonDays: 30, routes: [{ to: "thun" }] },
      { id: "all-of-thun", leadTimeHours: 12, horizonDays: 60, routes: [{ from: "zurich-airport", to: "thun" }] },
    ];
    const price = priced({ bookingWindows });
    const thun = [aPoint("Zurich Airport"), to("Thun")];
    const at = (pickup: string) => new Date(pickup);
    await price({ pickupAt: at("2026-12-01T10:00:00Z") });
    await refusalOf(price({ pickupAt: at("2026-12-01T09:59:00Z") }), "LEAD_TIME_NOT_SUPPORTED");
    const points = [aPoint("Zurich Airport"), to("Lucerne")];
    const usual = await refusalOf(price({ points, pickupAt: at("2026-12-01T10:00:00Z") }), "LEAD_TIME_NOT_SUPPORTED");
    assert.match(usual.detail, /from 2026-12-01T14:00:00\+01:00/);
    const early = price({ points: thun, pickupAt: at("2026-12-02T08:59:00Z") });
    const soon = await refusalOf(early, "LEAD_TIME_NOT_SUPPORTED");
    assert.match(soon.detail, /from 2026-12-02T10:00:00\+01:00 to 2026-12-31T10:00:00\+01:00/);
    await refusalOf(price({ points: thun, pickupAt: at("2026-12-31T09:01:00Z") }), "LEAD_TIME_NOT_SUPPORTED");
    const returnAt = at("2026-12-31T09:01:00Z");
    const late = await refusalOf(price({ points: thun, returnAt }), "LEAD_TIME_NOT_SUPPORTED");
    assert.match(late.detail, /^The return is later than the horizon, 2026-12-31T10:00:00\+01:00/);
  });

  test("that a return exceeds for every class is named by the latest of them", async () => {
    const price = priced({ bookingWindows: [{ id: "vans", horizonDays: 20, classes: ["van"] }] });
    const journey = { pickupAt: new Date("2026-12-10T09:00:00Z"), returnAt: new Date("2028-01-10T09:00:00Z") };
    const { detail } = await refusalOf(price(journey), "LEAD_TIME_NOT_SUPPORTED");
    assert.match(detail, /^The return is later than the horizon, 2027-12-01T/);
  });

  test("is asked before an unclear place, as far as no place could make it good", async () => {
    const price = priced({ bookingWindows: [{ id: "bern", leadTimeHours: 1, routes: [{ to: "bern" }] }] });
    const points = [aPoint("Nowhere at all"), to("Bern")];
    await refusalOf(price({ points, pickupAt: new Date("2026-12-01T09:30:00Z") }), "LEAD_TIME_NOT_SUPPORTED");
    await refusalOf(price({ points, pickupAt: new Date("2026-12-01T10:30:00Z") }), "INVALID_LOCATION");
    const farAhead = priced({ bookingWindows: [{ id: "bern", horizonDays: 400, routes: [{ to: "bern" }] }] });
    await refusalOf(farAhead({ points, pickupAt: new Date("2027-12-20T09:00:00Z") }), "INVALID_LOCATION");
    await refusalOf(farAhead({ points, pickupAt: new Date("2028-02-20T09:00:00Z") }), "LEAD_TIME_NOT_SUPPORTED");
  });
});
