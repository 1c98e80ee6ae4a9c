import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { pricingOf } from "../../../src/operate/compose/embedded-pricing.ts";
import { aPoint, defaultCatalog, pricing, to } from "../../support/quoting-fixture.ts";

const REASON = "Danger of avalanches.";

/** Quotes to St. Moritz of an operator who closes the Julier Pass. */
function whileClosed(from: string, end: string) {
  const closure = { id: "julier-january", road: "Julier Pass", from, to: end, reason: REASON };
  const price = pricing(pricingOf({ ...defaultCatalog.catalog, closures: [closure] }));
  return async (at: string, origin = "Tiefencastel") => {
    const points = [aPoint(origin), to("St. Moritz")];
    const { route, limitations, requiresManualConfirmation } = await price({
      points,
      pickupAt: new Date(`${at}+01:00`),
    });
    const notes = limitations.filter((text) => text.includes(REASON));
    return { km: route.distanceKm, notes, requiresManualConfirmation };
  };
}

suite("a closure of exact dates", () => {
  test("changes those days and no other, also of a published corridor, and the traveler reads the reason", async () => {
    const quoted = whileClosed("2027-01-12", "2027-01-14");
    const usual = await quoted("2027-01-11T12:00");
    assert.deepEqual(usual.notes, []);
    for (const at of ["2027-01-12T08:00", "2027-01-14T18:00"]) {
      const { km, ...around } = await quoted(at);
      assert.ok(km > usual.km + 20, `${km} km`);
      assert.deepEqual(around, {
        notes: [
          `Julier Pass is closed from 12 January 2027, 00:00 to 15 January 2027, 00:00; the route avoids it. ${REASON}`,
        ],
        requiresManualConfirmation: usual.requiresManualConfirmation,
      });
    }
    for (const at of ["2027-01-15T08:00", "2027-02-12T12:00"]) assert.deepEqual(await quoted(at), usual);
    const corridor = await quoted("2027-01-20T12:00", "Zurich Airport");
    assert.notEqual((await quoted("2027-01-13T12:00", "Zurich Airport")).km, corridor.km);
  });

  test("with hours counts for journeys that pass during them", async () => {
    const quoted = whileClosed("2027-01-12T12:00", "2027-01-12T15:00");
    const { km: usual } = await quoted("2027-01-12T09:00");
    for (const at of ["2027-01-12T11:30", "2027-01-12T14:59"]) assert.ok((await quoted(at)).km > usual, at);
    assert.equal((await quoted("2027-01-12T15:00")).km, usual);
  });
});
