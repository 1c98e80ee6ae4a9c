import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService } from "../support/service.ts";

test("an option's price_lines add up to its total_price, on estimate and quote and when read back", async (t) => {
  const { api, token } = await aService(t);
  const bearer = await token();
  const journey = aQuoteRequest({ pickup_datetime: "2026-12-25T03:00:00+01:00", waiting_minutes: 75 });
  const estimate = await api("/quote-intents", { body: journey });
  const quote = await api("/quotes", { token: bearer, body: journey });
  const read = await api(`/quotes/${quote.body.quote_id}`, { token: bearer });
  for (const { body } of [estimate, quote, read]) {
    assert.ok(body.options.length > 3);
    for (const { total_price, price_lines } of body.options) {
      const sum = price_lines.reduce((rappen: number, line: PriceLine) => rappen + Math.round(line.amount * 100), 0);
      assert.equal(sum, Math.round(total_price * 100));
    }
    const labels = body.options[0].price_lines.map(({ label }: PriceLine) => label.replace(/\d+ km/, "N km"));
    const named = ["Transfer N km", "Night surcharge", "Holiday surcharge", "Waiting 15 min"];
    assert.deepEqual(labels.slice(0, 4), named);
  }
  assert.deepEqual(read.body.options, quote.body.options);
});

test("an operator can switch price_lines off", async (t) => {
  const { api, token } = await aService(t, { env: { TRANSFER_CATALOG_DIR: aCatalogWithoutLines(t) } });
  const answers = [
    await api("/quote-intents", { body: aQuoteRequest() }),
    await api("/quotes", { token: await token(), body: aQuoteRequest() }),
  ];
  for (const { body, text } of answers) {
    assert.ok(body.options.length > 3);
    assert.ok(!text.includes("price_lines"), text);
  }
});

test("special items are published with the price that a quote charges for each, unless price lines are off", async (t) => {
  const { api } = await aService(t);
  const { body } = await api("/vehicle-classes");
  assert.deepEqual(
    body.special_items.map(({ kind }: { kind: string }) => kind),
    body.special_item_kinds,
  );
  const seat = body.special_items.find(({ kind }: { kind: string }) => kind === "child_seat");
  assert.deepEqual([seat.label, seat.price, seat.currency], ["child seat", 15, "CHF"]);
  assert.match(seat.description, /^Brought by the driver\./);
  for (const { kind, label, price } of body.special_items) {
    const estimate = await api("/quote-intents", { body: aQuoteRequest({ special_items: [{ kind, count: 1 }] }) });
    const lines: readonly PriceLine[] = estimate.body.options[0].price_lines;
    assert.equal(lines.find((line) => line.label === `1 ${label}`)?.amount ?? 0, price, estimate.text);
  }
  const silent = await aService(t, { env: { TRANSFER_CATALOG_DIR: aCatalogWithoutLines(t) } });
  const unpriced = (await silent.api("/vehicle-classes")).body.special_items;
  assert.equal(unpriced.length, body.special_items.length);
  for (const item of unpriced) assert.deepEqual(Object.keys(item), ["kind", "label", "description"]);
});

function aCatalogWithoutLines(t: TestContext): string {
  const folder = aCatalogFolder(t);
  changeCatalog(folder, "tariff.json", (tariff) => ({ ...(tariff as object), publishPriceLines: false }));
  return folder;
}

interface PriceLine {
  readonly label: string;
  readonly amount: number;
}
