import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { type Notice, notice, textsOf } from "../../src/contract/notices.ts";
import { optionNotices } from "../../src/quotes/option-notices.ts";

const VAN = { vehicleClass: "van", vehicleType: "Van, e.g. V-Class" };

function saidOf(...notices: readonly Notice[]): readonly string[] {
  return textsOf(optionNotices(notices, VAN));
}

suite("notices for one option of a quote", () => {
  test("leave out what is only about other vehicle classes", () => {
    const window = { from: "2026-12-01T10:00:00+01:00", to: "2027-12-01T10:00:00+01:00" };
    const fare = { fare: "Fixed fare A – B", includes: "fees", free_min: 15 };
    assert.deepEqual(
      saidOf(
        notice("ON_REQUEST", { classes: "coach", operator: "O", phone: "+41", email: "o@example" }),
        notice("STOP_SALE_ON_REQUEST", { classes: "first_class", reason: "R." }),
        notice("NOT_SOLD", { classes: "sedan", reason: "R." }),
        notice("CLASS_BOOKABLE", { vehicle: "coach", ...window }),
        notice("FIXED_FARE", { ...fare, classes: "sedan, first_class_van" }),
        notice("LARGE_LUGGAGE", { luggage: 4, limits: "sedan 2, first_class_van 3" }),
        notice("SEASON", { season: "Congress week (sedan, first_class_van)", percent: 25 }),
      ),
      [],
    );
  });

  test("name the price and the limit of its class", () => {
    assert.deepEqual(
      saidOf(
        notice("WAITING", { prices: "CHF 15 (sedan, estate), CHF 18.50 (van)", free_min: 60, step_min: 15 }),
        notice("HIRE_OVERTIME", { hour_prices: "CHF 72 (sedan), CHF 86 (van)", km_prices: "CHF 3.40 (van)" }),
        notice("FIXED_FARE", { fare: "Fixed fare A – B", includes: "", free_min: 15, classes: "sedan, van" }),
        notice("LARGE_LUGGAGE", { luggage: 8, limits: "first_class_van 5, van 6" }),
        notice("HIRE_SEASON", { season: "Fair (sedan, van)", percent: 10, hours: 2, of_hours: 3 }),
      ),
      [
        "Waiting at the pickup is free for 60 min; each started 15 min after that costs CHF 18.50.",
        "Each further started hour costs CHF 86; each further km costs CHF 3.40.",
        "Fixed fare A – B (Van, e.g. V-Class) includes 15 min of waiting at the pickup.",
        "Of 8 pieces of luggage, so many may be large: 6.",
        "Fair: 10 % on 2 of 3 h.",
      ],
    );
  });

  test("stay as they are where they are about the journey, or of an earlier version", () => {
    const notices = [
      notice("SEASON", { season: "Winter (Christmas to New Year)", percent: 10 }),
      notice("PLACED_AT", { text: "CHF 1 (sedan)", place: "Bern" }),
      { code: "OF_OLD", values: { prices: "CHF 1 (van)" }, text: "As it was written." },
    ];
    assert.deepEqual(optionNotices(notices, VAN), notices);
  });
});
