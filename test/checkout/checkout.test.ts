import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createCheckout } from "../../src/checkout/checkout.ts";
import { createLinkSigner } from "../../src/checkout/signature.ts";
import { aQuote } from "../support/quote-fixture.ts";

const operator = { name: "Alpine Cars", phone: "+41 44 000 00 00", email: "desk@alpine.example" };
const signer = createLinkSigner(["s".repeat(32)]);
const quote = aQuote({ id: "quote_1", expiresAt: "2026-12-01T09:30:00.000Z" });

function checkout(pageUrl = "https://pay.example.ch/checkout", enabled = true) {
  return createCheckout({ signer, enabled, pageUrl, operator });
}

suite("a link", () => {
  const signature = signer.sign({ quoteId: "quote_1", fleetId: 2, expiresAt: quote.expiresAt });

  test("leads to the checkout page with quote, vehicle and signature", () => {
    assert.equal(
      checkout().urlFor(quote, 2),
      `https://pay.example.ch/checkout?quote_id=quote_1&fleet_id=2&sig=${signature}`,
    );
  });

  test("keeps the query and the fragment of the page's own address", () => {
    assert.equal(
      checkout("https://pay.example.ch/go?lang=de&brand=a%26b#top").urlFor(quote, 2),
      `https://pay.example.ch/go?lang=de&brand=a%26b&quote_id=quote_1&fleet_id=2&sig=${signature}#top`,
    );
  });

  test("carries each parameter once, whatever the page's own query contains", () => {
    const { searchParams } = new URL(checkout("https://pay.example.ch/?sig=x&quote_id=y&fleet_id=9").urlFor(quote, 2));
    assert.deepEqual(
      [...searchParams],
      [
        ["sig", signature],
        ["quote_id", "quote_1"],
        ["fleet_id", "2"],
      ],
    );
  });

  test("is valid for its option and no other", () => {
    const { vouchesFor } = checkout();
    assert.equal(vouchesFor(quote, 2, signature), true);
    assert.equal(vouchesFor(quote, 1, signature), false);
    assert.equal(vouchesFor({ ...quote, id: "quote_2" }, 2, signature), false);
    assert.equal(vouchesFor({ ...quote, expiresAt: "2026-12-01T10:30:00.000Z" }, 2, signature), false);
  });
});

suite("the deployment switch", () => {
  test("allows checkout when enabled", () => checkout().assertEnabled());
  test("answers UPSTREAM_UNAVAILABLE when disabled", () => {
    const { assertEnabled } = checkout("https://pay.example.ch", false);
    assert.throws(assertEnabled, { code: "UPSTREAM_UNAVAILABLE", message: "Checkout is disabled on this server." });
  });
});

suite("what can be self-served", () => {
  const [usual, onRequest] = quote.options;
  assert.ok(usual && onRequest);

  test("allows an option that is not on request, of a journey without doubts", () =>
    checkout().assertSelfServable(quote, usual));
  test("rejects an option on request", () => {
    assert.throws(() => checkout().assertSelfServable(quote, onRequest), {
      code: "MANUAL_CONFIRMATION_REQUIRED",
      message: /on request/,
    });
  });
  test("rejects every option of a journey that needs confirmation", () => {
    const doubtful = { ...quote, requiresManualConfirmation: true };
    const nextAction =
      "Tell the traveler that the operator must confirm this journey, and to contact Alpine Cars (+41 44 000 00 00, desk@alpine.example).";
    assert.throws(() => checkout().assertSelfServable(doubtful, usual), {
      code: "MANUAL_CONFIRMATION_REQUIRED",
      message: /This journey/,
      options: { nextAction },
    });
  });
});
