/** Why there is nothing to sell; `kind` selects the page. An expired offer still names its operator. */
export class OfferProblem extends Error {
  constructor(kind, operator) {
    super(kind);
    this.kind = kind;
    this.operator = operator;
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
  if (!answer.isFound) {
    const { code, expired_offer } = answer.body;
    throw new OfferProblem(KIND_OF_CODE[code] ?? "unavailable", expired_offer?.operator);
  }
  return answer.body;
}

/** Texts and sentences of notices of the service's own page, by key and code. */
export async function wordsOf(serviceUrl, language) {
  const response = await fetch(new URL(`/checkout/words/${language}.json`, serviceUrl), {
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new OfferProblem("unavailable");
  return response.json();
}

/** `brand.css` or `logo`: what the operator's other pages show. */
export async function brandFile(serviceUrl, name) {
  const response = await fetch(new URL(`/${name}`, serviceUrl), { signal: AbortSignal.timeout(10_000) });
  if (!response.ok) throw new OfferProblem("unavailable");
  return {
    status: 200,
    type: response.headers.get("content-type"),
    content: Buffer.from(await response.arrayBuffer()),
  };
}

/** Stripe takes whole Rappen; 1654.7 in the answer is 165470. */
export function rappenOf({ total_price, currency }) {
  const rappen = Math.round(total_price * 100);
  if (currency !== "CHF" || !Number.isSafeInteger(rappen) || rappen <= 0) throw new OfferProblem("unavailable");
  return rappen;
}
