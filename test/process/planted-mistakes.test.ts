import assert from "node:assert/strict";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { findingText } from "../../src/catalog/finding.ts";
import { auditFolder } from "../../src/commands/check.ts";
import { readConfig } from "../../src/config/config.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { runBuilt } from "../support/built-process.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import type { Fields } from "../support/mcp-client.ts";

type Plant = (folder: string) => void;

const edit =
  (file: string, change: (content: Fields) => void): Plant =>
  (folder) =>
    changeCatalog(folder, file, change);
const rewrite =
  (file: string, change: (text: string) => string, encoding: BufferEncoding = "utf8"): Plant =>
  (folder) =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")), encoding);
const rename =
  (file: string, to: string): Plant =>
  (folder) =>
    renameSync(join(folder, file), join(folder, to));
const swap = (record: Fields) => Object.assign(record, { lat: record.lng, lng: record.lat });
const aFare = {
  id: "far-too-high",
  label: "Fare",
  routes: [{ from: "zurich-airport", to: "lucerne", bothWays: true }],
  includes: [],
};
const client =
  (percent: number): Plant =>
  (folder) =>
    writeFileSync(
      join(folder, "clients.json"),
      JSON.stringify({ clients: [{ id: "hotel", label: "Hotel", percent }] }),
    );

/** Mistakes that an operator makes, what `check` says, and whether a start refuses the catalog. */
// biome-ignore format: a table reads by its columns
const PLANTED: readonly (readonly [string, Plant, RegExp, "fault" | "warning" | "mistake"])[] = [
  ["a fare ten times too high", edit("fares.json", ({ fares }) => fares.push({ ...aFare, rappen: { sedan: 920_000 } })), /^fares\.json at far-too-high\.rappen\.sedan: CHF 9200\.00 for 6\d km; by kilometers/, "fault"],
  ["a zone whose circle has lat and lng swapped", edit("zones.json", ({ zones }) => swap(zones.find(({ circle }: Fields) => circle).circle)), /^zones\.json at annecy-lake\.circle: 6\.1294, 45\.8992 lies outside .*: lat and lng are swapped$/, "fault"],
  ["a place with lat and lng swapped", edit("places/airports.json", ({ places }) => swap(places.find(({ lat }: Fields) => lat))), /^places\/airports\.json at \S+: \S+, \S+ lies outside .*: lat and lng are swapped$/, "fault"],
  ["a place far from its node", edit("places/resorts-east.json", ({ places }) => Object.assign(places.find(({ id }: Fields) => id === "davos"), { lat: 46.5, lng: 8.5 })), /^places\/resorts-east\.json at davos: 46\.5, 8\.5 is 1\d\d km from its road node davos/, "fault"],
  ["VAT of 81 %", edit("tariff.json", (tariff) => (tariff.vat = { percent: 81, country: "CH" })), /^tariff\.json at vat\.percent: 81 % is no rate of VAT/, "fault"],
  ["VAT of 0.081 %", edit("tariff.json", (tariff) => (tariff.vat = { percent: 0.081, country: "CH" })), /^tariff\.json at vat\.percent: 0\.081 % is no rate of VAT/, "fault"],
  ["VAT of an earlier year", edit("tariff.json", (tariff) => (tariff.vat = { percent: 7.7, country: "CH" })), /^tariff\.json at vat\.percent: 7\.7 % is no Swiss rate; these are 8\.1, 3\.8, 2\.6$/, "warning"],
  ["VAT without a number", (folder) => { edit("operator.json", (operator) => delete operator.vatNumber)(folder); edit("tariff.json", (tariff) => (tariff.vat = { percent: 8.1, country: "CH" }))(folder); }, /^tariff\.json at vat: VAT is shown, but operator\.json has no vatNumber/, "warning"],
  ["a night from 6 to 22", edit("tariff.json", ({ night }) => Object.assign(night, { fromHour: 6, toHour: 22 })), /^tariff\.json at night: it lasts 16 h, from 6 to 22/, "warning"],
  ["a sedan for 30 passengers", edit("vehicle-classes.json", ({ vehicleClasses }) => (vehicleClasses[0].passengerCapacity = 30)), /^vehicle-classes\.json at sedan: 30 seats, more than \S+ has/, "warning"],
  ["a van cheaper than a sedan", edit("tariff.json", ({ rates }) => (rates.van.perKmRappen = 150)), /^tariff\.json at rates\.van\.perKmRappen: 150 is less than \d+ of sedan/, "warning"],
  ["a lead time beyond the horizon", edit("tariff.json", (tariff) => (tariff.leadTimeHours = 9_000)), /^tariff\.json at leadTimeHours: 9000 h is later than the horizon of 365 days/, "fault"],
  ["222 minutes given as 22", edit("corridors.json", ({ corridors }) => (corridors.find(({ distanceKm }: Fields) => distanceKm > 200).durationMinutes = 22)), /^corridors\.json at \S+\.durationMinutes: 22 min for \S+ km is \d+ km\/h on average/, "fault"],
  ["a corridor without its opposite direction", edit("corridors.json", ({ corridors }) => corridors.splice(1, 1)), /^corridors\.json at zurich-airport-to-zurich: no corridor leads from zurich to zurich-airport/, "warning"],
  ["a return discount of 100 %", edit("tariff.json", ({ returnDiscount }) => (returnDiscount.percent = 100)), /^tariff\.json at returnDiscount\.percent: 100 % is more than half$/, "warning"],
  ["rounding to 5 francs", edit("tariff.json", (tariff) => (tariff.roundingRappen = 500)), /^tariff\.json at roundingRappen: 500 rounds to more than one franc$/, "warning"],
  ["a translation that lost its placeholder", edit("translations.json", ({ texts }) => {
    const english = Object.keys(texts).find((text) => text.includes("{fullRefundCutoffHours}")) ?? "";
    texts[english].de = texts[english].de.replace("{fullRefundCutoffHours}", "24");
  }), /^translations\.json at cancellation\.de: lacks \{fullRefundCutoffHours\}/, "fault"],
  ["a policy text with another number", edit("policies.json", ({ policies: [policy] }) => (policy.text = policy.text.replace("{fullRefundCutoffHours}", "48"))), /^policies\.json at cancellation\.text: "48 hours", but fullRefundCutoffHours is 24/, "warning"],
  ["policies of different hours", edit("policies.json", ({ policies }) => (policies[2].fullRefundCutoffHours = 12)), /^policies\.json at changes\.fullRefundCutoffHours: 12, but cancellation has 24$/, "warning"],
  ["no cancellation policy", edit("policies.json", ({ policies }) => policies.shift()), /^policies\.json at cancellation: missing/, "fault"],
  ["a file in Latin-1", rewrite("operator.json", (text) => text.replace("Example Transfers", "Alpenglänzer"), "latin1"), /^operator\.json: is not UTF-8/, "fault"],
  ["a road closed on all but a few days", edit("roads/grisons.json", ({ edges }) => { const { closed } = edges.find((edge: Fields) => edge.closed && !edge.carTrain); Object.assign(closed, { from: "01-15", to: "01-12" }); }), /^roads\/grisons\.json at edges\.\S+ \S+\.closed: .* is closed on \d+ days, from /, "warning"],
  ["a duplicate key", rewrite("tariff.json", (text) => text.replace('"currency"', '"leadTimeHours": 9,\n  "currency"')), /^tariff\.json at leadTimeHours: duplicate key/, "fault"],
  ["a client at half price", client(-50), /^clients\.json at hotel\.percent: -50 % changes the fare by a third or more$/, "warning"],
  ["a client at one and a half", client(50), /^clients\.json at hotel\.percent: 50 % changes/, "warning"],
  ["one quote an hour", edit("budgets.json", ({ quote_authoritative: budget }) => Object.assign(budget, { points: 1, seconds: 3600 })), /^budgets\.json at quote_authoritative: 1 calls in 3600 s/, "warning"],
  ["a stop-sale of everything for ever", edit("availability.json", ({ stopSales }) => stopSales.push({ id: "all", reason: "No.", offer: "none" })), /^availability\.json at all: it is for every class, journey and time/, "fault"],
  ["availabilty.json", rename("availability.json", "availabilty.json"), /^availabilty\.json: unknown file, which is not read; did you mean availability\.json\?$/, "fault"],
  ["season.json", rename("seasons.json", "season.json"), /^season\.json: unknown file, which is not read; did you mean seasons\.json\?$/, "fault"],
  ["fare.json", rename("fares.json", "fare.json"), /^fare\.json: unknown file, which is not read; did you mean fares\.json\?$/, "fault"],
  ["a value that is too small", edit("vehicle-classes.json", ({ vehicleClasses }) => (vehicleClasses[1].passengerCapacity = 0)), /^vehicle-classes\.json at estate\.passengerCapacity: must be at least 1, is 0$/, "mistake"],
  ["30 February", edit("seasons.json", ({ seasons }) => (seasons[0].dates[0].to = "02-30")), /^seasons\.json at davos-congress\.dates\.0\.to: Not a day of the calendar; it is "02-30"$/, "mistake"],
  ["a misspelled place", edit("corridors.json", ({ corridors }) => (corridors[0].destination = "zurich-arport")), /^corridors\.json at zurich-airport-to-zurich: unknown place zurich-arport; did you mean zurich-airport\?$/, "mistake"],
];

