import { contentOf, LateAnswer } from "./host.js";

/** Key of the text for the traveler by problem code; every other code counts as "unavailable". */
const REFUSAL_OF_CODE = new Map([
  ["QUOTE_EXPIRED", "expired"],
  ["MANUAL_CONFIRMATION_REQUIRED", "manual"],
  ["AUTHENTICATION_REQUIRED", "access"],
  ["FORBIDDEN", "access"],
  ["QUOTE_NOT_FOUND", "wrong"],
  ["INVALID_REQUEST", "wrong"],
  ["RATE_LIMITED", "busy"],
]);

/** Refusals after which a retry may succeed. */
const PASSING = ["busy", "unavailable"];

/**
 * Has the host call the tool for the approved option. Returns `link`, or the `refusal` and whether a retry may succeed.
 * The idempotency key depends only on quote and option, so that repeated clicks and several cards create one handoff.
 */
export async function requestHandoff(host, { serverTools }, { quote: { quote_id }, option: { fleet_id } }) {
  if (!serverTools) return refused("host");
  const terms = { quote_id, fleet_id, traveler_approval: true, idempotency_key: `card-${quote_id}-${fleet_id}` };
  const call = host.request("tools/call", { name: "create_checkout_handoff", arguments: terms });
  const result = await call.catch((error) => error);
  if (result instanceof Error) return refused(result instanceof LateAnswer ? "unavailable" : "host");
  const { checkout_url: link, code } = contentOf(result) ?? {};
  return typeof link === "string" ? { link } : refused(REFUSAL_OF_CODE.get(code) ?? "unavailable");
}

function refused(refusal) {
  return { refusal, isPassing: PASSING.includes(refusal) };
}
