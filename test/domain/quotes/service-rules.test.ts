import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { PublicError } from "../../../src/contract/errors.ts";
import type { Catalog } from "../../../src/domain/catalog/catalog.ts";
import { aPoint, defaultCatalog, pricing, to } from "../../support/quoting-fixture.ts";

const PICKUP = new Date("2027-03-09T12:00:00+01:00");
const OWN: Catalog["serviceRules"] = [
  { id: "corridors", offer: "at_once", corridor: true },
  { id: "grisons", offer: "none", reason: "We do not drive in the Grisons.", bothEndsIn: { cantons: ["GR"] } },
  { id: "bern", offer: "on_request", reason: "Bern is far.", routes: [{ from: "bern", to: "thun" }] },
  { id: "swiss", offer: "at_once", bothEndsIn: { countries: ["CH"] } },
  { id: "others", offer: "none", reason: "We drive in Switzerland." },
];

/** "at once", why it is on request, or why it is refused. */
async function soldBy(serviceRules: Catalog["serviceRules"], from: string, end: string): Promise<string> {
  const price = pricing({ ...defaultCatalog, catalog: { ...defaultCatalog.catalog, serviceRules } });
  try {
    const { options, limitations } = await price({ points: [aPoint(from), to(end)], pickupAt: PICKUP });
    const isOnRequest = options.every(({ onRequest }) => onRequest);
    return isOnRequest ? (limitations.find((text) => text.startsWith("On request: ")) ?? "") : "at once";
  } catch (error) {
    return error instanceof PublicError ? `${error.code}: ${error.message}` : assert.fail(String(error));
  }
}

suite("what is sold at once, on request or not at all", () => {
  for (const [from, end, outcome] of [
    ["Lyon", "Geneva", /^at once$/],
    ["Vaduz", "Innsbruck", /^at once$/],
    ["Konstanz", "Lindau", /^at once$/],
    ["47.42, 9.37", "Lyon", /^at once$/],
    [
      "Lyon",
      "Innsbruck",
      /\(\+41 00 000 00 00, \S+\) must confirm before booking\. A journey between two places abroad/,
    ],
  ] as const)
    test(`by the packaged rules, from ${from} to ${end}`, async () => {
      assert.match(await soldBy(defaultCatalog.catalog.serviceRules, from, end), outcome);
    });

  for (const [from, end, outcome] of [
    ["Geneva Airport", "Chamonix", /^at once$/],
    ["Davos Platz", "Chur", /^UNSUPPORTED_ROUTE: .*We do not drive in the Grisons/],
    ["Bern", "Thun", /Bern is far\./],
    ["Thun", "Bern", /^at once$/],
    ["Bern", "Milan", /We drive in Switzerland\./],
  ] as const)
    test(`by the first of an operator's rules that matches, from ${from} to ${end}`, async () => {
      assert.match(await soldBy(OWN, from, end), outcome);
    });
});
