import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { aService } from "../../support/service.ts";
import { type Setup, told } from "../../support/told.ts";

const { tariff } = defaultCatalog.catalog;
type Hours = Readonly<Record<string, number>>;

/** With the least hours of each class that has some. */
function least(hours: Hours, changed: Partial<typeof tariff> = {}): Setup {
  const rates = Object.entries(tariff.rates).map(([id, rate]) => [id, { ...rate, minimumHours: hours[id] }]);
  const rules = { fares: [], seasons: [], tariff: { ...tariff, ...changed, rates: Object.fromEntries(rates) } };
  return { measured: { distanceKm: 60 }, rules };
}

const LEAST = least({ sedan: 2, van: 3 });

suite("a class with a least number of hours", () => {
  told(
    "is not offered for a shorter hire, and is said to be hired for longer",
    LEAST,
    `hire 1.5 -> offers sedan, estate, first_class, first_class_van
       -> says Not offered: Van. It is hired for at least 3 h.
       -> says Not offered: Minibus, Coach. For larger parties.
       -> never Not offered: Sedan
     hire 3   -> offers sedan, estate, first_class, van, first_class_van
       -> never hired for at least
     hire 2.5 -> offers sedan, estate, first_class, van, first_class_van`,
  );
  told(
    "costs nothing more for hours of which no hire is sold, where an hour costs less than its kilometers",
    {
      ...least({ sedan: 4 }, { hourly: { includedKmPerHour: 40 } }),
      measured: { distanceKm: 300, durationMinutes: 200 },
    },
    "hire 4 -> pays 29600 Hire 4 h + 39200 Extra 140 km + 17200 Difference to the price of the transfer = 86000",
  );
  told(
    "is offered for a hire that takes so long",
    { ...LEAST, measured: { distanceKm: 60, durationMinutes: 150 } },
    "hire 1 -> offers sedan, estate, first_class, van, first_class_van",
  );
  told(
    "is offered for a transfer, and for a round trip that a hire limits",
    LEAST,
    `Zurich Airport > Bern -> offers sedan, estate, first_class, van, first_class_van
     Zurich Airport > Olten 45' > Zurich Airport -> offers sedan, estate, first_class, van, first_class_van`,
  );
  told(
    "that is the shortest of all refuses a shorter hire, and says what to ask",
    least(Object.fromEntries(Object.keys(tariff.rates).map((id) => [id, id === "sedan" ? 4 : 3]))),
    `hire 1 -> refuses NO_ELIGIBLE_VEHICLE
       -> says No vehicle class that fits is hired for 1 h; the shortest hire is 3 h.
       -> says Ask the traveler whether 3 h will do, and resend with a duration_hours of 3.`,
  );

  test("is known before a quote is asked for", async (t) => {
    const folder = aCatalogFolder(t);
    changeCatalog(folder, "tariff.json", ({ rates }) => (rates.van.minimumHours = 3));
    const service = await aService(t, { env: { TRANSFER_CATALOG_DIR: folder, TRANSFER_ACCEPT_FAULTS: "true" } });
    const { body } = await service.api("/quote-requirements");
    assert.match(body.notes, /Shortest hires: Van 3 h\.$/);
  });
});
