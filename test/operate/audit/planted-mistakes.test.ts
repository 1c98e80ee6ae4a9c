import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { type Finding, findingText } from "../../../src/domain/catalog/finding.ts";
import { auditFolder } from "../../../src/operate/commands/check.ts";
import { type CatalogFiles, folderOf } from "../../support/catalog-folder.ts";
import { runCommand } from "../../support/command-line.ts";
import { ownCatalog } from "../../support/own-catalog.ts";
import { contentOf } from "./plant.ts";
import { type PlantedMistake, plantedMistakes } from "./planted-mistakes.ts";

/** What `check` finds in these files, compared with those before the mistakes. */
function findingsIn(t: TestContext, files: CatalogFiles): readonly Finding[] {
  return auditFolder(folderOf(t, files), folderOf(t, ownCatalog())).findings;
}

function planted(mistakes: readonly PlantedMistake[]): CatalogFiles {
  const files = ownCatalog();
  for (const { plant } of mistakes) plant(files);
  return files;
}

/** Mistakes that can be made together: each in a record of its own. */
function inBatches(mistakes = plantedMistakes): readonly (readonly PlantedMistake[])[] {
  const batches: PlantedMistake[][] = [];
  for (const each of mistakes) {
    const isFree = (batch: readonly PlantedMistake[]) => !batch.some((other) => meet(each, other));
    const free = batches.find(isFree);
    if (free) free.push(each);
    else batches.push([each]);
  }
  return batches;
}

function meet(one: PlantedMistake, other: PlantedMistake): boolean {
  const changed = changedBy(other);
  return (
    one.stage !== other.stage ||
    (one.isAlone ?? other.isAlone ?? false) ||
    changedBy(one).some((each) => changed.includes(each))
  );
}

/** The record in which a mistake is, and those of others that are found only while it is right. */
function changedBy({ what, file, at }: PlantedMistake): readonly string[] {
  return [`${file} ${at.replace("rates.", "").split(".")[0]}`, ...(ALSO_CHANGED[what] ?? [])];
}

const ALSO_CHANGED: Readonly<Record<string, readonly string[]>> = {
  "a negative rate": ["fares.json zurich-davos"],
  "a rate of nothing": ["fares.json zurich-zermatt"],
  "a circle with lat and lng swapped": ["fares.json zurich-zermatt"],
  "a horizon that lost a digit": ["tariff.json leadTimeHours", "availability.json coach", "availability.json never"],
  "a postcode of another canton": ["fares.json zurich-davos"],
  "a radius of 199 km": ["fares.json zurich-zermatt", "fares.json zurich-davos"],
  "a horizon of four years": ["tariff.json leadTimeHours", "availability.json coach"],
  "English as German": ["translations.json cancellation"],
  "VAT without a VAT number": ["operator.json vatNumber"],
  "no VAT beside a VAT number": ["operator.json vatNumber"],
  "a placeholder for a phone number": ["operator.json phone"],
  "VAT of Italy": ["operator.json vatNumber"],
  "half the price for a client": ["seasons.json winter"],
  "two rules for the same journeys": ["service-rules.json at-home"],
  "a radius in meters": ["fares.json zurich-zermatt"],
  "a misspelled placeholder": ["translations.json cancellation"],
  "no cancellation policy": ["translations.json cancellation"],
  "postcodes without a country": ["fares.json zurich-davos"],
  "a rule of everything that sells nothing": ["service-rules.json at-home"],
  "a refusal without a reason": ["service-rules.json at-home"],
  "a text with other hours": ["translations.json cancellation"],
  "a season that has ended": ["seasons.json winter"],
  "a policy without a translation": ["policies.json cancellation", "translations.json cancellation"],
  "other hours under the same version": ["policies.json payment", "translations.json cancellation"],
  "a price that falls as distance grows": [
    ...["tariff.json sedan", "tariff.json leadTimeHours"],
    ...["corridors.json zurich-airport-to-lucerne", "fares.json zurich-zermatt"],
  ],
  "a fare far below its kilometers": ["tariff.json sedan"],
  "the van before the estate": ["fares.json geneva-verbier"],
};

