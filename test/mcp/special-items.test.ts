import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { anMcpClient } from "../support/mcp-client.ts";
import { aService } from "../support/service.ts";

const EXTRAS = {
  ...{ passengers: 3, adults: 2, children: 1, luggage: 3, large_luggage: 3 },
  special_items: [
    { kind: "child_seat", count: 1 },
    { kind: "skis", count: 2 },
  ],
};

test("special items and large luggage are priced, stored and read back alike over REST and MCP", async (t) => {
  const { api, token, publicUrl } = await aService(t);
  const bearer = await token();
  const { value } = await anMcpClient(t, publicUrl, bearer);
  const body = aQuoteRequest(EXTRAS);
  const plain = await api("/quote-intents", { body: aQuoteRequest({ ...EXTRAS, special_items: [] }) });
  const estimate = await api("/quote-intents", { body });
  const quote = await value("create_transfer_quote", body);
  const read = await api(`/quotes/${quote.quote_id}`, { token: bearer });
  assert.deepEqual(read.body, quote);
  for (const priced of [estimate.body, quote]) {
    assert.deepEqual([priced.large_luggage, priced.special_items], [3, EXTRAS.special_items]);
    const [option] = priced.options;
    assert.equal(option.vehicle_class, "estate", "the sedan takes two large pieces");
    assert.equal(option.total_price, plain.body.options[0].total_price + 15);
    assert.ok(priced.price_lines === undefined);
    assert.ok(
      option.price_lines.some(({ label, amount }: { label: string; amount: number }) => {
        return label === "1 child seat" && amount === 15;
      }),
    );
    assert.match(priced.limitations.join(" "), /The driver brings it\./);
  }
});

test("absent and empty special items are the same journey", async (t) => {
  const { api } = await aService(t);
  const [absent, empty] = await Promise.all(
    [aQuoteRequest(), aQuoteRequest({ special_items: [] })].map((body) => api("/quote-intents", { body })),
  );
  const comparable = ({ request_id, route_basis, ...rest }: Record<string, unknown>) => rest;
  assert.deepEqual(comparable(empty?.body), comparable(absent?.body));
  assert.deepEqual([absent?.body.special_items, absent?.body.large_luggage], [[], null]);
  assert.equal(empty?.body.route_basis.route_fingerprint, absent?.body.route_basis.route_fingerprint);
});

test("what is wrong with them is named by its field", async (t) => {
  const { api } = await aService(t);
  const { body } = await api("/quote-intents", {
    body: aQuoteRequest({ special_items: [{ kind: "piano", count: 1 }] }),
  });
  assert.equal(body.code, "INVALID_REQUEST");
  assert.deepEqual(body.field_errors[0].field, "special_items.0.kind");
  assert.ok(body.field_errors[0].candidates.includes("skis"));
  const none = await api("/quote-intents", { body: aQuoteRequest({ special_items: [{ kind: "skis", count: 0 }] }) });
  assert.deepEqual(none.body.field_errors[0].field, "special_items.0.count");
});
