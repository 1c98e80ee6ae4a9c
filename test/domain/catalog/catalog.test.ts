import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { suite, test } from "node:test";
import { catalogJsonSchemas } from "../../../scripts/docs/catalog-schemas.ts";
import { loadCatalog } from "../../../src/domain/catalog/catalog.ts";
import { type CatalogKind, catalogKinds } from "../../../src/domain/catalog/catalog-files.ts";
import { contentOf, readContents } from "../../../src/domain/catalog/read-contents.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import { aWholeCatalog, changeCatalog } from "../../support/catalog-folder.ts";

suite("the default catalog", () => {
  const { corridors, tariff, places } = loadCatalog(packagedCatalog);

  test("publishes every corridor under the key of its places, in both directions with the same figures", () => {
    assert.ok(corridors.length >= 25, `${corridors.length} corridors`);
    const figures = new Map(corridors.map((each) => [each.key, `${each.distanceKm} ${each.durationMinutes}`]));
    for (const { origin, destination } of corridors) {
      const there = figures.get(`${origin}-to-${destination}`) ?? assert.fail(`${origin} ${destination}`);
      assert.equal(figures.get(`${destination}-to-${origin}`), there, `${origin} ${destination}`);
    }
  });

  test("sells a station in a town as that town", () => {
    const towns = places.filter(({ kind, partOf }) => kind !== "station" && partOf === undefined);
    const nodes = new Set(towns.flatMap(({ id, node = id }) => [id, node]));
    const isApart = ({ kind, node = "", partOf }: (typeof places)[number]) =>
      kind === "station" && partOf === undefined && nodes.has(node);
    assert.deepEqual(places.filter(isApart), []);
  });

  test("charges for a further hour of hire no less than for the kilometers it includes", () => {
    for (const [vehicle, { furtherHourRappen, perKmRappen }] of Object.entries(tariff.rates))
      assert.ok(furtherHourRappen >= tariff.hourly.includedKmPerHour * perKmRappen, vehicle);
  });
});

const files = readdirSync(packagedCatalog, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".json") && !file.startsWith("schemas"))
  .map((file) => join(packagedCatalog, file));

suite("the files of the packaged catalog", () => {
  for (const file of files)
    test(`${relative(packagedCatalog, file)} names its schema, which accepts it and changes nothing`, () => {
      const { $schema, ...content } = JSON.parse(readFileSync(file, "utf8"));
      assert.equal(join(dirname(file), dirname($schema)), join(packagedCatalog, "schemas"));
      const kind = basename($schema, ".schema.json") as CatalogKind;
      assert.deepEqual(catalogKinds[kind].schema.parse(content), content);
    });

  test("have a description for every number, since it has a unit", () => {
    const bare = Object.entries(catalogJsonSchemas).flatMap(([path, schema]) =>
      numbersWithoutDescription(schema, path),
    );
    assert.deepEqual(bare, []);
  });
});

suite("a catalog folder", () => {
  test("ignores $schema, also a wrong one", (t) => {
    const folder = aWholeCatalog(t);
    changeCatalog(folder, "tariff.json", (tariff) => (tariff.$schema = 7));
    assert.ok(!("$schema" in contentOf(readContents(folder), "tariff")));
  });

  test("has another version after any change, and the same in another place", (t) => {
    const { version } = readContents(packagedCatalog);
    const folder = aWholeCatalog(t);
    assert.equal(readContents(folder).version, version);
    changeCatalog(folder, "roads/central.json", () => {});
    assert.notEqual(readContents(folder).version, version);
  });

  test("has another road version after a change of the roads, but not of their $schema or layout", (t) => {
    const folder = aWholeCatalog(t);
    const path = join(folder, "roads", "central.json");
    const { version } = loadCatalog(packagedCatalog).roads;
    assert.equal(loadCatalog(folder).roads.version, version);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, JSON.stringify(JSON.parse(text.replace("../schemas/", "https://catalog.example/"))));
    assert.equal(loadCatalog(folder).roads.version, version);
    writeFileSync(path, text.replace('"km": ', '"km": 1'));
    assert.notEqual(loadCatalog(folder).roads.version, version);
  });
});

function numbersWithoutDescription(schema: object, path: string): readonly string[] {
  const { type, description } = schema as { type?: unknown; description?: unknown };
  if (type === "number" || type === "integer") return description ? [] : [path];
  return Object.entries(schema).flatMap(([key, member]) =>
    typeof member === "object" && member !== null && (key !== "items" || type !== "array" || !description)
      ? numbersWithoutDescription(member, `${path}.${key}`)
      : [],
  );
}