function isFound({ file, at, value, advice, severity }: PlantedMistake, findings: readonly Finding[]): boolean {
  return findings.some(
    (each) =>
      each.severity === severity &&
      each.file === file &&
      each.path.includes(at) &&
      `${each.path} ${each.text}`.includes(value) &&
      advice.test(each.text),
  );
}

suite("check names each mistake of an operator by file, record and value, with what to do", () => {
  test("nothing in the catalog in which they are planted", (t) => {
    assert.deepEqual(findingsIn(t, ownCatalog()), []);
  });

  for (const [n, batch] of inBatches().entries()) {
    test(`${n + 1}: ${batch.map(({ what }) => what).join("; ")}`, (t) => {
      const findings = findingsIn(t, planted(batch));
      const missed = batch.filter((each) => !isFound(each, findings)).map(({ file, what }) => `${file}: ${what}`);
      assert.deepEqual(missed, [], findings.map(findingText).join("\n"));
      const files = batch.flatMap(({ what, file }) => [file, ...(ALSO_CHANGED[what] ?? [])]).join();
      const others = findings.filter(({ severity, file }) => severity === "fault" && !files.includes(file));
      assert.deepEqual(others.map(findingText), []);
    });
  }

  test("a byte order mark is no mistake", (t) => {
    const files = ownCatalog();
    files.set("fares.json", `\uFEFF${JSON.stringify(files.get("fares.json"))}`);
    assert.deepEqual(findingsIn(t, files), []);
  });

  test("the command prints all of them, faults apart from warnings, in 80 columns, and exits with 1", async (t) => {
    // Without those that keep the catalog from loading.
    const [batch = []] = inBatches(plantedMistakes.filter(({ severity }) => severity !== "mistake"));
    const { code, stdout } = await runCommand(t, [
      "check",
      "--catalog",
      folderOf(t, planted(batch)),
      "--before",
      folderOf(t, ownCatalog()),
    ]);
    assert.equal(code, 1, stdout);
    const [, faults = "", warnings = ""] =
      /\nFaults in the catalog:\n([\s\S]*)\nWarnings in the catalog:\n([\s\S]*)$/.exec(stdout) ?? [];
    for (const line of `${faults}${warnings}`.split("\n")) assert.ok(line.length <= 80, line);
    const missed = batch.filter(({ file, at, value, severity }) => {
      const lines = (severity === "fault" ? faults : warnings).replaceAll("\n  ", " ");
      return !(lines.includes(`- ${file}`) && [at, value].every((each) => lines.includes(each)));
    });
    assert.deepEqual(missed, [], stdout);
  });
});

test("of two classes whose rates differ ten-fold, neither alone is called wrong", (t) => {
  const files = ownCatalog();
  const [tariff, fleet] = ["tariff.json", "vehicle-classes.json"].map((file) => contentOf(files, file));
  const kept = ["sedan", "van"];
  const rates = Object.fromEntries(kept.map((id) => [id, { ...tariff.rates[id] }]));
  Object.assign(rates.van, { waitingStepRappen: 200 });
  files.set("tariff.json", { ...tariff, rates });
  files.set("vehicle-classes.json", {
    ...fleet,
    vehicleClasses: fleet.vehicleClasses.filter(({ id }: { id: string }) => kept.includes(id)),
  });
  files.set("fares.json", { replace: true, fares: [] });
  files.set("seasons.json", { replace: true, seasons: [] });
  files.set("availability.json", { replace: true, stopSales: [], bookingWindows: [] });
  const found = findingsIn(t, files).filter(({ text }) => text.includes("correct one of them"));
  assert.deepEqual(
    found.map(({ path, text }) => `${path}: ${text}`),
    [
      "rates.sedan.waitingStepRappen: 1500 Rappen is CHF 15, with other classes CHF 2: correct one of them",
      "rates.van.waitingStepRappen: CHF 8 for an hour of waiting, but CHF 86 for one of a hire: correct one of them",
    ],
  );
});
