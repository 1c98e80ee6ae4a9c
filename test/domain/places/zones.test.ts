import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { createEmbeddedPlaceFinder } from "../../../src/domain/places/embedded-place-finder.ts";
import { createGazetteer } from "../../../src/domain/places/gazetteer.ts";
import { createZones } from "../../../src/domain/places/zones.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";

const { catalog } = defaultCatalog;
const { places, zones: packagedZones } = catalog;
const GRISONS = { id: "grisons", cantons: ["GR"] };
const AUSTRIA = { id: "austria", countries: ["AT"] };
const CIRCLE = { id: "circle", circle: { lat: 46.62, lng: 9.95, radiusKm: 1 } };
const finder = createEmbeddedPlaceFinder(createGazetteer(catalog), catalog.serviceArea);
const zones = createZones({ places, zones: [GRISONS, AUSTRIA, CIRCLE] });

suite("a zone of cantons and countries", () => {
  test("contains their places", () => {
    for (const [id, isOf] of [
      ["grisons", ({ canton }: (typeof places)[number]) => canton === "GR"],
      ["austria", ({ country }: (typeof places)[number]) => country === "AT"],
    ] as const) {
      const own = places.filter(isOf);
      assert.ok(own.length > 20, `${own.length} places`);
      assert.deepEqual(zones.placesIn(id), new Set(own));
    }
  });

  test("contains a position by the nearest town, and an address by the place that it is in", () => {
    const at = (lat: number, lng: number, id?: string) => {
      const location = finder.at({ lat, lng }, "A farm");
      assert.equal(location.kind, "found");
      return zones.of({ ...location.place, ...(id && { id }) });
    };
    assert.deepEqual(at(46.62, 9.95), ["grisons", "circle"], "a road in the Engadine");
    assert.deepEqual(at(47.05, 10.62), ["austria"], "near Ischgl");
    assert.deepEqual(at(46.95, 7.44), []);
    assert.deepEqual(at(46.95, 7.44, "davos"), ["grisons"], "the place decides");
  });

  test("overlaps another with a common place, or a circle that lies in it", () => {
    const meet = (id: string, other: string) => [zones.meet(id, other), zones.meet(other, id)];
    assert.deepEqual(meet("grisons", "davos"), [true, true]);
    assert.deepEqual(meet("grisons", "circle"), [true, true]);
    assert.deepEqual(meet("davos-platz", "davos"), [true, true]);
    assert.deepEqual(meet("grisons", "austria"), [false, false]);
    assert.deepEqual(meet("austria", "circle"), [false, false]);
  });
});

test("the examples of the catalog's README name places and zones that exist", () => {
  const readme = readFileSync(join(packagedCatalog, "README.md"), "utf8");
  const snippets = [...readme.matchAll(/```json\n([^`]+)```|`(\{"[^`]+\})`/g)].map(
    ([, block, inline]) => block ?? inline ?? "",
  );
  const examples: unknown[] = snippets.map((snippet) => JSON.parse(snippet));
  const own = examples.filter((each) => /"(postcodes|cantons|circle)"/.test(JSON.stringify(each)));
  const known = new Set([...places, ...packagedZones, ...(own as { id?: string }[])].map(({ id }) => id));
  const named = [...JSON.stringify(examples).matchAll(/"(?:from|to|places)":(\[[^\]]*\]|"[^"]*")/g)].flatMap(
    ([, value = ""]) => [JSON.parse(value)].flat(),
  );
  assert.ok(named.length > 4, named.join());
  assert.deepEqual(
    named.filter((id: string) => !known.has(id) && !/^\d{4}-/.test(id)),
    [],
  );
});
