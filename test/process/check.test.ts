import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { Finding } from "../../src/catalog/finding.ts";
import { auditFolder } from "../../src/commands/check.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { runBuilt } from "../support/built-process.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aFolder } from "../support/temporary-folder.ts";

/** What `check` finds in the catalog. */
async function auditCatalog(config: Config, { before = packagedCatalog, all = false } = {}) {
  return (await auditFolder(config, { before, all })).findings;
}

interface Planted {
  readonly name: string;
  /** The file that it changes, where another is found. */
  readonly changes?: string;
  plant(folder: string): void;
  readonly found: readonly [Finding["severity"], string, string, RegExp];
}

const edit = (file: string, change: (content: Fields) => void) => (folder: string) =>
  changeCatalog(folder, file, change);

const aNode = (id: string) => ({ id, name: id, lat: 46.9, lng: 7.5 });
const anIsland = {
  region: "an island",
  nodes: [aNode("island-east"), aNode("island-west")],
  edges: [
    { from: "island-east", to: "island-west", km: 3, minutes: 4, road: "local", source: "tests", checked: "2026-11" },
  ],
};

/** What the catalog loads with, and check finds. */
// biome-ignore format: a table reads by its columns
const PLANTED: readonly Planted[] = [
  {
    name: "a corridor longer than its roads by more than 5 %",
    plant: edit("corridors.json", ({ corridors }) => (corridors[2].distanceKm *= 1.15)),
    found: ["warning", "corridors.json", "zurich-airport-to-lucerne.distanceKm", /^[\d.]+ km; the road network has \d/],
  },
  { name: "a rate of an unknown class", plant: edit("tariff.json", ({ rates }) => (rates.limo = rates.sedan)), found: ["warning", "tariff.json", "rates.limo", /no class limo/] },
  {
    name: "a class that no party with luggage fits",
    plant: edit("vehicle-classes.json", ({ vehicleClasses }) => Object.assign(vehicleClasses[2], { luggageCapacity: 0, largeLuggageCapacity: 0, smallLuggageCapacity: 0 })),
    found: ["warning", "vehicle-classes.json", "first_class", /no party with luggage fits it/],
  },
  {
    name: "a class with more large pieces than pieces",
    plant: edit("vehicle-classes.json", ({ vehicleClasses }) => (vehicleClasses[0].largeLuggageCapacity = 30)),
    found: ["fault", "vehicle-classes.json", "sedan", /^takes 30 large pieces, but only \d+ in all$/],
  },
  { name: "a node without a road", plant: edit("roads/central.json", ({ nodes }) => nodes.push(aNode("nowhere"))), found: ["warning", "roads/central.json", "nodes.nowhere", /^has no road$/] },
  {
    name: "a place that no road reaches",
    plant(folder) {
      writeFileSync(join(folder, "roads", "island.json"), JSON.stringify(anIsland));
      const place = { id: "avalon", name: "Avalon", kind: "village", country: "CH", canton: "BE", node: "island-west" };
      edit("places/airports.json", ({ places }) => places.push(place))(folder);
    },
    found: ["fault", "places/airports.json", "avalon", /^no road leads there from Zurich Airport/],
  },
  { name: "a rate of 0", plant: edit("tariff.json", ({ rates }) => (rates.van.perKmRappen = 0)), found: ["fault", "tariff.json", "rates.van.perKmRappen", /free of charge/] },
  { name: "a rate below the floor", plant: edit("tariff.json", ({ rates, floor }) => (rates.estate.firstHourRappen = floor.hourRappen - 1)), found: ["fault", "tariff.json", "rates.estate.firstHourRappen", /^\d+, below the floor of \d+: raise it$/] },
  { name: "a translation of a text that has changed", plant: edit("luggage.json", ({ specialItems }) => (specialItems[0].one = "pair of ski")), found: ["warning", "translations.json", "texts", /^no text of the catalog: "pair of skis"$/] },
  { name: "prose that one language lacks", plant: edit("translations.json", ({ texts }) => delete texts["Coach, on request"].it), found: ["warning", "translations.json", "it", /^not translated: .*"Coach, on request"/] },
  {
    name: "a policy without a translation, with the placeholders by which it is translated",
    plant: edit("policies.json", ({ policies }) => (policies[0].text = "Free up to {fullRefundCutoffHours} h before the pickup.")),
    found: ["warning", "translations.json", "de", /^not translated: "Free up to \{fullRefundCutoffHours\} h before the pickup\."/],
  },
];

