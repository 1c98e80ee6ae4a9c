import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { type Catalog, loadCatalog, readCatalog } from "../../../src/domain/catalog/catalog.ts";
import { missingFiles, unversionedChanges } from "../../../src/domain/catalog/changes.ts";
import { CatalogError, type Finding, findingText } from "../../../src/domain/catalog/finding.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import { folderOf } from "../../support/catalog-folder.ts";
import { aFolder } from "../../support/lifetime.ts";

const packaged = loadCatalog(packagedCatalog);

const anOverlay = (t: TestContext, files: Readonly<Record<string, object>>) =>
  folderOf(t, new Map(Object.entries(files)));

/** Why the folder is no catalog. */
function mistakesIn(folder: string): readonly Finding[] {
  try {
    readCatalog(folder);
  } catch (error) {
    if (error instanceof CatalogError) return error.findings;
  }
  return assert.fail("the catalog was accepted");
}

const idsOf = ({ fares }: Catalog) => fares.map(({ id }) => id);
const keysOf = ({ corridors }: Catalog) => corridors.map(({ key }) => key);
const [first, second, ...others] = keysOf(packaged);
const { key: _, ...ends } = packaged.corridors[0] as Catalog["corridors"][number];
const fare = {
  ...{ id: "zurich-davos", label: "Fixed fare Zurich – Davos", includes: [], rappen: { sedan: 40_000 } },
  routes: [{ from: "zurich", to: "davos" }],
};

suite("a folder that holds only the files that differ", () => {
  test("an empty one is the packaged catalog", (t) => {
    const { folder: _folder, version, ...content } = loadCatalog(aFolder(t));
    const { folder: _packaged, version: same, ...expected } = packaged;
    assert.deepEqual(content, expected);
    assert.equal(version, same);
  });

  test("a record replaces the packaged one in its place, a new one comes last, and remove takes one away", (t) => {
    const changed = { ...ends, key: first, durationMinutes: 99 };
    const added = { ...ends, key: "zurich-airport-to-somewhere" };
    const corridors = [added, changed, { key: second, remove: true }];
    const catalog = loadCatalog(anOverlay(t, { "corridors.json": { corridors }, "fares.json": { fares: [fare] } }));
    assert.deepEqual(keysOf(catalog), [first, ...others, added.key]);
    assert.equal(catalog.corridors[0]?.durationMinutes, 99);
    assert.deepEqual(idsOf(catalog), [...idsOf(packaged), fare.id]);
    assert.deepEqual(
      ["corridors.json", "fares.json", "zones.json"].map((file) => catalog.sources.get(file)),
      ["own and packaged", "own and packaged", "packaged"],
    );
  });

  test("a place in a file of its own replaces the packaged one, and a road is the same in both directions", (t) => {
    const davos = packaged.places.find(({ id }) => id === "davos");
    const road = packaged.roads.edges[0];
    const catalog = loadCatalog(
      anOverlay(t, {
        "places/mine.json": { places: [{ ...davos, name: "Davos Town" }] },
        // As its JSON Schema has it: nothing but roads.
        "roads/mine.json": { edges: [{ ...road, from: road?.to, to: road?.from, km: 123 }] },
      }),
    );
    assert.equal(catalog.places.find(({ id }) => id === "davos")?.name, "Davos Town");
    assert.equal(catalog.places.length, packaged.places.length);
    assert.equal(catalog.roads.edges.length, packaged.roads.edges.length);
    assert.equal(catalog.roads.edges.filter(({ km }) => km === 123).length, 1);
    assert.notEqual(catalog.roads.version, packaged.roads.version);
  });

  test("translations are merged by the English text", (t) => {
    const [text = ""] = Object.keys(packaged.translations);
    const texts = { [text]: { de: "Anders." }, "On the shuttle.": { de: "Im Bus." } };
    const { translations } = loadCatalog(anOverlay(t, { "translations.json": { texts } }));
    assert.deepEqual(translations, { ...packaged.translations, ...texts });
  });

  test("a file of single values replaces the packaged one as a whole, and so does a list with replace", (t) => {
    const operator = {
      ...{ name: "Alpenglanz", phone: "+41 44 123 45 67", email: "a@alpenglanz.ch" },
      languages: ["de", "it"],
    };
    const catalog = loadCatalog(
      anOverlay(t, { "operator.json": operator, "fares.json": { replace: true, fares: [fare] } }),
    );
    assert.deepEqual(catalog.operator, operator);
    assert.deepEqual(idsOf(catalog), [fare.id]);
  });

  test("the order of service rules is that of the file", (t) => {
    const rules = [{ id: "nothing", offer: "none", reason: "Closed." }];
    assert.deepEqual(loadCatalog(anOverlay(t, { "service-rules.json": { rules } })).serviceRules, rules);
  });

  test("a folder that stands alone lacks what it does not hold", (t) => {
    const folder = anOverlay(t, { "catalog.json": { base: "none" }, "fares.json": { fares: [] } });
    const missing = mistakesIn(folder).map(findingText);
    for (const file of ["tariff.json", "roads", "places", "places/cities-far.json"])
      assert.ok(missing.includes(`${file}: missing`), file);
    assert.ok(!missing.some((text) => /^(fares|zones|clients)/.test(text)), missing.join());
  });

  test("a wrong mark is a mistake", (t) => {
    const folder = anOverlay(t, {
      "fares.json": { replace: "yes", fares: [{ id: "geneva-airport-annecy", remove: "yes" }] },
      "zones.json": { zones: {} },
    });
    const listed = mistakesIn(folder).map(findingText).join("\n");
    assert.match(listed, /^fares\.json at replace: unknown field/m);
    assert.match(listed, /^fares\.json at [^\n]*remove/m);
    assert.match(listed, /^zones\.json at zones: /m);
  });

  test("removing what does not exist is a fault that names the most similar record", (t) => {
    const { faults } = readCatalog(
      anOverlay(t, { "corridors.json": { corridors: [{ key: `${second}x`, remove: true }] } }),
    );
    assert.deepEqual(faults.map(findingText), [
      `corridors.json at ${second}x: is to be removed, but the packaged catalog has no such record; did you mean ${second}?`,
    ]);
  });

  test("a client with budgets alone is no changed price, and one with a percentage is", (t) => {
    const changes = (client: object) =>
      unversionedChanges(packaged, loadCatalog(anOverlay(t, { "clients.json": { clients: [client] } })));
    const budgets = { quote_authoritative: { points: 5, seconds: 60 } };
    assert.deepEqual(changes({ id: "hotel", budgets, commissionPercent: 10 }), []);
    assert.deepEqual(
      changes({ id: "hotel", percent: -5 }).map(({ path }) => path),
      ["version"],
    );
  });

  test("a file that the catalog in use had is missed, although the package has one, too", (t) => {
    const before = loadCatalog(anOverlay(t, { "fares.json": { fares: [fare] } }));
    assert.deepEqual(
      missingFiles(before, packaged).map(({ file }) => file),
      ["fares.json"],
    );
    assert.deepEqual(missingFiles(packaged, before), []);
  });
});
