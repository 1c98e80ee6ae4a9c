import { z } from "zod/v3";
import { linesOf } from "../src/contract/charges.ts";
import { CheckoutHandoff, CheckoutJourney, Imprint } from "../src/contract/checkout.ts";
import { quoteExpired, quoteNotFound } from "../src/contract/errors.ts";
import { Operator } from "../src/contract/quote.ts";
import { optionNotices } from "../src/domain/quotes/price-notices.ts";
import { isExpired } from "../src/domain/quotes/quote.ts";
import { translationsOf } from "../src/domain/quotes/translations-of.ts";
import { saleOf } from "../src/domain/sales/sale-event.ts";
import { defineOperation } from "../src/service/calls/operation.ts";
import { expiredOffer, isExpiredOfferShown, wireCheckoutJourney } from "./wire/checkout-journey.ts";
import { wireImprint } from "./wire/operator.ts";
import { wireHandoff } from "./wire/quote.ts";

/** The handoff, and everything else that a checkout page shows. */
export const ResolvedHandoff = CheckoutHandoff.extend({
  ...CheckoutJourney.shape,
  limitations: z.array(z.string()),
  operator: Operator.extend(Imprint.shape),
  cancellation_policy: z.string().optional().describe("text of the policy"),
  translations: z
    .record(z.record(z.string()))
    .optional()
    .describe("by language (de, fr, it), then by the operator's English text as it appears in this response"),
  continue_url: z.string().optional().describe("where the traveler books and pays; absent if by phone or e-mail"),
});

/** Called by the traveler's browser, which follows the signed link; an agent never calls it. */
export const resolveCheckoutHandoff = defineOperation({
  name: "resolve_checkout_handoff",
  title: "Resolve a checkout link",
  description:
    "Returns the terms of the option that a signed checkout link refers to. The signature is the credential.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  listedOverMcp: false,
  access: { kind: "signature" },
  rateTier: "quote_read",
  rest: {
    operationId: "resolveCheckoutHandoff",
    method: "get",
    path: "/checkout-sessions/{quote_id}",
    tag: "Checkout",
    query: ["fleet_id", "sig"],
    description:
      "Returns what a checkout page shows for a signed link: journey, terms and total. The signature is the credential.",
  },

  input: z.strictObject({
    quote_id: z.string().min(1).max(64).describe("quote_id of the link"),
    fleet_id: z.number().int().min(1).describe("fleet_id of the link"),
    sig: z
      .string()
      .regex(/^[\w-]{43}$/, "Not a signature of this service")
      .describe("sig of the link"),
  }),
  output: ResolvedHandoff,
  errors: ["QUOTE_NOT_FOUND", "QUOTE_EXPIRED"],

  async handle({ quote_id, fleet_id, sig }, services, call) {
    const { quotes, checkout, catalog, clock, localTime } = services;
    checkout.assertEnabled();
    const quote = await quotes.find(quote_id);
    const option = quote?.options.find(({ fleetId }) => fleetId === fleet_id);
    if (!quote || !option || !checkout.verifySignature(quote, fleet_id, sig)) throw quoteNotFound();
    const handoff = wireHandoff(quote, option, services, call);
    if (isExpired(quote, clock.now())) {
      if (!isExpiredOfferShown(quote, clock.now())) throw quoteNotFound();
      const { operator } = handoff;
      throw quoteExpired(localTime(quote.expiresAt), {
        expiredOffer: { ...expiredOffer(quote, option, services), operator },
      });
    }
    const opened = saleOf("handoff.opened", quote, catalog.tariff.timeZone, option);
    if (opened) await call.recordSale(opened);
    const lines = quote.publishesPriceLines ? linesOf(option.charges) : [];
    const continueUrl = checkout.continueUrlFor(quote, fleet_id);
    const cancellation = quote.terms.policies.find(({ key }) => key === "cancellation");
    const notices = optionNotices(quote.notices, option);
    const { license, phoneHours, paymentMethods } = quote.terms.operator;
    const journey = wireCheckoutJourney(quote, option, localTime);
    const operatorTexts = [
      ...[option.vehicleType, cancellation?.text ?? ""],
      ...[license, phoneHours, paymentMethods].filter((text) => text !== undefined),
      ...quote.legs.map(({ place }) => place),
      ...journey.waypoints.flatMap(({ near }) => near ?? []),
      ...lines.map(({ label, name = label, item }) => (item ? [item] : name)),
      ...notices.flatMap(({ values }) => Object.values(values)),
    ];
    return {
      ...handoff,
      operator: { ...handoff.operator, ...wireImprint(quote) },
      ...journey,
      ...(cancellation && { cancellation_policy: cancellation.text }),
      translations: translationsOf(catalog, operatorTexts),
      ...(continueUrl !== undefined && { continue_url: continueUrl }),
    };
  },
});
