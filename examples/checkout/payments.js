import Stripe from "stripe";
import { rappenOf } from "./offer.js";
import { referenceOf } from "./pages.js";
import { lineItemOf } from "./summary.js";
import { textsIn } from "./texts.js";

/** Stripe accepts no session that ends sooner than 30 minutes after it is created; a minute more for clocks that differ. */
const SHORTEST_SESSION_SECONDS = 31 * 60;

/** The offer as dispatch and accounting need it: without its links, which give access to it, and what is for pages. */
function journeyOf({ checkout_url, continue_url, request_id, route_map, translations, ...journey }) {
  return journey;
}

/** Payments of offers with Stripe Checkout; `log` gets one line for each thing that happened. */
export function createPayments({ stripeKey, stripeApi, webhookSecret, publicUrl }, bookings, log) {
  const stripe = new Stripe(stripeKey, {
    protocol: stripeApi.protocol.replace(":", ""),
    host: stripeApi.hostname,
    port: stripeApi.port || 443,
    // With the same idempotency key: a retry never makes a second session.
    maxNetworkRetries: 2,
    timeout: 15_000,
    telemetry: false,
  });
  /** Sessions that will be ended with their quote. */
  const watched = new Set();
  /** What travelers entered and in which language, and what they saw, by offer. Keep it in your database. */
  const orders = new Map();

  return { orderOf: (offer) => orders.get(keyOf(offer)), sessionFor, eventOf, received };

  /**
   * The payment page of an offer. The same offer always has the same one: its idempotency key names the offer, and every
   * parameter follows from the offer and the first language, because Stripe rejects a key that comes with other
   * parameters. The traveler's details are kept from the first call: others have the link too, the agent for one.
   */
  async function sessionFor(offer, link, traveler, lang) {
    const { quote_id, fleet_id, expires_at } = offer;
    if (!orders.has(keyOf(offer))) orders.set(keyOf(offer), { traveler, language: lang, offer });
    const { language } = orders.get(keyOf(offer));
    const texts = textsIn(language, undefined, offer.translations);
    const back = new URLSearchParams({ ...link, lang: language });
    const product_data = {
      name: lineItemOf(offer, texts).slice(0, 250),
      description: texts.name(offer.vehicle_type).slice(0, 250),
    };
    const session = await stripe.checkout.sessions.create(
      {
        mode: "payment",
        locale: language,
        client_reference_id: quote_id,
        line_items: [{ quantity: 1, price_data: { currency: "chf", unit_amount: rappenOf(offer), product_data } }],
        metadata: { quote_id, fleet_id: String(fleet_id), quote_expires_at: expires_at },
        expires_at: Math.ceil(Date.parse(expires_at) / 1000) + SHORTEST_SESSION_SECONDS,
        success_url: `${publicUrl}/paid?lang=${language}&session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${publicUrl}/book?${back}`,
      },
      { idempotencyKey: keyOf(offer) },
    );
    endWithQuote(session.id, Date.parse(expires_at));
    return session;
  }

  /** Stripe would take the payment for 31 minutes after the quote has expired, so this ends the session in time. */
  function endWithQuote(sessionId, expiresAt) {
    if (watched.has(sessionId)) return;
    watched.add(sessionId);
    const end = async () => {
      watched.delete(sessionId);
      if (bookings.of(sessionId)) return;
      await stripe.checkout.sessions.expire(sessionId).then(
        () => log(`session ${sessionId} ended with its quote`),
        (error) => log(`session ${sessionId} could not be ended: ${error.message}`),
      );
    };
    setTimeout(end, Math.max(0, expiresAt - Date.now())).unref();
  }

  /** An event of Stripe, as it was sent: the signature covers the bytes. Throws where it is not Stripe's. */
  function eventOf(body, signature) {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret);
  }

  /** Books what an event says is paid. Events come more than once and in any order. Throws where it could not be kept. */
  async function received({ type, created, data }) {
    const isPayment = ["checkout.session.completed", "checkout.session.async_payment_succeeded"].includes(type);
    const { id, payment_status, amount_total, currency, metadata } = data.object;
    // A Stripe account sends the events of everything that it sells.
    const isTransfer = Boolean(metadata?.quote_id && metadata.fleet_id && metadata.quote_expires_at);
    if (!isPayment || !isTransfer || payment_status !== "paid" || bookings.of(id)) return;
    // Only where this server was down when the quote expired, or while the payment was being made. Stripe dates events by
    // the second, so that one of the last second may be late.
    const isLate = (created + 1) * 1000 > Date.parse(metadata.quote_expires_at);
    const { quote_id, fleet_id } = metadata;
    const order = orders.get(keyOf(metadata));
    await bookings.add(id, {
      ...{ reference: referenceOf(quote_id), quote_id, fleet_id: Number(fleet_id), session_id: id },
      ...{ amount_rappen: amount_total, currency, is_late: isLate },
      ...(order && { traveler: order.traveler, language: order.language, journey: journeyOf(order.offer) }),
    });
  }
}

function keyOf({ quote_id, fleet_id }) {
  return `${quote_id}+${fleet_id}`;
}
