import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { aCatalogFolder } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import type { Fields } from "../support/mcp-client.ts";

const WAITS = { timeout: 120_000 };
const AT = ["--at", "2027-03-09 12:00"];

async function quoted(t: TestContext, ends: readonly string[], catalog?: string) {
  const args = ["quote", ...ends, ...AT, "--json", ...(catalog === undefined ? [] : ["--catalog", catalog])];
  const { code, stdout, stderr } = await runCommand(t, args);
  if (code !== 0) return stderr + stdout;
  const { options, limitations }: Fields = JSON.parse(stdout);
  const onRequest = limitations.find((text: string) => text.startsWith("On request: "));
  return options.every((option: Fields) => option.on_request) ? onRequest : "at once";
}

suite("the packaged service rules", () => {
  test("sell at once with an end in Switzerland, Liechtenstein or beside the border", WAITS, async (t) => {
    for (const ends of [
      ["Lyon", "Geneva"],
      ["Vaduz", "Innsbruck"],
      ["Konstanz", "Lindau"],
      ["47.42, 9.37", "Lyon"],
    ]) {
      assert.equal(await quoted(t, ends), "at once", ends.join(" – "));
    }
  });

  test("sell everything else on request, with the phone and the reason", WAITS, async (t) => {
    const outcome = await quoted(t, ["Lyon", "Innsbruck"]);
    assert.match(
      outcome,
      /\(\+41 00 000 00 00, \S+\) must confirm before booking\. A journey between two places abroad/,
    );
    const prices = await runCommand(t, ["prices"]);
    assert.match(prices.stdout, /^innsbruck-airport-to-st-anton-am-arlberg +sedan +\d+\.\d\d +true$/m);
  });
});

suite("service rules of an operator's own", () => {
  const RULES = [
    { id: "corridors", offer: "at_once", corridor: true },
    { id: "grisons", offer: "none", reason: "We do not drive in the Grisons.", bothEndsIn: { cantons: ["GR"] } },
    { id: "bern", offer: "on_request", reason: "Bern is far.", routes: [{ from: "bern", to: "thun" }] },
    { id: "swiss", offer: "at_once", bothEndsIn: { countries: ["CH"] } },
    { id: "others", offer: "none", reason: "We drive in Switzerland." },
  ];
  const owned = (t: TestContext, rules: readonly object[] = RULES) => {
    const catalog = aCatalogFolder(t);
    writeFileSync(join(catalog, "service-rules.json"), JSON.stringify({ rules }));
    return catalog;
  };

  test("decide by the first that matches", WAITS, async (t) => {
    const catalog = owned(t);
    assert.equal(await quoted(t, ["Geneva Airport", "Chamonix"], catalog), "at once");
    assert.match(
      await quoted(t, ["Davos Platz", "Chur"], catalog),
      /UNSUPPORTED_ROUTE[\s\S]*We do not drive in the Grisons/,
    );
    assert.match(await quoted(t, ["Bern", "Thun"], catalog), /Bern is far\./);
    assert.equal(await quoted(t, ["Thun", "Bern"], catalog), "at once");
    assert.match(await quoted(t, ["Bern", "Milan"], catalog), /We drive in Switzerland\./);
  });
});
