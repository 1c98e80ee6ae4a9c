import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { assertSelfServable, createCheckout } from "../../src/checkout/checkout.ts";
import { createLinkSigner } from "../../src/checkout/signature.ts";
import { aQuote } from "../support/quote-fixture.ts";

const signer = createLinkSigner(["s".repeat(32)]);
const quote = aQuote({ id: "quote_1", expiresAt: "2026-12-01T09:30:00.000Z" });

function checkout(pageUrl = "https://pay.example.ch/checkout", enabled = true) {
  return createCheckout({ signer, enabled, pageUrl });
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

  test("carries each of its parts once, whatever the page's own query says", () => {
    const { searchParams } = new URL(
      checkout("https://pay.example.ch/?sig=x&quote_id=y&fleet_id=9").urlFor(quote, 2),
    );
    assert.deepEqual(
      [...searchParams],
      [
        ["sig", signature],
        ["quote_id", "quote_1"],
        ["fleet_id", "2"],
      ],
    );
  });

  test("vouches for the option it was made for and no other", () => {
    const { vouchesFor } = checkout();
    assert.equal(vouchesFor(quote, 2, signature), true);
    assert.equal(vouchesFor(quote, 1, signature), false);
    assert.equal(vouchesFor({ ...quote, id: "quote_2" }, 2, signature), false);
    assert.equal(vouchesFor({ ...quote, expiresAt: "2026-12-01T10:30:00.000Z" }, 2, signature), false);
  });
});

suite("the deployment switch", () => {
  test("on lets checkout be", () => checkout().assertEnabled());
  test("off is UPSTREAM_UNAVAILABLE", () => {
    const { assertEnabled } = checkout("https://pay.example.ch", false);
    assert.throws(assertEnabled, {
      code: "UPSTREAM_UNAVAILABLE",
      message: "Checkout is switched off on this server.",
    });
  });
});

suite("what can be self-served", () => {
  const [usual, onRequest] = quote.options;
  assert.ok(usual && onRequest);

  test("an option that is not on request, of a journey without doubt", () =>
    assertSelfServable(quote, usual));
  test("no option on request", () => {
    assert.throws(() => assertSelfServable(quote, onRequest), {
      code: "MANUAL_CONFIRMATION_REQUIRED",
      message: /on request/,
    });
  });
  test("no option of a journey that needs confirmation", () => {
    const doubtful = { ...quote, requiresManualConfirmation: true };
    assert.throws(() => assertSelfServable(doubtful, usual), {
      code: "MANUAL_CONFIRMATION_REQUIRED",
      message: /This journey/,
    });
  });
});