suite("check finds what operators get wrong", () => {
  for (const [name, plant, says, severity] of PLANTED) {
    test(name, async (t) => {
      const folder = aCatalogFolder(t);
      plant(folder);
      const { findings } = await auditFolder(readConfig({ TRANSFER_CATALOG_DIR: folder }), { before: packagedCatalog });
      const found = findings.filter((each) => says.test(findingText(each)));
      assert.ok(found.length > 0, findings.map(findingText).join("\n"));
      assert.deepEqual(new Set(found.map((each) => each.severity)), new Set([severity]));
    });
  }

  test("all at once, although some files do not match their schemas", async (t) => {
    const folder = aCatalogFolder(t);
    const planted = PLANTED.filter(([name]) =>
      /30 February|too small|half price|for ever|placeholder$|fare ten/.test(name),
    );
    for (const [, plant] of planted) plant(folder);
    const { findings } = await auditFolder(readConfig({ TRANSFER_CATALOG_DIR: folder }), { before: packagedCatalog });
    const missed = planted.filter(([, , says]) => !findings.some((each) => says.test(findingText(each))));
    // A journey cannot be measured with mistakes, so that only the fare is not compared.
    assert.deepEqual(
      missed.map(([name]) => name),
      ["a fare ten times too high"],
    );
  });

  test("a byte order mark is no mistake", async (t) => {
    const folder = aCatalogFolder(t);
    rewrite("fares.json", (text) => `\uFEFF${text}`)(folder);
    const { code, stdout } = await runBuilt(t, ["check", "--catalog", folder]);
    assert.equal(code, 0, stdout);
  });
});
