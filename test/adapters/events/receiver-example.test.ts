import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createDelivery } from "../../../src/adapters/events/delivery.ts";
import type { OutboxEvent } from "../../../src/domain/sales/outbox.ts";
import { packageRoot } from "../../../src/ops/package-root.ts";
import { startProgram } from "../../support/built-process.ts";
import { aWebhookSecret } from "../../support/event-receiver.ts";
import { aQuote } from "../../support/quote-fixture.ts";
import { aHandoffSale, aSale } from "../../support/sale-fixture.ts";
import { until } from "../../support/until.ts";

const EXAMPLE = join(packageRoot, "docs", "operations", "events-receiver.mjs");
const [SECRET, OTHER] = [aWebhookSecret("ours"), aWebhookSecret("another")];

test("the receiver of the documentation takes each event once, and none with another signature", async (t) => {
  const example = startProgram([process.execPath, EXAMPLE], { env: { EVENTS_SECRET: SECRET, PORT: "0" } });
  t.after(() => example.kill());
  const [, url = ""] = await example.says(/listening on (\S+)\n/);
  const [created, handoff] = [aSale(aQuote({ id: "q_1" })), aHandoffSale(aQuote({ id: "q_1" }))];
  const deliver = async (event: Omit<OutboxEvent, "failures">, secrets: readonly string[], at = new Date()) => {
    const delivery = createDelivery({ url, secrets, journeyOf: async () => null });
    const receipt = await delivery.send({ ...event, failures: 0 }, at, AbortSignal.timeout(20_000));
    await delivery.close();
    return "why" in receipt ? receipt.why : receipt.result;
  };

  assert.equal(await deliver(created, [OTHER]), "HTTP status 401");
  assert.equal(await deliver(created, [SECRET], new Date(Date.now() - 6 * 60_000)), "HTTP status 401", "a replay");
  for (const secrets of [[SECRET], [OTHER, SECRET], [SECRET, OTHER]]) {
    assert.equal(await deliver(created, secrets), "delivered");
  }
  assert.equal(await deliver(handoff, [SECRET]), "delivered");
  await until(() => example.stdout().split("\n").length === 4, "both are processed");
  const lines = example.stdout().split("\n").slice(1, -1);
  assert.deepEqual(lines, [`${created.at} quote.created q_1`, `${handoff.at} handoff.created q_1`]);
});
