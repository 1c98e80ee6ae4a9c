import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Catalog } from "../../../src/domain/catalog/catalog.ts";
import type { BookingWindow, StopSale } from "../../../src/domain/catalog/offer-schema.ts";
import { aClock } from "../../support/fake-clock.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { quotes, type Setup, told } from "../../support/told.ts";

/** Every class to every party. */
const vehicleClasses = defaultCatalog.catalog.vehicleClasses.map((each) => ({ ...each, smallestParty: 1 }));
const ALL = "sedan, estate, first_class, van, first_class_van, minibus, coach on request";

function selling(rules: Setup["rules"]): Setup {
  return { measured: {}, rules: { vehicleClasses, stopSales: [], bookingWindows: [], ...rules } };
}

function stopping(...sales: readonly Partial<StopSale>[]): Setup {
  const reason = "A marathon closes the city.";
  return selling({ stopSales: sales.map((sale, n) => ({ id: `stop-${n}`, reason, offer: "none", ...sale })) });
}

suite("a stop-sale", () => {
  told(
    "takes a class out, and the traveler hears why",
    stopping({ classes: ["sedan", "coach"] }),
    `Zurich Airport > Bern -> offers estate, first_class, van, first_class_van, minibus
      -> says Not offered at that time: Sedan, Coach. A marathon closes the city.`,
  );

  told(
    "leaves a class on request, and the traveler hears why",
    stopping({ classes: ["van"], offer: "on_request" }),
    `Zurich Airport > Bern -> offers ${ALL.replace("van,", "van on request,")}
      -> says On request: Van, Coach. Example Transfers (+41 00 000 00 00, bookings@transfers.example) must confirm before booking. A marathon closes the city.
      -> never Not offered`,
  );

  test("that leaves every option on request leaves nothing to be paid at once", async () => {
    for (const [people, isManual] of [
      [20, true],
      [2, false],
    ] as const) {
      const { requiresManualConfirmation, route } = await quotes(selling({}))(`people ${people}`);
      assert.deepEqual([requiresManualConfirmation, route.automaticallyPayable], [isManual, !isManual]);
    }
  });

  told(
    "of every class is NO_ELIGIBLE_VEHICLE with the reason",
    stopping({}),
    `Zurich Airport > Bern -> refuses NO_ELIGIBLE_VEHICLE
      -> says No vehicle class that fits is sold at that time. A marathon closes the city.
      -> says another date or time, or to contact Example Transfers`,
  );
  told(
    "of every class that fits is NO_ELIGIBLE_VEHICLE",
    stopping({ classes: ["minibus", "coach"] }),
    `people 8 -> refuses NO_ELIGIBLE_VEHICLE
     people 7 -> offers van`,
  );

  told(
    "is of its dates and hours, for each direction and all hours of a hire",
    stopping({ dates: [{ from: "2026-12-08", to: "2026-12-08" }], hours: { from: 18, to: 20 } }),
    `at 17:00              -> offers ${ALL}
     at 18:00              -> refuses NO_ELIGIBLE_VEHICLE
     at 19:00              -> refuses NO_ELIGIBLE_VEHICLE
     at 20:00              -> offers ${ALL}
     at 15:00; back 18:30  -> refuses NO_ELIGIBLE_VEHICLE
     at 15:00; hire 4      -> refuses NO_ELIGIBLE_VEHICLE
     at 15:00; hire 3      -> offers ${ALL}`,
  );
  told(
    "is of its routes",
    stopping({ routes: [{ to: "bern" }] }),
    `Zurich Airport > Bern -> refuses NO_ELIGIBLE_VEHICLE
     Bern > Thun           -> offers ${ALL}`,
  );

  const both: readonly Partial<StopSale>[] = [{ offer: "on_request" }, { classes: ["sedan"] }];
  for (const [order, sales] of Object.entries({ after: both, before: both.toReversed() }))
    told(
      `that offers nothing holds, listed ${order} one that offers on request`,
      stopping(...sales),
      `people 7 -> offers van on request, minibus on request, coach on request
       people 2 -> says Not offered at that time: Sedan.`,
    );
});