const aFare = {
  id: "lucerne-special",
  label: "Fixed fare Lucerne",
  routes: [{ from: "zurich-airport", to: "lucerne" }],
  rappen: { sedan: 90_000 },
  includes: [],
};

// biome-ignore format: a table reads by its columns
const OFFERS: readonly Planted[] = [
  { name: "a price that falls as distance grows", changes: "fares.json", plant: edit("fares.json", ({ fares }) => fares.push(aFare)), found: ["warning", "corridors.json", "zurich-airport-to-interlaken", /^sedan costs .* but zurich-airport-to-lucerne costs 900\.00 for \d+ km$/] },
  { name: "a fare that has ended", plant: edit("fares.json", ({ fares }) => fares.push({ ...aFare, id: "old-fare", validTo: "2020-12-31" })), found: ["warning", "fares.json", "old-fare", /^has ended on 2020-12-31: remove it, or give it new dates$/] },
  {
    name: "a season that has ended",
    plant: edit("seasons.json", ({ seasons }) => seasons.push({ id: "expo", label: "Expo", percent: 5, dates: [{ from: "2019-05-01", to: "2019-05-09" }] })),
    found: ["warning", "seasons.json", "expo", /^has ended on 2019-05-09: remove it, or give it new dates$/],
  },
  {
    name: "seasons that overlap",
    plant: edit("seasons.json", ({ seasons }) => seasons.push({ id: "snow", label: "Snow", percent: 5, dates: [{ from: "12-20", to: "01-31" }], classes: ["van"] })),
    found: ["warning", "seasons.json", "davos-congress", /^overlaps snow: their percentages are added$/],
  },
  {
    name: "a zone that no coordinates reach",
    plant: edit("zones.json", ({ zones }) => zones.push({ id: "post-office", country: "CH", postcodes: ["9999"] })),
    found: ["warning", "zones.json", "post-office", /^no coordinates lie in post-office: list its places or a circle$/],
  },
  {
    name: "many postcodes that no place has",
    plant: edit("zones.json", ({ zones }) => {
      const invented = Array.from({ length: 600 }, (_, n) => String(20_000 + n));
      zones.push({ id: "far", country: "CH", postcodes: ["7260", ...invented] });
    }),
    found: ["warning", "zones.json", "far.postcodes", /^no place has 20000, 20001, 20002, 20003, 20004 and 595 more, which --all lists: .* a geocoder finds$/],
  },
  {
    name: "a fare that no coordinates reach",
    plant(folder) {
      edit("places/towns-west.json", ({ places }) => {
        const { lat, lng } = { lat: 46.2311, lng: 6.1096 };
        places.push({ id: "cointrin-twin", name: "Cointrin Twin", kind: "airport", country: "CH", lat, lng });
      })(folder);
      const routes = [{ from: "cointrin-twin", to: "zermatt" }];
      edit("fares.json", ({ fares }) => fares.push({ ...aFare, id: "twin", routes, rappen: { sedan: 85_000 } }))(folder);
    },
    found: ["warning", "fares.json", "twin", /^no coordinates lie in cointrin-twin: another place has its position$/],
  },
];

const aSeason = { id: "own", label: "Carnival surcharge", percent: 20 };

function placeFee(folder: string, rest: object): void {
  const fee = { id: "parking", label: "Parking", places: ["scuol"], rappen: 600, ...rest };
  writeFileSync(join(folder, "place-fees.json"), JSON.stringify({ placeFees: [fee] }));
}

