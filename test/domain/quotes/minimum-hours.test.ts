import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { StopSale } from "../../../src/domain/catalog/offer-schema.ts";
import type { Tariff } from "../../../src/domain/catalog/tariff-schema.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { aService } from "../../support/service.ts";
import { type Setup, told } from "../../support/told.ts";

const { tariff } = defaultCatalog.catalog;
const HIRE = "Hire of 3 h with 75 km included; car and driver stay with the traveler.";

/** Hires of at least three hours, 60 km in an hour. */
function least({ rates = tariff.rates, measured = {}, stopSales = [] }: Changes = {}): Setup {
  const rules = { fares: [], seasons: [], stopSales };
  const hourly = { includedKmPerHour: 25, minimumHours: 3 };
  return { measured: { distanceKm: 60, ...measured }, rules: { ...rules, tariff: { ...tariff, rates, hourly } } };
}
interface Changes {
  readonly rates?: Tariff["rates"];
  readonly measured?: object;
  readonly stopSales?: readonly StopSale[];
}

suite("a hire of fewer hours than the tariff's minimum", () => {
  told(
    "is the hire of the minimum, and says so",
    least(),
    `at 14:00; hire 1 -> pays 22400 Hire 3 h = 22400
       -> says ${HIRE} A hire is charged for at least 3 h: 1 h cost as much as 3 h.
       -> says The hire ends at Bern at 17:00
     at 14:00; hire 3 -> costs 22400
       -> never A hire is charged for at least
     at 14:00; hire 4 -> costs 8000 + 3 × 7200 = 29600`,
  );
  told(
    "pays the night of the minimum",
    least(),
    `at 23:00; hire 1 -> pays 22400 Hire 3 h + 2880 Night surcharge = 25280
       -> says Night surcharge of 20 % on 2 of 3 h`,
  );
  told(
    "is not sold where the minimum reaches into a stop-sale",
    least({ stopSales: [{ id: "late", reason: "No.", offer: "none", classes: ["sedan"], hours: { from: 0, to: 5 } }] }),
    `at 21:00; hire 1 -> offers sedan, estate, first_class, van, first_class_van
     at 22:00; hire 1 -> offers estate, first_class, van, first_class_van`,
  );
  told(
    "whose drive takes longer than the minimum says that",
    least({ measured: { durationMinutes: 200 } }),
    "hire 1 -> says The journey takes longer than 1 h, so 4 h are charged.",
  );
  const dearKm = { ...tariff.rates, sedan: { ...tariff.rates.sedan, perKmRappen: 400, furtherHourRappen: 6_000 } };
  told(
    "is not compared with an hour and the kilometers that it does not include",
    least({ rates: dearKm as Tariff["rates"], measured: { distanceKm: 75 } }),
    "hire 3 -> never With its kilometers a hire of 1 h costs more",
  );
  told(
    "limits a round trip whose driver waits",
    least(),
    `Zurich Airport > Olten 45' > Zurich Airport         -> costs 18800 + 2 × 1500 = 21800
     Zurich Airport > Olten 45' > Zurich Airport; hire 1 -> costs 22400`,
  );

  test("is known before a quote is asked for", async (t) => {
    const folder = aCatalogFolder(t);
    changeCatalog(folder, "tariff.json", ({ hourly }) => (hourly.minimumHours = 3));
    const service = await aService(t, { env: { TRANSFER_CATALOG_DIR: folder, TRANSFER_ACCEPT_FAULTS: "true" } });
    const { body } = await service.api("/quote-requirements");
    assert.match(body.notes, /A hire by the hour is charged for at least 3 hours\.$/);
  });
});
