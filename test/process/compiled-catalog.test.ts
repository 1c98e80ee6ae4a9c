import assert from "node:assert/strict";
import { appendFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { localTimeIn, useOffsets } from "../../src/ops/local-time.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { foldNames } from "../../src/places/index/place-index.ts";
import { arcsOf } from "../../src/routing/road-graph.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";
import { aFolder } from "../support/temporary-folder.ts";

const DAY = 24 * 3_600_000;

/** As the built program reads it. */
const built: (path: string) => Catalog = (await import(join(packageRoot, "dist/src/catalog/catalog.js"))).loadCatalog;

test("the compiled catalog equals the one that is read from the folder and checked", (t) => {
  const { prepared, version, ...compiled } = built(DEFAULT_CATALOG);
  const { version: otherVersion, ...checked } = built(aCatalogWithMore(t, " "));
  assert.deepEqual(checked, compiled);
  assert.notEqual(otherVersion, version);
  assert.deepEqual(prepared?.names, foldNames(checked));
  assert.deepEqual(prepared?.arcs, arcsOf(checked.roads));
});

test("prepared offsets are those of Intl, to the second of each change", () => {
  const { prepared, tariff } = built(DEFAULT_CATALOG);
  assert.ok(prepared && prepared.offsets.changes.length > 40);
  const { changes, until, release } = prepared.offsets;
  assert.equal(release, process.versions.tz);
  const fromIntl = localTimeIn(tariff.timeZone);
  useOffsets({ ...prepared.offsets, timeZone: "prepared" });
  const inside = changes.slice(1).flatMap(([from]) => [from - 1000, from - 1, from, from + 1, from + DAY]);
  const known = [...inside, ...changes.slice(0, 1).map(([from]) => from), until - 2 * DAY];
  for (const at of known.map((each) => new Date(each))) assert.equal(localTimeIn("prepared")(at), fromIntl(at));
  // Before the first of them and from the end on, `Intl` is asked.
  const [[first] = [0]] = changes;
  for (const at of [first - 1, until]) assert.throws(() => localTimeIn("prepared")(new Date(at)), RangeError);
});

test("offsets of another time zone database are not used", () => {
  useOffsets({ timeZone: "Asia/Tokyo", release: "2001a", until: Number.MAX_VALUE, changes: [[0, 0]] });
  assert.match(localTimeIn("Asia/Tokyo")(new Date(0)), /\+09:00$/);
});

test("the built program checks a folder that differs from the packaged one", (t) => {
  assert.throws(() => built(aCatalogWithMore(t, "x")), /tariff\.json: invalid JSON/);
});

/** The packaged folder with a tariff that ends with `more`. */
function aCatalogWithMore(t: TestContext, more: string): string {
  const folder = aFolder(t);
  cpSync(DEFAULT_CATALOG, folder, { recursive: true });
  appendFileSync(join(folder, "tariff.json"), more);
  return folder;
}