/** Numbers and texts that cost the operator money. */
// biome-ignore format: a table reads by its columns
const MONEY: readonly Planted[] = [
  { name: "a fare in one direction only", plant: edit("fares.json", ({ fares }) => fares.push(aFare)), found: ["warning", "fares.json", "lucerne-special.routes", /^no fare leads from lucerne to zurich-airport, .*bothWays$/] },
  {
    name: "a fare far below its kilometers",
    plant: edit("fares.json", ({ fares }) => fares.push({ ...aFare, rappen: { sedan: 12_000 } })),
    found: ["warning", "fares.json", "lucerne-special.rappen.sedan", /^CHF 120\.00 for 6\d km; by kilometers CHF 2\d\d\.\d\d: correct it, in Rappen$/],
  },
  { name: "a fare in francs instead of Rappen", plant: edit("fares.json", ({ fares }) => fares.push({ ...aFare, rappen: { sedan: 230 } })), found: ["fault", "fares.json", "lucerne-special.rappen.sedan", /^CHF 2\.30 for 6\d km/] },
  { name: "the operator of the packaged catalog", plant: () => {}, found: ["warning", "operator.json", "name", /^Example Transfers is a placeholder/] },
  { name: "its phone number", plant: edit("operator.json", (operator) => Object.assign(operator, { name: "Alpine Cars", phone: "+41 00 123 45 67" })), found: ["warning", "operator.json", "phone", /^\+41 00 123 45 67 is a placeholder/] },
  { name: "a wrong check digit of a Swiss UID", plant: edit("operator.json", (operator) => (operator.vatNumber = "CHE-116.281.711 MWST")), found: ["fault", "operator.json", "vatNumber", /^CHE-116\.281\.711 MWST has a wrong check digit$/] },
  { name: "a wrong check digit in the register", plant: edit("operator.json", (operator) => (operator.registerNumber = "CHE-116.281.711")), found: ["fault", "operator.json", "registerNumber", /^CHE-116\.281\.711 has a wrong check digit$/] },
  { name: "a season of 200 % instead of 20 %", plant: edit("seasons.json", ({ seasons }) => seasons.push({ ...aSeason, percent: 200 })), found: ["warning", "seasons.json", "own", /^200 % more than doubles the fare$/] },
  { name: "a surcharge that became a discount", plant: edit("seasons.json", ({ seasons }) => seasons.push({ ...aSeason, percent: -20 })), found: ["warning", "seasons.json", "own", /^"Carnival surcharge" has -20 %: check its sign$/] },
  { name: "a ski bag at 10 Rappen", plant: edit("tariff.json", ({ specialItemRappen }) => (specialItemRappen.skis = 10)), found: ["warning", "tariff.json", "specialItemRappen.skis", /^10 Rappen is CHF 0\.10: correct it$/] },
  { name: "a refund of 50 % while all is refunded", plant: edit("policies.json", ({ policies }) => (policies[0].partialRefunds = [{ hours: 24, percent: 50 }])), found: ["fault", "policies.json", "cancellation.partialRefunds", /^24 h: until 24 h all is refunded: state fewer than 24 hours$/] },
  { name: "a lead time that office hours never reach", plant: edit("tariff.json", (tariff) => Object.assign(tariff, { leadTimeHours: 80, horizonDays: 26, officeHours: { from: 9, to: 12 } })), found: ["fault", "tariff.json", "leadTimeHours", /^80 h of office hours is later than the horizon of 26 days: nothing is sold$/] },
  { name: "a booking window beyond its horizon", plant: edit("availability.json", ({ bookingWindows }) => bookingWindows.push({ id: "never", leadTimeHours: 30, horizonDays: 1, classes: ["coach"] })), found: ["fault", "availability.json", "never.leadTimeHours", /^30 h is later than the horizon of 1 days: nothing is sold$/] },
  { name: "a lead time of 4,000 h", plant: edit("tariff.json", (tariff) => (tariff.leadTimeHours = 4000)), found: ["warning", "tariff.json", "leadTimeHours", /^4000 h: no journey of the next 166 days is sold$/] },
  { name: "a booking window of 4,000 h", plant: edit("availability.json", ({ bookingWindows }) => (bookingWindows[0].leadTimeHours = 4000)), found: ["warning", "availability.json", "coach", /^4000 h/] },
  { name: "a largest class with one seat", plant: edit("vehicle-classes.json", ({ vehicleClasses }) => (vehicleClasses.at(-1).passengerCapacity = 1)), found: ["warning", "vehicle-classes.json", "coach", /^seats one passenger$/] },
  {
    name: "a client's fare in francs instead of Rappen",
    plant: (folder) => {
      const fares = { "geneva-airport-annecy": { sedan: 350 } };
      writeFileSync(join(folder, "clients.json"), JSON.stringify({ clients: [{ id: "hotel", label: "Hotel", fares }] }));
    },
    found: ["fault", "clients.json", "hotel.fares.geneva-airport-annecy.sedan", /^CHF 3\.50 for \d+ km/],
  },
  {
    name: "a client's discount that became a surcharge",
    plant: (folder) => writeFileSync(join(folder, "clients.json"), JSON.stringify({ clients: [{ id: "agency", label: "Agency discount", percent: 10 }] })),
    found: ["warning", "clients.json", "agency", /^"Agency discount" has 10 %: check its sign$/],
  },
  { name: "a fee in francs instead of Rappen", plant: (folder) => placeFee(folder, { rappen: 6 }), found: ["warning", "place-fees.json", "parking.rappen", /^6 Rappen is CHF 0\.06: correct it$/] },
  {
    name: "a policy of other hours under the same version",
    plant: edit("policies.json", ({ policies }) => (policies[0].fullRefundCutoffHours = 2)),
    found: ["warning", "policies.json", "cancellation.version", /^the policy changed, .* still 2026-11-01: change it$/],
  },
  { name: "prices that changed under the same version", plant: edit("tariff.json", ({ rates }) => (rates.sedan.baseRappen += 500)), found: ["warning", "tariff.json", "version", /^prices changed, and the version is still 2026-11: change it$/] },
];

