import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { aCatalogFolder } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import type { Fields } from "../support/mcp-client.ts";

const WAITS = { timeout: 120_000 };
const REASON = "Danger of avalanches.";

/** A catalog in which the Julier is closed. */
function closed(t: TestContext, from: string, to: string): string {
  const catalog = aCatalogFolder(t);
  const closure = { id: "julier-january", road: "Julier Pass", from, to, reason: REASON };
  writeFileSync(join(catalog, "closures.json"), JSON.stringify({ closures: [closure] }));
  return catalog;
}

async function quoted(t: TestContext, catalog: string, at: string, origin = "Tiefencastel") {
  const args = ["quote", origin, "St. Moritz", "--at", at, "--json", "--catalog", catalog];
  const { code, stdout, stderr } = await runCommand(t, args);
  assert.equal(code, 0, stderr);
  const { route_basis: route, limitations, requires_manual_confirmation: isManual }: Fields = JSON.parse(stdout);
  return { km: route.distance_km, notes: limitations.filter((text: string) => text.includes(REASON)), isManual };
}

suite("a closure of exact dates", () => {
  test("changes those days and no other, and the traveler reads the reason", WAITS, async (t) => {
    const catalog = closed(t, "2027-01-12", "2027-01-14");
    const usual = await quoted(t, catalog, "2027-01-11 12:00");
    assert.deepEqual(usual.notes, []);
    for (const day of ["2027-01-12 08:00", "2027-01-14 18:00"]) {
      const around = await quoted(t, catalog, day);
      assert.ok(around.km > usual.km + 20, `${around.km} km`);
      assert.deepEqual(around.notes, [
        `Julier Pass is closed from 12 January 2027, 00:00 to 15 January 2027, 00:00; the route avoids it. ${REASON}`,
      ]);
      assert.deepEqual(around.isManual, usual.isManual);
    }
    assert.deepEqual(await quoted(t, catalog, "2027-01-15 08:00"), usual);
    assert.deepEqual(await quoted(t, catalog, "2027-02-12 12:00"), usual);
  });

  test("with hours counts for journeys that pass during them", WAITS, async (t) => {
    const catalog = closed(t, "2027-01-12T12:00", "2027-01-12T15:00");
    const km = async (at: string) => (await quoted(t, catalog, at)).km;
    const usual = await km("2027-01-12 09:00");
    assert.ok((await km("2027-01-12 11:30")) > usual);
    assert.ok((await km("2027-01-12 14:59")) > usual);
    assert.equal(await km("2027-01-12 15:00"), usual);
  });

  test("diverts a published corridor, which otherwise has its own kilometers", WAITS, async (t) => {
    const catalog = closed(t, "2027-01-12", "2027-01-14");
    const usual = await quoted(t, catalog, "2027-01-20 12:00", "Zurich Airport");
    const around = await quoted(t, catalog, "2027-01-13 12:00", "Zurich Airport");
    assert.notEqual(around.km, usual.km);
  });
});
