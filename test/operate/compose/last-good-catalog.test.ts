import assert from "node:assert/strict";
import { appendFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { COPIES, startCatalog } from "../../../src/operate/compose/last-good-catalog.ts";
import { readConfig } from "../../../src/operate/config/config.ts";
import { packagedCatalog } from "../../../src/ops/package-root.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { aFolder } from "../../support/lifetime.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aService, request } from "../../support/service.ts";

function settings(t: TestContext, catalog = aCatalogFolder(t), data = aFolder(t)) {
  const env = { TRANSFER_CATALOG_DIR: catalog, TRANSFER_DATA_DIR: data };
  const recorded = aRecordingLog();
  const start = (more: Readonly<Record<string, string>> = {}) =>
    startCatalog(readConfig({ ...env, ...more }), recorded.log);
  return { catalog, data, env, recorded, start };
}

/** A fault: kilometers of vans that cost nothing. */
const spoil = (folder: string) => changeCatalog(folder, "tariff.json", ({ rates }) => (rates.van.perKmRappen = 0));
const copiesIn = (data: string) => readdirSync(join(data, COPIES)).sort();

suite("a start with a catalog that is refused", () => {
  test("uses the last good one, is ready, and says so", async (t) => {
    const { catalog, data, env, recorded } = settings(t);
    const first = await aService(t, { env, log: recorded.log });
    const version = (await request(`${first.publicUrl}/readyz`)).body.catalog.version;
    await first.close();
    const errors = () => recorded.records.filter(({ level }) => level === "error").map(({ message }) => message);
    assert.deepEqual(errors(), []);
    spoil(catalog);
    const { publicUrl } = await aService(t, { env, log: recorded.log });
    const { status, body } = await request(`${publicUrl}/readyz`);
    assert.deepEqual([status, body.status, body.catalog.version], [200, "ready", version]);
    const metrics = await request(`${publicUrl}/metrics`);
    assert.match(metrics.text, /^transfer_catalog_last_reload_successful 0$/m);
    assert.deepEqual(errors(), ["the catalog is refused: the last good one is used"]);
    assert.equal(copiesIn(data).length, 1);
  });

  test("does so for a broken file and a missing one, and for no other folder", async (t) => {
    const { catalog, data, start } = settings(t);
    const version = (await start()).loaded.catalog.version;
    writeFileSync(join(catalog, "fares.json"), "{");
    const broken = await start();
    assert.deepEqual([broken.isRefused, broken.loaded.catalog.version], [true, version]);
    rmSync(catalog, { recursive: true });
    assert.equal((await start()).loaded.catalog.version, version);
    const other = aCatalogFolder(t);
    spoil(other);
    await assert.rejects(settings(t, other, data).start(), /van\.perKmRappen/);
  });

  test("is refused where there is no copy, or it has changed", async (t) => {
    const { catalog, data, start } = settings(t);
    spoil(catalog);
    await assert.rejects(start(), /van\.perKmRappen/);
    changeCatalog(catalog, "tariff.json", ({ rates }) => (rates.van.perKmRappen = 300));
    await start();
    spoil(catalog);
    const [copy = ""] = copiesIn(data);
    appendFileSync(join(data, COPIES, copy, "tariff.json"), "\n");
    await assert.rejects(start(), /van\.perKmRappen/);
  });

  test("is refused with the example for customers, though the folder of another catalog has a copy", async (t) => {
    const { data, start } = settings(t);
    await start();
    const customers = { TRANSFER_AUTH_ISSUER: "https://id.example/", TRANSFER_AUTH_AUDIENCE: "https://api.example" };
    const { start: startExample, recorded } = settings(t, packagedCatalog, data);
    await startExample();
    await assert.rejects(startExample(customers), /the prices of the example would be sold: set TRANSFER_CATALOG_DIR/);
    assert.equal((await startExample({ ...customers, TRANSFER_ACCEPT_FAULTS: "true" })).isRefused, false);
    assert.deepEqual(
      recorded.records.map(({ message }) => message),
      ["the catalog has faults, which were accepted"],
    );
  });

  test("keeps the newest catalog without faults, none that was accepted with them, and none of the package", async (t) => {
    const { catalog, data, start } = settings(t);
    await start();
    const [first] = copiesIn(data);
    changeCatalog(catalog, "tariff.json", (tariff) => (tariff.version = "2027-01"));
    const { version } = (await start()).loaded.catalog;
    const [second, ...others] = copiesIn(data);
    assert.deepEqual(others, []);
    assert.notEqual(second, first);
    spoil(catalog);
    const accepted = await start({ TRANSFER_ACCEPT_FAULTS: "true" });
    assert.deepEqual([accepted.isRefused, accepted.loaded.catalog.version === version], [false, false]);
    assert.deepEqual(copiesIn(data), [second]);
    assert.equal((await start()).loaded.catalog.version, version);
    const empty = aFolder(t);
    await settings(t, packagedCatalog, empty).start();
    assert.deepEqual(readdirSync(empty), []);
  });
});
