import Stripe from "stripe";
import { rappenOf } from "./offer.js";

/** Stripe accepts no session that ends sooner than 30 minutes after it is created; a minute more for clocks that differ. */
const SHORTEST_SESSION_SECONDS = 31 * 60;

/** Payments of offers with Stripe Checkout; `log` gets one line for each thing that happened. */
export function createPayments({ stripeKey, stripeApi, webhookSecret, publicUrl }, log) {
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
  /** Paid sessions by id. Keep them in your database. */
  const bookings = new Map();

  return { sessionFor, received, isBooked: (sessionId) => bookings.has(sessionId) };

  /**
   * The payment page of an offer. The same offer always has the same one: its idempotency key names the offer, and every
   * parameter follows from the offer, because Stripe rejects a key that comes with other parameters.
   */
  async function sessionFor(offer, link) {
    const { quote_id, fleet_id, expires_at, origin, destination, vehicle_type, pickup_datetime } = offer;
    const back = new URLSearchParams(link);
    const product_data = {
      name: `Transfer ${origin} – ${destination}`.slice(0, 250),
      description: `${vehicle_type}, pickup ${pickup_datetime}`,
    };
    const session = await stripe.checkout.sessions.create(
      {
        mode: "payment",
        client_reference_id: quote_id,
        line_items: [{ quantity: 1, price_data: { currency: "chf", unit_amount: rappenOf(offer), product_data } }],
        metadata: { quote_id, fleet_id: String(fleet_id), quote_expires_at: expires_at },
        expires_at: Math.ceil(Date.parse(expires_at) / 1000) + SHORTEST_SESSION_SECONDS,
        success_url: `${publicUrl}/paid?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${publicUrl}/book?${back}`,
      },
      { idempotencyKey: `${quote_id}+${fleet_id}` },
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
      if (bookings.has(sessionId)) return;
      await stripe.checkout.sessions.expire(sessionId).then(
        () => log(`session ${sessionId} ended with its quote`),
        (error) => log(`session ${sessionId} could not be ended: ${error.message}`),
      );
    };
    setTimeout(end, Math.max(0, expiresAt - Date.now())).unref();
  }

  /**
   * An event of Stripe, as it was sent: the signature covers the bytes. Throws where it is not Stripe's. Events come
   * more than once and in any order.
   */
  function received(body, signature) {
    const { type, created, data } = stripe.webhooks.constructEvent(body, signature, webhookSecret);
    const isPayment = ["checkout.session.completed", "checkout.session.async_payment_succeeded"].includes(type);
    const { id, payment_status, amount_total, currency, metadata } = data.object;
    if (!isPayment || payment_status !== "paid" || bookings.has(id)) return;
    bookings.set(id, { ...metadata, amount_total, currency });
    const paid = `quote ${metadata.quote_id} option ${metadata.fleet_id}: ${amount_total} Rappen, session ${id}`;
    // Only where this server was down when the quote expired, or while the payment was being made. Stripe dates events by
    // the second, so that one of the last second may be late.
    const isLate = (created + 1) * 1000 > Date.parse(metadata.quote_expires_at);
    log(isLate ? `PAID LATE, confirm the vehicle or refund: ${paid}` : `BOOKED ${paid}`);
  }
}
