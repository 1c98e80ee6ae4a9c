import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { API_BASE } from "../../src/servers/http/request.ts";
import { runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import { aRealJourney, asCreated } from "../support/journey-fixture.ts";
import { anMcpClient, type Fields } from "../support/mcp-client.ts";
import { request } from "../support/service.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { wholeFile } from "../support/whole-file.ts";

const WAITS = { timeout: 120_000 };

/** A server on a catalog that the tests change, one after the other. */
async function aServer() {
  const catalog = aCatalogFolder(wholeFile);
  const dataDir = aFolder(wholeFile);
  changeCatalog(catalog, "budgets.json", (budgets) => setPoints(budgets, 100_000));
  const server = await startBuiltServer(wholeFile, { TRANSFER_CATALOG_DIR: catalog, TRANSFER_DATA_DIR: dataDir });
  const { publicUrl, token } = server;
  return {
    ...server,
    catalog,
    reload: () => runCommand(wholeFile, ["reload", "--data", dataDir]),
    quote: async () => (await request(`${publicUrl}${API_BASE}/quotes`, { token, body: aRealJourney() })).body,
    get: (path: string, headers = {}) => request(`${publicUrl}${path}`, { token, headers }),
  };
}

const server = await aServer();

function setPoints({ $schema: _, ...budgets }: Fields, points: number): void {
  for (const budget of Object.values<Fields>(budgets)) budget.points = points;
}

function raisePrices(tariff: Fields): void {
  tariff.version = "dearer";
  for (const rate of Object.values<Fields>(tariff.rates)) rate.baseRappen += 10_000;
}

test("reload prices new quotes by the new catalog and leaves issued ones", WAITS, async () => {
  const before = (await server.get("/readyz")).body.catalog;
  const quote = await server.quote();
  const requirements = await server.get(`${API_BASE}/quote-requirements`);
  const policy = await server.get(`${API_BASE}/policies/cancellation`);

  changeCatalog(server.catalog, "tariff.json", raisePrices);
  changeCatalog(server.catalog, "requirements.json", (file) => (file.notes = "Now {leadTimeHours} h."));
  const { code, stdout, stderr } = await server.reload();
  assert.equal(code, 0, stderr);
  const after = (await server.get("/readyz")).body.catalog;
  assert.equal(after.tariff_version, "dearer");
  assert.notEqual(after.version, before.version);
  assert.equal(stdout, `process ${server.child.pid} uses catalog ${after.version} (tariff dearer)\n`);

  const next = await server.quote();
  assert.equal(next.options[0].total_price, quote.options[0].total_price + 100);
  assert.deepEqual(asCreated((await server.get(`${API_BASE}/quotes/${quote.quote_id}`)).body), quote);
  const link = { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
  const handoff = await request(`${server.publicUrl}${API_BASE}/checkout-sessions`, {
    token: server.token,
    body: link,
  });
  assert.equal(handoff.body.total_price, quote.options[0].total_price);

  const fresh = await server.get(`${API_BASE}/quote-requirements`);
  assert.match(fresh.body.notes, /^Now \d+ h\.$/);
  assert.notEqual(fresh.headers.get("etag"), requirements.headers.get("etag"));
  const unchanged = await server.get(`${API_BASE}/policies/cancellation`);
  assert.equal(unchanged.headers.get("etag"), policy.headers.get("etag"));
  const { text } = await server.get("/metrics");
  assert.match(
    text,
    new RegExp(`^transfer_catalog_info\\{version="${after.version}",tariff_version="dearer"\\} 1$`, "m"),
  );
  assert.ok(!text.includes(before.version), "the old catalog is still shown");
  assert.match(text, /^transfer_catalog_reloads_total\{outcome="ok"\} 1$/m);
  assert.match(text, /^transfer_catalog_last_reload_successful 1$/m);
  const [, loadedAt] = /^transfer_catalog_loaded_timestamp_seconds (\S+)$/m.exec(text) ?? [];
  assert.equal(Number(loadedAt), Date.parse(after.loaded_at) / 1000);
});

test("the documents and the MCP server name the operator of the catalog in use", WAITS, async (t) => {
  const names = async () => {
    const { body } = await server.get("/openapi.json");
    const { client } = await anMcpClient(t, server.publicUrl, server.token);
    return [body.info.contact.name, client.getServerVersion()?.description];
  };
  assert.equal((await names())[0], "Example Transfers");
  changeCatalog(server.catalog, "operator.json", (operator) => (operator.name = "Alpine Cars"));
  assert.equal((await server.reload()).code, 0);
  const [contact, description] = await names();
  assert.equal(contact, "Alpine Cars");
  assert.match(description ?? "", / Operator: Alpine Cars \(/);
});

test("reload of a broken catalog keeps the old one and names file and path", WAITS, async (t) => {
  const { catalog } = (await server.get("/readyz")).body;
  const { options } = await server.quote();
  const headFor = (destination: string) =>
    changeCatalog(server.catalog, "corridors.json", ({ corridors }) => (corridors[0].destination = destination));
  headFor("atlantis");
  t.after(() => headFor("zurich"));
  const wrong = await server.reload();
  assert.deepEqual([wrong.code, wrong.stdout], [1, ""]);
  const mistake = `${join(server.catalog, "corridors.json")} at zurich-airport-to-zurich.destination: unknown place atlantis; the command places lists them`;
  const kept = `process ${server.child.pid} keeps catalog ${catalog.version} (tariff ${catalog.tariff_version})`;
  assert.equal(wrong.stderr, `${kept}: ${mistake}\n`);
  await server.says(/"level":50[^\n]*unknown place atlantis[^\n]*the catalog was not reloaded/);
  assert.deepEqual((await server.get("/readyz")).body.catalog, catalog);
  assert.deepEqual((await server.quote()).options, options);
  const { text } = await server.get("/metrics");
  assert.match(text, /^transfer_catalog_reloads_total\{outcome="rejected"\} 1$/m);
  assert.match(text, /^transfer_catalog_last_reload_successful 0$/m);
});

test("reload warns of prices that changed under the same version", WAITS, async () => {
  const version = (await server.get("/readyz")).body.catalog.tariff_version;
  changeCatalog(server.catalog, "tariff.json", (tariff) => {
    raisePrices(tariff);
    tariff.version = version;
  });
  const { code, stderr } = await server.reload();
  const warning = `tariff.json at version: prices changed, and the version is still ${version}: change it`;
  assert.deepEqual([code, stderr], [0, `process ${server.child.pid} warns: ${warning}\n`]);
  await server.says(/"level":40[^\n]*the catalog changed under an unchanged version/);
});

test("no call fails while the catalog is reloaded", WAITS, async () => {
  let done = false;
  const statuses = new Set<number>();
  const callers = Array.from({ length: 4 }, async () => {
    const token = server.token;
    while (!done)
      statuses.add((await request(`${server.publicUrl}${API_BASE}/quotes`, { token, body: aRealJourney() })).status);
  });
  for (let round = 0; round < 2; round += 1) {
    changeCatalog(server.catalog, "tariff.json", raisePrices);
    assert.equal((await server.reload()).code, 0);
  }
  done = true;
  await Promise.all(callers);
  assert.deepEqual([...statuses], [201]);
});

test("SIGHUP reloads, and budgets change with the catalog", WAITS, async () => {
  const classes = () => server.get(`${API_BASE}/vehicle-classes`);
  assert.equal((await classes()).status, 200);
  changeCatalog(server.catalog, "budgets.json", (budgets) => setPoints(budgets, 1));
  const reloads = () => server.stderr().split('"msg":"catalog reloaded"').length;
  const before = reloads();
  server.child.kill("SIGHUP");
  await until(() => reloads() > before, "the reload is logged");
  assert.equal((await classes()).status, 429);
});

test("reload reaches a server whose data folder has a long path, and nobody else does", WAITS, async (t) => {
  const dataDir = join(aFolder(t), "a".repeat(90));
  const reload = () => runBuilt(t, ["reload", "--data", dataDir]);
  const killed = await startBuiltServer(t, { TRANSFER_DATA_DIR: dataDir });
  const control = join(dataDir, "control");
  const [file = ""] = readdirSync(control).filter((name) => name.endsWith(".json"));
  const { socket } = JSON.parse(readFileSync(join(control, file), "utf8"));
  const path = join(control, socket);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  assert.match((await reload()).stdout, new RegExp(`^process ${killed.child.pid} uses `));

  await killed.stop("SIGKILL");
  const nobody = await reload();
  assert.deepEqual([nobody.code, nobody.stdout], [1, ""]);
  assert.match(nobody.stderr, /^no server uses the data folder \S+; give reload the same --data as the server\n$/);
  const again = await startBuiltServer(t, { TRANSFER_DATA_DIR: dataDir });
  const one = await reload();
  assert.match(
    one.stdout,
    new RegExp(`^process ${again.child.pid} uses [^\\n]*\\n$`),
    "what the killed one left is gone",
  );
});