/** With what the catalog does not load. */
// biome-ignore format: a table reads by its columns
const BROKEN: readonly (readonly [string, (folder: string) => void, string, string])[] = [
  ["a class without a rate", edit("tariff.json", ({ rates }) => delete rates.coach), "tariff.json", "rates.coach: missing"],
  ["a place at a node that does not exist", edit("places/airports.json", ({ places }) => (places[0].node = "atlantis")), "places/airports.json", ".node: unknown road node atlantis"],
  ["a road to a node that does not exist", edit("roads/grisons.json", ({ edges }) => (edges[0].to = "atlantis")), "roads/grisons.json", "unknown node atlantis"],
  ["two fares of equal rank", edit("fares.json", ({ fares }) => fares.push(aFare, {...aFare, id: "lucerne-other" })), "fares.json", "lucerne-special: equal in rank to lucerne-other, and"],
  ["a fee of an unknown place", (folder) => placeFee(folder, { places: ["atlantis"] }), "place-fees.json", "parking.places: unknown place or zone atlantis"],
  ["a refund of more than all", edit("policies.json", ({ policies }) => (policies[0].partialRefunds = [{ hours: 12, percent: 150 }])), "policies.json", "cancellation.partialRefunds.0.percent"],
  ["an unknown place", edit("corridors.json", ({ corridors }) => (corridors[0].destination = "atlantis")), "corridors.json", "zurich-airport-to-zurich: unknown place atlantis"],
];

/** With what a file does not fit its schema. */
// biome-ignore format: a table reads by its columns
const NO_DAYS: readonly (readonly [string, (folder: string) => void])[] = [
  ["holidays.days.New Year's Day.date", edit("tariff.json", ({ holidays }) => (holidays.days[0].date = "02-30"))],
  ["davos-congress.dates.0.to", edit("seasons.json", ({ seasons }) => (seasons[0].dates = [{ from: "02-10", to: "02-30" }]))],
  ["geneva-airport-annecy.validTo", edit("fares.json", ({ fares }) => (fares[0].validTo = "2027-02-29"))],
];

