import assert from "node:assert/strict";
import { appendFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Catalog, loadCatalog } from "../../src/catalog/catalog.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";
import { aFolder } from "../support/temporary-folder.ts";

/** As the built program reads it. */
const built: (path: string) => Catalog = (await import(join(packageRoot, "dist/src/catalog/catalog.js"))).loadCatalog;

test("the compiled catalog equals the one that is read from the folder and checked", () => {
  const checked = loadCatalog(DEFAULT_CATALOG);
  assert.deepEqual(built(DEFAULT_CATALOG), checked);
});

test("the built program reads a folder that differs from the packaged one", (t) => {
  const folder = aFolder(t);
  cpSync(DEFAULT_CATALOG, folder, { recursive: true });
  appendFileSync(join(folder, "tariff.json"), " ");
  assert.deepEqual(built(folder), built(DEFAULT_CATALOG));
  appendFileSync(join(folder, "tariff.json"), "x");
  assert.throws(() => built(folder), /tariff\.json: invalid JSON/);
});
