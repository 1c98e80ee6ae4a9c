import assert from "node:assert/strict";
import type { Offer } from "../../src/service/checkout/view/offer.ts";
import { aQuoteRequest } from "./journey-fixture.ts";
import type { Fields } from "./mcp-client.ts";
import type { TestService } from "./service.ts";

/** Pattern for `page.route` that matches all API requests. */
export const API = "**/api/public/**";

/** Quotes a journey over REST, and creates handoffs for its first options without manual confirmation. */
export async function handoff(service: TestService, overrides: Readonly<Record<string, unknown>> = {}, options = 1) {
  const token = await service.token();
  const { status, text, body: quote } = await service.api("/quotes", { token, body: aQuoteRequest(overrides) });
  assert.equal(status, 201, text);
  const chosen: Fields[] = quote.options.filter(({ on_request }: Fields) => !on_request).slice(0, options);
  const handedOver = chosen.map(async (option) => {
    const body = { quote_id: quote.quote_id, fleet_id: option.fleet_id, traveler_approval: true };
    const answer = await service.api("/checkout-sessions", { token, body });
    assert.equal(answer.status, 200, answer.text);
    return {
      url: answer.body.checkout_url as string,
      totalPrice: option.total_price as number,
      vehicleType: option.vehicle_type as string,
      seats: option.passenger_capacity as number,
    };
  });
  const [first, ...others] = await Promise.all(handedOver);
  assert.ok(first && others.length === options - 1, text);
  return [first, ...others] as const;
}

/** What the traveler's page resolves of a journey's first option. */
export async function resolvedOffer(service: TestService, journey: Readonly<Record<string, unknown>> = {}) {
  const [{ url }] = await handoff(service, journey);
  const { searchParams: query } = new URL(url);
  const id = query.get("quote_id");
  query.delete("quote_id");
  const { status, body, text } = await service.api(`/checkout-sessions/${id}?${query}`);
  assert.equal(status, 200, text);
  return body as unknown as Offer;
}
