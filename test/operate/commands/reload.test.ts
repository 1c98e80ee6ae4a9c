import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import canonicalize from "canonicalize";
import { openControl } from "../../../src/operate/commands/control.ts";
import { COPIES } from "../../../src/operate/compose/last-good-catalog.ts";
import { aCatalogFolder, changeCatalog } from "../../support/catalog-folder.ts";
import { runCommand } from "../../support/command-line.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aRealJourney, asCreated } from "../../support/journey-fixture.ts";
import { until, wholeFile } from "../../support/lifetime.ts";
import { linkPath, termsOf } from "../../support/machines.ts";
import { anMcpClient, type Fields } from "../../support/mcp-client.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aService, request } from "../../support/service.ts";

const FAULTS = [
  "fares.json at zermatt.rappen.sedan: CHF 80 for 2",
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

function raisePrices(tariff: Fields): void {
  tariff.version = "dearer";
  for (const rate of Object.values<Fields>(tariff.rates)) rate.baseRappen += 10_000;
}

function assertLists(text: string, expected: readonly string[] = FAULTS): void {
  const listed = text.replaceAll(/\n {2}/g, " ");
  for (const fault of expected) assert.ok(listed.includes(fault), `${fault}\n${text}`);
}

const catalog = aCatalogFolder(wholeFile);
const setPoints = (points: number) =>
  changeCatalog(catalog, "budgets.json", ({ $schema: _, ...budgets }) => {
    for (const budget of Object.values<Fields>(budgets)) budget.points = points;
  });
setPoints(100_000);
const { log, records } = aRecordingLog();
const env = { TRANSFER_CATALOG_DIR: catalog };
const clock = aClock(new Date(Date.now() - 60_000));
const service = await aService(wholeFile, { log, clock, env });
wholeFile.after(await openControl(service.dataDir, service.answer));
const token = await service.token();
/** In this folder, from which the process that reads the catalog loads the sources. */
const reload = (...more: string[]) =>
  runCommand(wholeFile, ["reload", "--data", service.dataDir, ...more], {}, process.cwd());
const quoted = async (journey = {}) => (await service.api("/quotes", { token, body: aRealJourney(journey) })).body;
const opened = async (handoff: Fields) => {
  // A text that the present catalog lacks is shown in English.
  const { request_id: _, translations: __, ...link } = (await service.api(linkPath(handoff))).body;
  return link;
};
const inUse = async () => (await request(`${service.publicUrl}/readyz`)).body.catalog;
const lines = (level: string) => records.filter((line) => line.level === level).map(({ message }) => message);
const sedanTo = async (destination: string) =>
  (await quoted({ origin: "Geneva Airport", destination })).options[0].total_price;

suite("a reload", () => {
  test("prices new quotes by the new catalog; issued quotes, links and events keep prices, terms and operator", async (t) => {
    const before = await inUse();
    const quote = await quoted();
    const handoff = (await service.api("/checkout-sessions", { token, body: termsOf(quote) })).body;
    const shown = await opened(handoff);
    assert.match(shown.cancellation_policy, /up to 24 hours/);
    const requirements = await service.api("/quote-requirements");
    const services = await service.api("/services/transfers");

    changeCatalog(catalog, "tariff.json", raisePrices);
    changeCatalog(catalog, "requirements.json", (file) => (file.notes = "Now {leadTimeHours} h."));
    const OPERATOR = { name: "Another Name", postalAddress: "Another Street 2, 3000 Bern", paymentMethods: "cash" };
    changeCatalog(catalog, "operator.json", (operator) => Object.assign(operator, OPERATOR));
    changeCatalog(catalog, "policies.json", ({ policies }) => {
      for (const policy of policies) Object.assign(policy, { version: "2027-01-01", fullRefundCutoffHours: 336 });
    });
    const { code, stdout, stderr } = await reload();
    assert.equal(code, 0, stderr);
    const after = await inUse();
    assert.equal(stdout, `process ${process.pid} uses catalog ${after.version} (tariff dearer)\n`);
    assert.notEqual(after.version, before.version);

    assert.deepEqual(asCreated((await service.api(`/quotes/${quote.quote_id}`, { token })).body), quote);
    assert.deepEqual(await opened(handoff), shown);
    const later = (await service.api("/checkout-sessions", { token, body: termsOf(quote) })).body;
    assert.equal(later.total_price, quote.options[0].total_price);
    const next = await quoted();
    assert.equal(next.options[0].total_price, quote.options[0].total_price + 100);
    const fresh = await opened((await service.api("/checkout-sessions", { token, body: termsOf(next) })).body);
    assert.match(fresh.cancellation_policy, /up to 336 hours/);
    assert.deepEqual([fresh.operator.postal_address, fresh.operator.payment_methods], [OPERATOR.postalAddress, "cash"]);

    assert.match((await service.api("/quote-requirements")).body.notes, /^Now \d+ h\.$/);
    const etagOf = ({ headers }: { readonly headers: Headers }) => headers.get("etag");
    assert.notEqual(etagOf(await service.api("/quote-requirements")), etagOf(requirements));
    assert.equal(etagOf(await service.api("/services/transfers")), etagOf(services));
    const { body: openapi } = await request(`${service.publicUrl}/openapi.json`);
    const { client } = await anMcpClient(t, service.publicUrl, token);
    assert.equal(openapi.info.contact.name, "Another Name");
    assert.match(client.getServerVersion()?.description ?? "", / Operator: Another Name \(/);
    const { text } = await request(`${service.publicUrl}/metrics`);
    assert.match(
      text,
      new RegExp(`^transfer_catalog_info\\{version="${after.version}",tariff_version="dearer"\\} 1$`, "m"),
    );
    assert.ok(!text.includes(before.version), "the old catalog is still shown");
    assert.match(text, /^transfer_catalog_reloads_total\{outcome="ok"\} 1$/m);

    const find = ["find", quote.quote_id, "--json"];
    const found = JSON.parse((await runCommand(t, find, { ...env, TRANSFER_DATA_DIR: service.dataDir })).stdout);
    const [, ...steps] = found.events;
    const [{ document }, ...others] = found.shown;
    const digest = createHash("sha256")
      .update(canonicalize(document) ?? "")
      .digest("hex");
    assert.deepEqual([new Set(steps.map(({ terms_digest }: Fields) => terms_digest)), others], [new Set([digest]), []]);
    const { operator, policies } = document.terms;
    assert.equal(operator.postalAddress, shown.operator.postal_address);
    const cancellation = policies.find(({ key }: Fields) => key === "cancellation");
    assert.deepEqual([cancellation.version, cancellation.text], ["2026-11-01", shown.cancellation_policy]);
    assert.equal(document.options[0].totalRappen, Math.round(handoff.total_price * 100));
  });

  test("of a broken catalog keeps the old one and names file and path", async () => {
    const before = await inUse();
    const { options } = await quoted();
    const headFor = (destination: string) =>
      changeCatalog(catalog, "corridors.json", ({ corridors }) => (corridors[0].destination = destination));
    headFor("atlantis");
    const { code, stdout, stderr } = await reload();
    headFor("zurich");
    const mistake = `${join(catalog, "corridors.json")} at zurich-airport-to-zurich.destination: unknown place atlantis; the command places lists them`;
    const kept = `process ${process.pid} keeps catalog ${before.version} (tariff ${before.tariff_version})`;
    assert.deepEqual([code, stdout, stderr], [1, "", `${kept}: ${mistake}\n`]);
    assert.ok(lines("error").includes("the catalog was not reloaded: the old one stays in use"));
    assert.deepEqual([await inUse(), (await quoted()).options], [before, options]);
    // Metrics are rendered at most once a second.
    const metrics = async () => (await request(`${service.publicUrl}/metrics`)).text;
    await until(
      async () => /^transfer_catalog_reloads_total\{outcome="rejected"\} 1$/m.test(await metrics()),
      "it counts",
    );
    const text = await metrics();
    assert.match(text, /^transfer_catalog_last_reload_successful 0$/m);
  });

  test("warns of prices that changed under the same version, and fails no call meanwhile", async () => {
    let done = false;
    const statuses = new Set<number>();
    const callers = Array.from({ length: 4 }, async () => {
      while (!done) statuses.add((await service.api("/quotes", { token, body: aRealJourney() })).status);
    });
    changeCatalog(catalog, "tariff.json", raisePrices);
    const { code, stderr } = await reload();
    done = true;
    await Promise.all(callers);
    assert.deepEqual([...statuses], [201]);
    const warning = "tariff.json at version: prices changed, and the version is still dearer: change it";
    assert.deepEqual([code, stderr], [0, `process ${process.pid} warns: ${warning}\n`]);
    assert.ok(lines("warn").includes("the catalog changed under an unchanged version"));
  });

  test("refuses faults with their list, and a folder that lacks a file; --force takes both, with their budgets, and keeps the copy of the last good catalog", async () => {
    const price = await sedanTo("Zermatt");
    spoil(catalog);
    setPoints(1);
    const files = ["seasons.json", "availability.json", "translations.json"];
    for (const file of files) rmSync(join(catalog, file));
    const refused = await reload();
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /^process \d+ keeps catalog [\s\S]*reload --force/);
    const lacking = files.map((file) => `${file}: missing, and the catalog in use has it`);
    assertLists(refused.stderr, [...FAULTS, ...lacking]);
    assert.equal(await sedanTo("Zermatt"), price);
    const copies = () => readdirSync(join(service.dataDir, COPIES));
    const before = copies();
    const forced = await reload("--force");
    assert.deepEqual(copies(), before);
    assert.equal(forced.code, 0, forced.stderr);
    assert.ok(lines("warn").some((message) => message.startsWith("the catalog has faults, which were accepted")));
    assert.equal((await service.api("/vehicle-classes")).status, 429);
  });
});

test("a start refuses faults with their list, and what accepts them", async (t) => {
  const catalog = aCatalogFolder(t);
  spoil(catalog);
  const checked = await runCommand(t, ["check", "--catalog", catalog]);
  assert.equal(checked.code, 1);
  assertLists(checked.stdout);
  for (const args of [["serve", "--port", "0"], ["stdio"]]) {
    const { code, stdout, stderr } = await runCommand(t, [...args, "--catalog", catalog]);
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assertLists(stderr);
    assert.match(stderr, /TRANSFER_ACCEPT_FAULTS=true/);
  }
  const { log, records } = aRecordingLog();
  await aService(t, { log, env: { TRANSFER_CATALOG_DIR: catalog, TRANSFER_ACCEPT_FAULTS: "true" } });
  const accepted = records.find(({ message }) => message.startsWith("the catalog has faults, which were accepted"));
  assert.equal(accepted?.level, "warn");
});
