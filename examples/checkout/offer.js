/** Why there is nothing to sell; `kind` selects the page. */
export class OfferProblem extends Error {
  constructor(kind) {
    super(kind);
    this.kind = kind;
  }
}

const KIND_OF_CODE = { QUOTE_EXPIRED: "expired", QUOTE_NOT_FOUND: "wrong", INVALID_REQUEST: "wrong" };

/** The three parameters that a browser sends; everything else comes from the service. */
export function linkIn(parameters) {
  const link = {
    quote_id: parameters.get("quote_id"),
    fleet_id: parameters.get("fleet_id"),
    sig: parameters.get("sig"),
  };
  if (!Object.values(link).every((value) => /^[\w-]{1,64}$/.test(value ?? ""))) throw new OfferProblem("wrong");
  return link;
}

/**
 * What is bought, as the service has it now. Throws OfferProblem. `address` is the traveler's: the service counts calls
 * by it where it trusts this server as a proxy.
 */
export async function resolveOffer(serviceUrl, { quote_id, fleet_id, sig }, address) {
  const url = new URL(`/api/public/v1/checkout-sessions/${quote_id}`, serviceUrl);
  url.search = new URLSearchParams({ fleet_id, sig }).toString();
  const options = { headers: { "X-Forwarded-For": address }, signal: AbortSignal.timeout(10_000) };
  const answer = await fetch(url, options).then(
    async (response) => ({ isFound: response.ok, body: await response.json() }),
    () => ({ isFound: false, body: {} }),
  );
  if (!answer.isFound) throw new OfferProblem(KIND_OF_CODE[answer.body.code] ?? "unavailable");
  return answer.body;
}

/** Stripe takes whole Rappen; 1654.7 in the answer is 165470. */
export function rappenOf({ total_price, currency }) {
  const rappen = Math.round(total_price * 100);
  if (currency !== "CHF" || !Number.isSafeInteger(rappen) || rappen <= 0) throw new OfferProblem("unavailable");
  return rappen;
}
