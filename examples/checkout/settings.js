/** Environment variables, checked at the start: a wrong one ends it with a line that names it. */
export function readSettings(env) {
  const port = Number(env.PORT || 4242);
  return {
    port,
    serviceUrl: required("SERVICE_URL", "the address of transfer-quote-mcp", /^https?:\/\//),
    // This is an example: it refuses a key that moves money.
    stripeKey: required("STRIPE_SECRET_KEY", "a key of Stripe's test mode, sk_test_…", /^(sk|rk)_test_/),
    webhookSecret: required("STRIPE_WEBHOOK_SECRET", "the signing secret of the webhook, whsec_…", /^whsec_/),
    publicUrl: (env.PUBLIC_URL || `http://127.0.0.1:${port}`).replace(/\/+$/, ""),
    // Where what was paid is told; without it, to the log alone.
    bookingsUrl: env.BOOKINGS_URL,
    bookingsToken: env.BOOKINGS_TOKEN ?? "",
    stripeApi: new URL(env.STRIPE_API_URL || "https://api.stripe.com"),
  };

  function required(name, meaning, pattern) {
    const value = env[name]?.trim() ?? "";
    if (pattern.test(value)) return value;
    process.stderr.write(`${name} is ${value ? "not valid" : "not set"}; it must be ${meaning}\n`);
    process.exit(2);
  }
}
