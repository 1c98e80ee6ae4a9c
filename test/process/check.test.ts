import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { Finding } from "../../src/domain/catalog/finding.ts";
import { auditFolder } from "../../src/operate/commands/check.ts";
import { type Config, readConfig } from "../../src/operate/config/config.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { runBuilt } from "../support/built-process.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import { aLoopbackServer } from "../support/loopback-server.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aFolder } from "../support/temporary-folder.ts";

/** What `check` finds in the catalog. */
async function auditCatalog({ catalogDir }: Config, { before = packagedCatalog } = {}) {
  return auditFolder(catalogDir, before).findings;
}

const edit = (file: string, change: (content: Fields) => void) => (folder: string) =>
  changeCatalog(folder, file, change);

function placeFee(folder: string, rest: object): void {
  const fee = { id: "parking", label: "Parking", places: ["scuol"], rappen: 600, ...rest };
  writeFileSync(join(folder, "place-fees.json"), JSON.stringify({ placeFees: [fee] }));
}

/** With what the catalog does not load. */
// biome-ignore format: a table reads by its columns
const BROKEN: readonly (readonly [string, (folder: string) => void, string, string])[] = [
  ["a class without a rate", edit("tariff.json", ({ rates }) => delete rates.coach), "tariff.json", "rates.coach: missing"],
  ["a place at a node that does not exist", edit("places/airports.json", ({ places }) => (places[0].node = "atlantis")), "places/airports.json", ".node: unknown road node atlantis"],
  ["a road to a node that does not exist", edit("roads/grisons.json", ({ edges }) => (edges[0].to = "atlantis")), "roads/grisons.json", "unknown road node atlantis"],
  ["a fee of an unknown place", (folder) => placeFee(folder, { places: ["atlantis"] }), "place-fees.json", "parking.places.0: unknown place or zone atlantis"],
  ["an unknown place", edit("corridors.json", ({ corridors }) => (corridors[0].destination = "atlantis")), "corridors.json", "zurich-airport-to-zurich.destination: unknown place atlantis"],
];

/** With what a file does not fit its schema. */
// biome-ignore format: a table reads by its columns
const NO_DAYS: readonly (readonly [string, (folder: string) => void])[] = [
  ["holidays.days.New Year's Day.date", edit("tariff.json", ({ holidays }) => (holidays.days[0].date = "02-30"))],
  ["davos-congress.dates.0.to", edit("seasons.json", ({ seasons }) => (seasons[0].dates = [{ from: "02-10", to: "02-30" }]))],
  ["geneva-airport-annecy.validTo", edit("fares.json", ({ fares }) => (fares[0].validTo = "2027-02-29"))],
];

suite("check finds what a catalog surely or probably does not mean", () => {
  test("nothing in the packaged catalog but its example operator", async () => {
    const findings = await auditCatalog(readConfig({}));
    assert.deepEqual(
      new Set(findings.map(({ severity, file }) => `${severity} ${file}`)),
      new Set(["warning operator.json"]),
    );
  });

  test("what changed since an earlier catalog of the operator's own", async (t) => {
    const [before, after] = [aCatalogFolder(t), aCatalogFolder(t)];
    for (const folder of [before, after]) edit("tariff.json", (tariff) => (tariff.version = "own-1"))(folder);
    edit("seasons.json", ({ seasons }) => (seasons[0].percent = 30))(after);
    const config = readConfig({ TRANSFER_CATALOG_DIR: after });
    const changes = (findings: readonly Finding[]) => findings.filter(({ path }) => path === "version").length;
    assert.deepEqual([changes(await auditCatalog(config)), changes(await auditCatalog(config, { before }))], [0, 1]);
  });

  test("the placeholders of the example are one finding, and an audience is named once in each row", async (t) => {
    const audience = "http://127.0.0.1:3000/mcp";
    const issuer: string = await aLoopbackServer(t, (_request, response) => response.end(JSON.stringify({ issuer })));
    const env = { TRANSFER_AUTH_ISSUER: issuer, TRANSFER_AUTH_AUDIENCE: `${audience},https://other.test` };
    const { rows, findings } = JSON.parse((await runCommand(t, ["check", "--json"], env)).stdout);
    const [{ text }, ...others] = findings.filter(({ file }: Finding) => file === "operator.json");
    assert.match(
      text,
      /^placeholders of the example, state your own: name Example Transfers, phone .*, license Example/,
    );
    assert.deepEqual(others, []);
    const row = rows.find(({ name }: Fields) => name === "sign-in: audience");
    assert.equal(row.text, `make sure that requests with resource=${audience} get tokens for it or https://other.test`);
  });

  test("a warning alone exits with 0, and with 1 under --strict", async (t) => {
    const folder = aCatalogFolder(t);
    edit("tariff.json", ({ rates }) => (rates.limo = rates.sedan))(folder);
    const { code, stdout } = await runBuilt(t, ["check", "--catalog", folder]);
    assert.equal(code, 0);
    assert.match(stdout, /\nWarnings in the catalog:\n[\s\S]*- tariff\.json at rates\.limo: /);
    assert.equal((await runBuilt(t, ["check", "--strict", "--catalog", folder])).code, 1);
  });
});