suite("a booking window", () => {
  const coach: BookingWindow = { id: "coach", leadTimeHours: 72, classes: ["coach"] };
  const bern: BookingWindow = { id: "bern", leadTimeHours: 1, routes: [{ to: "bern" }] };
  const windows = (...bookingWindows: readonly BookingWindow[]) => selling({ bookingWindows });

  told(
    "leaves out a class whose lead time is longer, and says from when it can be booked",
    windows(coach),
    `at 2026-12-02 10:00 -> offers ${ALL.replace(", coach on request", "")}
      -> says Not offered: Coach. It can be booked for pickups from 4 December 2026, 10:00 to 1 December 2027, 10:00.
     at 2026-12-04 10:00 -> offers ${ALL}
      -> never Not offered`,
  );
  told(
    "names whole minutes, which are accepted",
    { ...windows(coach), clock: aClock("2026-12-01T09:00:00.250Z") },
    `at 2026-12-02 10:00 -> says pickups from 4 December 2026, 10:01 to 1 December 2027, 10:00.
     at 2026-12-04 10:01 -> offers ${ALL}`,
  );
  told(
    "gives the refusal the earliest pickup of the classes that fit",
    windows(coach, { id: "minibus", leadTimeHours: 48, classes: ["minibus"] }),
    `at 2026-12-02 10:00; people 8  -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says from 2026-12-03T10:00:00+01:00 to
     at 2026-12-03 10:00; people 8  -> offers minibus
     at 2026-12-02 10:00; people 20 -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says from 2026-12-04T10:00:00+01:00 to
     at 2026-12-04 10:00; people 20 -> offers coach on request
     at 2026-12-01 09:00; people 8  -> refuses PAST_DATETIME
      -> says from 2026-12-03T10:00:00+01:00 to`,
  );

  const van = vehicleClasses.filter(({ id }) => id === "van");
  const minivan = van.map((each) => ({ ...each, id: "minivan", type: "Minivan", passengerCapacity: 14 }));
  const both = [{ ...coach, classes: ["van", "minivan"] }];
  const accepted = "are accepted from 2026-12-04T10:00:00+01:00 to 2027-12-01T10:00:00+01:00.";
  told(
    "of a class is named where it is the reason",
    selling({ vehicleClasses: [...van, ...minivan], bookingWindows: both }),
    `at 2026-12-02 10:00; people 2  -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says The pickup is sooner than the lead time. Pickups with Van, Minivan ${accepted}
     at 2026-12-02 10:00; people 10 -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says The pickup is sooner than the lead time. Pickups with Minivan ${accepted}
     at 2026-12-01 09:00; people 10 -> refuses PAST_DATETIME
      -> says The pickup is in the past. Pickups with Minivan ${accepted}
     by 2026-12-02 13:00; people 10 -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says The earliest arrival that is accepted with Minivan is 2026-12-04T1`,
  );

  told(
    "may be shorter or longer on a route, and the strictest of several holds",
    windows(
      bern,
      { id: "thun", leadTimeHours: 24, horizonDays: 30, routes: [{ to: "thun" }] },
      { id: "all", leadTimeHours: 12, horizonDays: 60, routes: [{ from: "zurich-airport", to: "thun" }] },
    ),
    `Zurich Airport > Bern; at 2026-12-01 11:00    -> offers ${ALL}
     Zurich Airport > Bern; at 2026-12-01 10:59    -> refuses LEAD_TIME_NOT_SUPPORTED
     Zurich Airport > Lucerne; at 2026-12-01 11:00 -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says from 2026-12-01T14:00:00+01:00
     Zurich Airport > Thun; at 2026-12-02 09:59    -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says from 2026-12-02T10:00:00+01:00 to 2026-12-31T10:00:00+01:00
     Zurich Airport > Thun; at 2026-12-31 10:01    -> refuses LEAD_TIME_NOT_SUPPORTED
     Zurich Airport > Thun; back 2026-12-31 10:01  -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says The return is later than the horizon, 2026-12-31T10:00:00+01:00`,
  );
  told(
    "that a return exceeds leaves out the class, or is named by the latest of them where it exceeds all",
    windows({ id: "vans", horizonDays: 20, classes: ["van"] }),
    `at 2026-12-10 10:00; back 2026-12-30 10:00 -> offers ${ALL.replace("van, first", "first")}
     at 2026-12-10 10:00; back 2028-01-10 10:00 -> refuses LEAD_TIME_NOT_SUPPORTED
      -> says The return is later than the horizon, 2027-12-01T`,
  );
  told(
    "is asked before an unclear place, as far as no place could make it good",
    windows({ ...bern, horizonDays: 400 }),
    `Nowhere at all > Bern; at 2026-12-01 10:30 -> refuses LEAD_TIME_NOT_SUPPORTED
     Nowhere at all > Bern; at 2026-12-01 11:30 -> refuses INVALID_LOCATION
     Nowhere at all > Bern; at 2027-12-20 10:00 -> refuses INVALID_LOCATION
     Nowhere at all > Bern; at 2028-02-20 10:00 -> refuses LEAD_TIME_NOT_SUPPORTED`,
  );
});

const OWN: Catalog["serviceRules"] = [
  { id: "corridors", offer: "at_once", corridor: true },
  { id: "grisons", offer: "none", reason: "We do not drive in the Grisons.", bothEndsIn: { cantons: ["GR"] } },
  { id: "bern", offer: "on_request", reason: "Bern is far.", routes: [{ from: "bern", to: "thun" }] },
  { id: "swiss", offer: "at_once", bothEndsIn: { countries: ["CH"] } },
  { id: "others", offer: "none", reason: "We drive in Switzerland." },
];

suite("what is sold at once, on request or not at all", () => {
  told(
    "by the packaged rules: at once with an end in Switzerland or Liechtenstein or in a town at the border",
    {},
    `Lyon > Geneva      -> never On request
     Vaduz > Innsbruck  -> never On request
     Konstanz > Lindau  -> never On request
     47.42, 9.37 > Lyon -> never On request
     Lyon > Innsbruck   -> says On request: … (+41 00 000 00 00, … must confirm before booking. A journey between two places abroad, neither of them a town at the Swiss border, is`,
  );
  told(
    "by the first of an operator's rules that matches",
    { rules: { serviceRules: OWN } },
    `Geneva Airport > Chamonix -> never On request
     Davos Platz > Chur        -> refuses UNSUPPORTED_ROUTE
      -> says We do not drive in the Grisons
     Bern > Thun               -> offers sedan on request, estate on request, first_class on request, van on request, first_class_van on request
      -> says Bern is far.
     Thun > Bern               -> never On request
     Bern > Milan              -> refuses UNSUPPORTED_ROUTE
      -> says We drive in Switzerland.`,
  );
});