suite("check finds what a catalog surely or probably does not mean", () => {
  // One audit for those that change different files.
  for (const batch of inBatches([...PLANTED, ...OFFERS, ...MONEY])) {
    test(batch.map(({ name }) => name).join("; "), async (t) => {
      const folder = aCatalogFolder(t);
      for (const { plant } of batch) plant(folder);
      const findings = await auditCatalog(readConfig({ TRANSFER_CATALOG_DIR: folder }));
      for (const { found } of batch) assertFound(findings, found);
      const faulty = batch.filter(({ found: [severity] }) => severity === "fault").map(({ found: [, file] }) => file);
      assert.deepEqual(
        findings.filter(({ severity, file }) => severity === "fault" && !faulty.includes(file)),
        [],
      );
    });
  }

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

  test("all that a language lacks, with --all", async (t) => {
    const folder = aCatalogFolder(t);
    edit("translations.json", ({ texts }) => {
      for (const text of Object.values<Fields>(texts).slice(1)) delete text.fr;
    })(folder);
    const config = readConfig({ TRANSFER_CATALOG_DIR: folder });
    const frenchOf = (findings: readonly Finding[]) => findings.find(({ path }) => path === "fr")?.text ?? "";
    assert.match(frenchOf(await auditCatalog(config)), / and \d+ more, which --all lists$/);
    assert.match(frenchOf(await auditCatalog(config, { all: true })), /"Coach, on request".*"child seats"/);
  });

  test("all at once, faults apart from warnings, and exits with 1", async (t) => {
    const folder = aCatalogFolder(t);
    for (const { plant } of PLANTED) plant(folder);
    const { code, stdout, stderr } = await runCommand(t, ["check", "--catalog", folder]);
    assert.equal(code, 1, stderr);
    const [, faults = "", warnings = ""] =
      /\nFaults in the catalog:\n([\s\S]*)\nWarnings in the catalog:\n([\s\S]*)$/.exec(stdout) ?? [];
    for (const { found } of PLANTED) {
      const [severity, file, path] = found;
      const list = (severity === "fault" ? faults : warnings).replaceAll(/\n {2}/g, " ");
      assert.ok(list.includes(`- ${file} at ${path}: `), `${file} at ${path}\n${stdout}`);
    }
    for (const line of `${faults}${warnings}`.split("\n")) assert.ok(line.length <= 80, line);
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
  test("those of the schemas in every file, then those between files", async (t) => {
    const folder = aCatalogFolder(t);
    for (const [, spoil] of BROKEN) spoil(folder);
    const found = ["rates.van.perKmRappen", "rates.limo", "old-fare"];
    const others = [...PLANTED, ...OFFERS].filter(({ found: [, , path] }) => found.includes(path));
    for (const { plant } of others) plant(folder);
    const between = (await runCommand(t, ["check", "--catalog", folder])).stdout.replaceAll(/\n {2}/g, " ");
    for (const [, , file, mistake] of BROKEN) assert.ok(between.includes(mistake), `${file}: ${mistake}\n${between}`);
    const [fault, ...warnings] = found.map((path) => ` at ${path}: `);
    const [, faults = "", warned = ""] = /\nFaults in([\s\S]*)\nWarnings in([\s\S]*)$/.exec(between) ?? [];
    assert.ok(faults.includes(fault ?? "-") && warnings.every((warning) => warned.includes(warning)), between);
    edit("vehicle-classes.json", ({ vehicleClasses }) => (vehicleClasses[1].passengerCapacity = 0))(folder);
    edit("tariff.json", (tariff) => Object.assign(tariff, { leadTimeHours: -1, horizonDays: "a year" }))(folder);
    writeFileSync(join(folder, "luggage.json"), "{");
    for (const [, spoil] of NO_DAYS) spoil(folder);
    const { code, stdout } = await runCommand(t, ["check", "--catalog", folder]);
    assert.equal(code, 1);
    const listed = stdout.replaceAll(/\n {2}/g, " ");
    assert.ok(listed.includes("\nThe catalog cannot be used:\n- "), stdout);
    for (const place of [
      "vehicle-classes.json at vehicleClasses.estate.passengerCapacity: ",
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

test("init starts an overlay, or copies the packaged catalog; check accepts both", async (t) => {
  const folder = join(aFolder(t), "mine");
  const first = await runCommand(t, ["init", folder]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^\S+\/mine has the files that every operator states: operator\.json, tariff\.json/);
  const checked = await runCommand(t, ["check", "--catalog", folder]);
  assert.equal(checked.code, 0, checked.stdout);
  assert.match(checked.stdout, /- corridors\.json: \d+ corridors \(packaged\)\n/);
  assert.match(checked.stdout, /- fares\.json: 0 fares\n/);
  assert.match(checked.stdout, /- from the folder: [^-]*\boperator\.json,[^-]*\btariff\.json/);
  assert.doesNotMatch(checked.stdout, /the version is still|translations\.json at/);
  const copied = translationsIn(folder);
  assert.deepEqual(copied["Coach, on request"], translationsIn(packagedCatalog)["Coach, on request"]);
  const { policies } = JSON.parse(readFileSync(join(folder, "policies.json"), "utf8"));
  for (const { text } of policies) assert.ok(copied[text]?.fr, text);
  const copy = join(aFolder(t), "copy");
  assert.match((await runCommand(t, ["init", "--full", copy])).stdout, /copy is a copy of the packaged catalog/);
  assert.match((await runCommand(t, ["check", "--catalog", copy])).stdout, /- from the package: nothing\n/);
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

function inBatches(cases: readonly Planted[]): readonly Planted[][] {
  const batches: Planted[][] = [];
  const fileOf = ({ changes, found: [, file] }: Planted) => changes ?? file;
  for (const each of cases) {
    const free = batches.find((batch) => batch.every((other) => fileOf(other) !== fileOf(each)));
    if (free) free.push(each);
    else batches.push([each]);
  }
  return batches;
}

function assertFound(findings: readonly Finding[], [severity, file, path, text]: Planted["found"]): void {
  const found = findings.find((each) => each.file === file && each.path === path);
  assert.ok(found, JSON.stringify(findings));
  assert.equal(found.severity, severity);
  assert.match(found.text, text);
}