suite("check lists all mistakes with which a catalog does not load", () => {
  test("those between files, and where a file does not match its schema those of the schemas in every file", async (t) => {
    const folder = aCatalogFolder(t);
    for (const [, spoil] of BROKEN) spoil(folder);
    const between = (await runCommand(t, ["check", "--catalog", folder])).stdout.replaceAll(/\n {2}/g, " ");
    for (const [, , file, mistake] of BROKEN) assert.ok(between.includes(mistake), `${file}: ${mistake}\n${between}`);
    edit("vehicle-classes.json", ({ vehicleClasses }) => (vehicleClasses[1].passengerCapacity = 0))(folder);
    edit("tariff.json", (tariff) => Object.assign(tariff, { leadTimeHours: -1, horizonDays: "a year" }))(folder);
    writeFileSync(join(folder, "luggage.json"), "{");
    for (const [, spoil] of NO_DAYS) spoil(folder);
    const { code, stdout } = await runCommand(t, ["check", "--catalog", folder]);
    assert.equal(code, 1);
    const listed = stdout.replaceAll(/\n {2}/g, " ");
    assert.ok(listed.includes("\nThe catalog cannot be used:\n- "), stdout);
    for (const place of [
      "vehicle-classes.json at estate.passengerCapacity: ",
      "tariff.json at leadTimeHours: ",
      "tariff.json at horizonDays: ",
      "luggage.json: invalid JSON",
      ...NO_DAYS.map(([path]) => `${path}: Not a day of the calendar`),
    ])
      assert.ok(listed.includes(place), `${place}\n${stdout}`);
  });
});

const translationsIn = (folder: string): Fields =>
  JSON.parse(readFileSync(join(folder, "translations.json"), "utf8")).texts;

test("init starts an overlay, which check accepts", async (t) => {
  const folder = join(aFolder(t), "mine");
  const first = await runCommand(t, ["init", folder]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^\S+\/mine has the files that every operator states: operator\.json, tariff\.json/);
  const checked = await runCommand(t, ["check", "--catalog", folder]);
  assert.equal(checked.code, 0, checked.stdout);
  assert.match(checked.stdout, /^corridors\.json +packaged +\d+ corridors$/m);
  assert.match(checked.stdout, /^fares\.json +own( and packaged)? +0 fares$/m);
  for (const own of ["operator.json", "tariff.json"]) assert.match(checked.stdout, new RegExp(`^${own} +own$`, "m"));
  assert.doesNotMatch(checked.stdout, /the version is still|translations\.json at/);
  const copied = translationsIn(folder);
  assert.deepEqual(copied["Coach, on request"], translationsIn(packagedCatalog)["Coach, on request"]);
  const { policies } = JSON.parse(readFileSync(join(folder, "policies.json"), "utf8"));
  for (const { text } of policies) assert.ok(copied[text]?.fr, text);
  const again = await runCommand(t, ["init", folder]);
  assert.deepEqual([again.code, again.stdout], [2, ""]);
  assert.match(again.stderr, /^\S+\/mine is not empty; allowed: [^\n]*\n$/);
  const file = await runCommand(t, ["init", join(packagedCatalog, "tariff.json")]);
  assert.deepEqual(
    [file.code, /^\S+ cannot be written \(ENOTDIR\); [^\n]*\n$/.test(file.stderr)],
    [2, true],
    file.stderr,
  );
});
