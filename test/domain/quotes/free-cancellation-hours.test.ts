import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { findingText } from "../../../src/domain/catalog/finding.ts";
import { auditFolder } from "../../../src/operate/commands/check.ts";
import { linkPath } from "../../support/machines.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { type CatalogFiles, folderOf, ownCatalog } from "../../support/own-catalog.ts";
import { aService } from "../../support/service.ts";

/** An operator's catalog with these fields of the policy cancellation alone changed. */
function withCancellation(fields: object): CatalogFiles {
  const files = ownCatalog();
  const { policies } = files.get("policies.json") as Fields;
  const cancellation = policies.find(({ key }: Fields) => key === "cancellation");
  return files.set("policies.json", { policies: [{ ...cancellation, ...fields }] });
}

suite("free cancellation until 48 instead of 24 hours before the pickup is one number in one policy", () => {
  test("which check accepts with its new version, and without it names only that", (t) => {
    const before = folderOf(t, ownCatalog());
    const findingsOf = (fields: object) =>
      auditFolder(folderOf(t, withCancellation(fields)), before).findings.map(findingText);
    assert.deepEqual(findingsOf({ fullRefundCutoffHours: 48, version: "2027-01-01" }), []);
    const [kept = "", ...others] = findingsOf({ fullRefundCutoffHours: 48 });
    assert.match(kept, /^policies\.json at cancellation\.version: the policy changed, and its version is still /);
    assert.deepEqual(others, []);
  });

  test("and every policy, quote, notice, link and page says 48", async (t) => {
    const files = withCancellation({ fullRefundCutoffHours: 48 });
    const { api, clock, ...service } = await aService(t, { env: { TRANSFER_CATALOG_DIR: folderOf(t, files) } });
    const token = await service.token();
    for (const key of ["cancellation", "payment", "changes", "invoice"])
      assert.equal((await api(`/policies/${key}`)).body.full_refund_cutoff_hours, 48, key);
    assert.match((await api("/policies/cancellation")).body.policy_text, /up to 48 hours/);

    const quoteIn = async (hours: number) => {
      const pickup = new Date(clock.now().getTime() + hours * 3_600_000).toISOString();
      const body = {
        origin: "Zurich Airport",
        destination: "Bern",
        passengers: 2,
        luggage: 2,
        pickup_datetime: pickup,
      };
      return { pickup, quote: (await api("/quotes", { token, body })).body };
    };
    const { quote, pickup } = await quoteIn(200);
    assert.equal(Date.parse(quote.free_cancellation_until), Date.parse(pickup) - 48 * 3_600_000);
    const late = (await quoteIn(30)).quote;
    assert.match(late.limitations.join("\n"), /\b48 (hours|h)\b/);

    const approved = { quote_id: quote.quote_id, fleet_id: 1, traveler_approval: true };
    const handoff = (await api("/checkout-sessions", { token, body: approved })).body;
    const page = (await api(linkPath(handoff))).body;
    assert.match(page.cancellation_policy, /up to 48 hours/);
    assert.match(page.translations.de[page.cancellation_policy], /bis 48 Stunden/);
    assert.doesNotMatch(JSON.stringify([quote, late, handoff, page]), /\b24 (hours|h|Stunden|heures|ore)\b/);
  });
});
