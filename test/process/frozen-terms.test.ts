import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import canonicalize from "canonicalize";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import { asCreated } from "../support/journey-fixture.ts";
import { at, linkPath, sell } from "../support/machines.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aFolder } from "../support/temporary-folder.ts";

const WAITS = { timeout: 60_000 };

test(
  "a link shows the terms of its quote after the catalog has changed, and find shows what its events mean",
  WAITS,
  async (t) => {
    const env = { TRANSFER_CATALOG_DIR: aCatalogFolder(t), TRANSFER_DATA_DIR: aFolder(t) };
    const server = await startBuiltServer(t, env);
    const { token } = server;
    const { quote, handoff } = await sell(server);
    const resolved = async () => {
      const { body } = await at(server, linkPath(handoff));
      // A text that the present catalog lacks is shown in English.
      return { ...body, request_id: undefined, translations: undefined };
    };
    const before = await resolved();
    assert.match(before.cancellation_policy, /up to 24 hours/);
    assert.equal(before.operator.postal_address, "Example Street 1, 8000 Zurich, Switzerland");

    changeCatalog(env.TRANSFER_CATALOG_DIR, "operator.json", (operator) => {
      operator.name = "Another Name";
      operator.phone = "+41 11 111 11 11";
      operator.postalAddress = "Another Street 2, 3000 Bern, Switzerland";
      operator.paymentMethods = "cash";
    });
    changeCatalog(env.TRANSFER_CATALOG_DIR, "policies.json", ({ policies }) => {
      for (const policy of policies) {
        policy.version = "2027-01-01";
        policy.fullRefundCutoffHours = 336;
      }
    });
    const { code, stderr } = await runCommand(t, ["reload", "--data", env.TRANSFER_DATA_DIR]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await resolved(), before);
    assert.deepEqual(asCreated((await at(server, `/quotes/${quote.quote_id}`, { token })).body), quote);
    const next = await sell(server);
    const { body: nextPage } = await at(server, linkPath(next.handoff));
    assert.equal(next.quote.operator.name, "Another Name");
    assert.match(nextPage.cancellation_policy, /up to 336 hours/);
    assert.deepEqual(
      [nextPage.operator.postal_address, nextPage.operator.payment_methods],
      ["Another Street 2, 3000 Bern, Switzerland", "cash"],
    );

    const found = await find(quote);
    const [created, ...steps] = found.events;
    assert.equal(created.type, "quote.created");
    assert.ok(!("terms_digest" in created), "a quote shows several options");
    assert.deepEqual(
      steps.map(({ type }: Fields) => type),
      ["handoff.created", "handoff.opened"],
    );
    for (const { terms_digest } of steps) assert.equal(terms_digest, digestOf(found.shown[0].document));
    assert.equal(found.shown.length, 1, "both steps are of one option");
    const { terms, options } = found.shown[0].document;
    assert.equal(terms.operator.name, before.operator.name);
    const cancellation = terms.policies.find(({ key }: Fields) => key === "cancellation");
    assert.deepEqual([cancellation.version, cancellation.text], ["2026-11-01", before.cancellation_policy]);
    assert.match(terms.catalogVersion, /^[0-9a-f]{12}$/);
    assert.deepEqual(
      options.map(({ totalRappen }: Fields) => totalRappen / 100),
      [handoff.total_price],
    );
    assert.notEqual((await find(next.quote)).shown[0].digest, found.shown[0].digest);
    const { stdout } = await runCommand(t, ["find", quote.quote_id], env);
    assert.match(stdout, new RegExp(`^shown +${steps[0].terms_digest}$`, "m"));

    assert.equal(digestOf(found.shown[0].document), steps[0].terms_digest);
    assert.equal(terms.operator.postalAddress, before.operator.postal_address);

    async function find({ quote_id }: Fields) {
      return JSON.parse((await runCommand(t, ["find", quote_id, "--json"], env)).stdout);
    }
  },
);

function digestOf(document: unknown): string {
  return createHash("sha256")
    .update(canonicalize(document) ?? "")
    .digest("hex");
}
