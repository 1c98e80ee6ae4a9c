import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { API_BASE } from "../../src/servers/http/request.ts";
import { type BuiltServer, runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { request } from "../support/service.ts";
import { aFolder } from "../support/temporary-folder.ts";

const INITIALIZE = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "host", version: "1" } },
});
const WAITS = { timeout: 120_000 };

const FAULTS = [
  "fares.json at zermatt.rappen.sedan: CHF 80.00 for 2",
  "tariff.json at rates.van.perKmRappen: 0, which is free of charge: raise it",
];

/** A fare of 80.00 for 800.00, and kilometers that cost nothing. */
function spoil(catalog: string): void {
  changeCatalog(catalog, "fares.json", ({ fares }) => {
    const routes = [{ from: "geneva-airport", to: "zermatt", bothWays: true }];
    fares.push({ id: "zermatt", label: "Fixed fare Zermatt", routes, rappen: { sedan: 8_000 }, includes: [] });
  });
  changeCatalog(catalog, "tariff.json", ({ rates }) => (rates.van.perKmRappen = 0));
}

function assertLists(text: string, expected: readonly string[] = FAULTS): void {
  const listed = text.replaceAll(/\n {2}/g, " ");
  for (const fault of expected) assert.ok(listed.includes(fault), `${fault}\n${text}`);
}

async function aServer(t: TestContext) {
  const [catalog, dataDir] = [aCatalogFolder(t), aFolder(t)];
  const server = await startBuiltServer(t, { TRANSFER_CATALOG_DIR: catalog, TRANSFER_DATA_DIR: dataDir });
  return { server, catalog, reload: (...more: string[]) => runCommand(t, ["reload", "--data", dataDir, ...more]) };
}

async function sedanTo(destination: string, { publicUrl, token }: BuiltServer): Promise<number> {
  const { body } = await request(`${publicUrl}${API_BASE}/quotes`, {
    token,
    body: aRealJourney({ origin: "Geneva Airport", destination }),
  });
  return body.options[0].total_price;
}

suite("a catalog with faults", () => {
  test("is refused by check, serve and stdio, with the list of its faults", WAITS, async (t) => {
    const catalog = aCatalogFolder(t);
    spoil(catalog);
    const checked = await runCommand(t, ["check", "--catalog", catalog]);
    assert.equal(checked.code, 1);
    assertLists(checked.stdout);
    for (const args of [["serve", "--port", "0"], ["stdio"]]) {
      const { code, stdout, stderr } = await runBuilt(t, [...args, "--catalog", catalog]);
      assert.deepEqual([code, stdout], [2, ""], stderr);
      assertLists(stderr);
      assert.match(stderr, /TRANSFER_ACCEPT_FAULTS=true/);
    }
  });

  test("is used at a start where the operator accepts them, and the log says so", WAITS, async (t) => {
    const catalog = aCatalogFolder(t);
    spoil(catalog);
    const env = { TRANSFER_CATALOG_DIR: catalog, TRANSFER_ACCEPT_FAULTS: "true" };
    const server = await startBuiltServer(t, env);
    const [line] = await server.says(/\{"level":40[^\n]*the catalog has faults, which were accepted[^\n]*/);
    assertLists(line);
    assert.ok((await sedanTo("Zermatt", server)) < 150);
    const { code, stdout } = await runBuilt(t, ["stdio"], env, INITIALIZE);
    assert.equal(code, 0);
    assert.match(stdout, /"serverInfo"/);
  });

  test("is refused by reload and SIGHUP, and taken with --force", WAITS, async (t) => {
    const { server, catalog, reload } = await aServer(t);
    const price = await sedanTo("Zermatt", server);
    spoil(catalog);
    const refused = await reload();
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /^process \d+ keeps catalog /);
    assertLists(refused.stderr);
    assert.match(refused.stderr, /reload --force/);
    server.child.kill("SIGHUP");
    await server.says(/not reloaded[\s\S]*the catalog was not reloaded/);
    assert.equal(await sedanTo("Zermatt", server), price);
    const forced = await reload("--force");
    assert.equal(forced.code, 0, forced.stderr);
    await server.says(/"level":40[^\n]*the catalog has faults, which were accepted/);
    assert.ok((await sedanTo("Zermatt", server)) < 150);
  });

  test("reload refuses a folder that lacks a file of the catalog in use", WAITS, async (t) => {
    const { server, catalog, reload } = await aServer(t);
    const price = await sedanTo("Annecy", server);
    const files = ["fares.json", "seasons.json", "availability.json", "translations.json", "zones.json"];
    for (const file of files) rmSync(join(catalog, file));
    const refused = await reload();
    assert.equal(refused.code, 1);
    assertLists(
      refused.stderr,
      files.map((file) => `${file}: missing, and the catalog in use has it`),
    );
    assert.equal(await sedanTo("Annecy", server), price);
    const forced = await reload("--force");
    assert.equal(forced.code, 0, forced.stderr);
    assert.notEqual(await sedanTo("Annecy", server), price);
  });
});
