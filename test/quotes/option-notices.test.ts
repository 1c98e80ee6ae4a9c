import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { notice, textsOf } from "../../src/contract/notices.ts";
import { optionNotices } from "../../src/quotes/price-notices.ts";
import type { JourneyNotice } from "../../src/quotes/quote.ts";
import { defaultCatalog, pricing } from "../support/quoting-fixture.ts";

const VAN = { vehicleClass: "van" };
const saidOf = (...notices: readonly JourneyNotice[]) => textsOf(optionNotices(notices, VAN));

suite("notices for one option of a quote", () => {
  test("leave out what is only about other vehicle classes", () => {
    const window = { from: "2026-12-01T10:00:00+01:00", to: "2027-12-01T10:00:00+01:00" };
    const limited = notice("LARGE_LUGGAGE", { luggage: 4, limits: "2 (sedan), 3 (first_class_van)" });
    assert.deepEqual(
      saidOf(
        notice("ON_REQUEST", { classes: "coach", operator: "O", phone: "+41", email: "o@example", reason: "R." }),
        notice("NOT_SOLD", { classes: "sedan", reason: "R." }),
        notice("CLASS_BOOKABLE", { vehicle: "coach", ...window }),
        { ...limited, byClass: { sedan: { limits: 2 }, first_class_van: { limits: 3 } } },
      ),
      [],
    );
  });

  test("stay as they are where they are about the journey, whatever their words", () => {
    const notices = [
      notice("SEASON", { season: "Winter (sedan)", percent: 10 }),
      notice("PLACED_AT", { text: "CHF 1 (sedan)", place: "Bern" }),
    ];
    assert.deepEqual(optionNotices(notices, VAN), notices);
  });

  test("name the price, the season and the limit of its class", async () => {
    const { catalog } = defaultCatalog;
    const fares = [
      {
        ...{ id: "a", label: "Fixed fare (sedan)", routes: [{ from: "zurich-airport", to: "bern" }] },
        ...{ rappen: { sedan: 30_000, van: 40_000 }, includes: [] },
      },
    ];
    const seasons = [{ id: "fair", label: "Fair (week)", percent: 10, classes: ["sedan", "van"] }];
    const price = pricing({ ...defaultCatalog, catalog: { ...catalog, fares, seasons } });
    const { notices, options } = await price({ luggage: 7, passengers: 2 });
    const van = options.find(({ vehicleClass }) => vehicleClass === "van") ?? assert.fail("no van");
    const said = textsOf(optionNotices(notices, van)).join("\n");
    assert.match(
      said,
      new RegExp(`^Fixed fare \\(sedan\\) \\(${van.vehicleType.replace(/[.()]/g, "\\$&")}\\) includes`, "m"),
    );
    assert.match(said, /^Fair \(week\): 10 % of the fare\.$/m);
    assert.match(said, /after that, each started 15 min costs CHF [\d.]+\.$/m);
    const hire = await price({ hireHours: 4 });
    const overtime = textsOf(optionNotices(hire.notices, van)).join("\n");
    assert.match(overtime, /^Each further started hour costs CHF [\d.]+; each further km costs CHF [\d.]+\.$/m);
  });
});
