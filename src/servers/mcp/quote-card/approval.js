/** Asks for the traveler's approval, requests the checkout link and opens it. */
import { byId } from "../../../service/checkout/page/elements.js";
import { moneyText } from "../../../service/checkout/page/formats.js";
import { nameText, textOf } from "../../../service/checkout/page/language.js";
import { contentOf, LateAnswer } from "./host.js";
import { vehicleOf } from "./options.js";
import { showView } from "./views.js";

export function createApproval(host, capabilities, { onExpired }) {
  /** The quote and the option to approve; `undefined` while no approval is open. */
  let asked;
  let isWaiting = false;
  let url = "";
  const link = /** @type {HTMLInputElement} */ (byId("link"));
  byId("approve").addEventListener("click", approve);
  byId("back").addEventListener("click", leave);
  byId("other").addEventListener("click", leave);
  byId("open").addEventListener("click", open);
  byId("copy").addEventListener("click", copy);
  link.addEventListener("focus", () => link.select());

  return { ask, close };

  function ask(quote, option) {
    const opener = document.activeElement;
    asked = { quote, option, opener, price: moneyText(option.total_price, option.currency) };
    byId("approved-vehicle").replaceChildren(vehicleOf(option));
    byId("approved-price").textContent = asked.price;
    byId("approval-text").textContent = textOf("approval_text", { operator: quote.operator.name });
    byId("refusal").textContent = "";
    byId("approve").hidden = false;
    showButton("approve", { price: asked.price });
    showView("approval");
    byId("approval-title").focus();
  }

  function close() {
    asked = undefined;
  }

  function leave() {
    const { opener } = asked ?? {};
    close();
    showView("offer");
    opener?.focus();
  }

  async function approve() {
    if (isWaiting || !asked) return;
    const current = asked;
    isWaiting = true;
    byId("refusal").textContent = "";
    showButton("approving");
    const { link, refusal = "unavailable" } = await requestHandoff(host, capabilities, current);
    const isPassing = PASSING.includes(refusal);
    isWaiting = false;
    if (asked !== current) return;
    if (link) return handOver(link, current);
    if (refusal === "expired") return onExpired();
    byId("refusal").textContent = textOf(`refused_${refusal}`, {
      vehicle: nameText(current.option.vehicle_type),
      price: current.price,
    });
    byId("approve").hidden = !isPassing;
    showButton("retry");
    if (!isPassing) byId("back").focus();
  }

  function handOver(address, { quote, option }) {
    url = address;
    link.value = url;
    byId("copy").textContent = textOf("copy");
    showView("handoff");
    byId("handoff-title").focus();
    open();
    if (!capabilities.updateModelContext) return;
    // Tells the assistant, so that it does not ask for the same approval again.
    const text = `In the quote card the traveler approved ${option.vehicle_type} (vehicle_class ${option.vehicle_class}, fleet_id ${option.fleet_id}) for ${option.currency} ${option.total_price.toFixed(2)} of quote ${quote.quote_id} and got the checkout link ${url}. Nothing is booked or charged yet.`;
    host.request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
  }

  async function open() {
    byId("handoff-text").textContent = textOf("opening");
    const isOpened = await host.request("ui/open-link", { url }).then(
      ({ isError }) => !isError,
      () => false,
    );
    byId("handoff-text").textContent = textOf(isOpened ? "opened" : "not_opened");
  }

  /** Uses `execCommand`, because the clipboard API needs a permission that hosts rarely grant to a frame. */
  function copy() {
    link.focus();
    link.select();
    if (document.execCommand("copy")) byId("copy").textContent = textOf("copied");
  }

  function showButton(key, values) {
    byId("approve").textContent = textOf(key, values);
    byId("approve").setAttribute("aria-disabled", String(isWaiting));
  }
}

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
 * Has the host call the tool for the approved option. Returns `link`, or the `refusal`, which is absent for other codes.
 * The idempotency key depends only on quote and option, so that repeated clicks and several cards create one handoff.
 */
async function requestHandoff(host, { serverTools }, { quote: { quote_id }, option: { fleet_id } }) {
  if (!serverTools) return { refusal: "host" };
  const terms = { quote_id, fleet_id, traveler_approval: true, idempotency_key: `card-${quote_id}-${fleet_id}` };
  const call = host.request("tools/call", { name: "create_checkout_handoff", arguments: terms });
  const result = await call.catch((error) => error);
  if (result instanceof Error) return { refusal: result instanceof LateAnswer ? "unavailable" : "host" };
  const { checkout_url: link, code } = contentOf(result) ?? {};
  return typeof link === "string" ? { link } : { refusal: REFUSAL_OF_CODE.get(code) };
}
