import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { anMcpClient } from "../support/mcp-client.ts";
import { aService } from "../support/service.ts";

test("operator and VAT are in every estimate, quote and handoff, over REST and MCP", async (t) => {
  const service = await aService(t);
  const token = await service.token();
  const mcp = await anMcpClient(t, service.publicUrl, token);
  const quote = await mcp.value("create_transfer_quote", aQuoteRequest());
  const terms = { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
  const answers = [
    quote,
    await mcp.value("get_transfer_quote", { quote_id: quote.quote_id }),
    await mcp.value("estimate_transfer_quote", aQuoteRequest()),
    await mcp.value("create_checkout_handoff", terms),
    (await service.api("/quotes", { token, body: aQuoteRequest() })).body,
    (await service.api("/quote-intents", { body: aQuoteRequest() })).body,
    (await service.api("/checkout-sessions", { token, body: terms })).body,
  ];
  for (const { operator, vat_included } of answers) {
    assert.equal(vat_included, true);
    assert.deepEqual(operator, {
      name: "Example Transfers",
      phone: "+41 00 000 00 00",
      email: "bookings@transfers.example",
      website: "https://transfers.example",
      terms_url: "https://transfers.example/terms",
      vat_number: "CHE-000.000.000 MWST",
    });
  }
});

test("whoever needs a car too soon is told the operator's phone", async (t) => {
  const service = await aService(t);
  const { body } = await service.api("/quote-intents", {
    body: aQuoteRequest({ pickup_datetime: "2026-12-01T11:30:00+01:00" }),
  });
  assert.equal(body.code, "LEAD_TIME_NOT_SUPPORTED");
  assert.match(body.next_action, /can call Example Transfers, \+41 00 000 00 00\.$/);
  const late = await service.api("/quote-intents", {
    body: aQuoteRequest({ pickup_datetime: "2028-12-01T11:30:00+01:00" }),
  });
  assert.doesNotMatch(late.body.next_action, /call/);
});

test("policies on payment, changes and invoice, and the surcharges with their dates, over both surfaces", async (t) => {
  const service = await aService(t);
  const mcp = await anMcpClient(t, service.publicUrl, await service.token());
  const { tools } = await mcp.client.listTools();
  const description = tools.find(({ name }) => name === "get_policy")?.description ?? "";
  for (const policy_key of ["cancellation", "changes", "payment", "invoice"]) {
    assert.ok(description.includes(policy_key), policy_key);
    const overRest = (await service.api(`/policies/${policy_key}`)).body;
    assert.deepEqual(await mcp.value("get_policy", { policy_key }), overRest);
  }
  const { surcharges } = (await service.api("/quote-requirements")).body;
  assert.deepEqual((await mcp.value("get_quote_requirements")).surcharges, surcharges);
  const [night, holidays, congress] = surcharges;
  assert.deepEqual(night, { label: "Night surcharge", percent: 20, hours: "00:00 to 06:00" });
  assert.ok(holidays.percent === 10 && holidays.days.includes("Easter Monday"));
  assert.deepEqual(congress, {
    label: "Congress week surcharge",
    percent: 25,
    days: ["01-18 to 01-24"],
    routes: ["anywhere to davos-valley, both ways"],
  });
});
