/** Asks for the traveler's approval, requests the checkout link and opens it. */
import { byId, drawn, element } from "../../../service/checkout/page/elements.ts";
import type { OfferView } from "../../../service/checkout/view/offer-view.ts";
import type { Quote } from "./card.ts";
import type { Problem } from "./failure.ts";
import { type Capabilities, contentOf, type Host, LateAnswer } from "./host.ts";
import { type CardWords, type Option, vehicleOf } from "./options.ts";
import { showView } from "./views.ts";

interface Asked {
  readonly quote: Quote;
  readonly option: Option;
  readonly opener: Element | null;
  readonly price: string;
}

export function createApproval(
  host: Host,
  capabilities: Capabilities,
  words: CardWords,
  { onExpired }: { readonly onExpired: () => void },
) {
  /** The quote and the option to approve; `undefined` while no approval is open. */
  let asked: Asked | undefined;
  let isWaiting = false;
  let url = "";
  const link = byId("link") as HTMLInputElement;
  byId("approve").addEventListener("click", approve);
  byId("back").addEventListener("click", leave);
  byId("other").addEventListener("click", leave);
  byId("open").addEventListener("click", open);
  byId("copy").addEventListener("click", copy);
  link.addEventListener("focus", () => link.select());

  return { ask, close };

  function ask(quote: Quote, option: Option, { head }: OfferView): void {
    const price = words.money(option.total_price, option.currency);
    asked = { quote, option, opener: document.activeElement, price };
    const travelers = element("span", "quiet example", ...drawn(head.travelers));
    byId("approved-vehicle").replaceChildren(vehicleOf(option, words), travelers);
    byId("approved-price").textContent = price;
    byId("approval-text").textContent = words.text("approval_text", { operator: quote.operator?.name ?? "" });
    byId("refusal").textContent = "";
    byId("approve").hidden = false;
    showButton(words.text("approve", { price }));
    showView("approval");
    byId("approval-title").focus();
  }

  function close(): void {
    asked = undefined;
  }

  function leave(): void {
    const { opener } = asked ?? {};
    close();
    showView("offer");
    if (opener instanceof HTMLElement) opener.focus();
  }

  async function approve(): Promise<void> {
    if (isWaiting || !asked) return;
    const current = asked;
    isWaiting = true;
    byId("refusal").textContent = "";
    showButton(words.text("approving"));
    const { link, refusal = "unavailable" } = await requestHandoff(host, capabilities, current);
    const isPassing = PASSING.includes(refusal);
    isWaiting = false;
    if (asked !== current) return;
    if (link) return handOver(link, current);
    if (refusal === "expired") return onExpired();
    const { option, price } = current;
    byId("refusal").textContent = words.text(`refused_${refusal}`, { vehicle: words.name(option.vehicle_type), price });
    byId("approve").hidden = !isPassing;
    showButton(words.text("retry"));
    if (!isPassing) byId("back").focus();
  }

  function handOver(address: string, { quote, option }: Asked): void {
    url = address;
    link.value = url;
    byId("copy").textContent = words.text("copy");
    showView("handoff");
    byId("handoff-title").focus();
    open();
    if (!capabilities.updateModelContext) return;
    // Tells the assistant, so that it does not ask for the same approval again.
    const text = `In the quote card the traveler approved ${option.vehicle_type} (vehicle_class ${option.vehicle_class}, fleet_id ${option.fleet_id}) for ${option.currency} ${option.total_price.toFixed(2)} of quote ${quote.quote_id} and got the checkout link ${url}. Nothing is booked or charged yet.`;
    host.request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
  }

  async function open(): Promise<void> {
    byId("handoff-text").textContent = words.text("opening");
    const isOpened = await host.request("ui/open-link", { url }).then(
      ({ isError }) => !isError,
      () => false,
    );
    byId("handoff-text").textContent = words.text(isOpened ? "opened" : "not_opened");
  }

  /** Uses `execCommand`, because the clipboard API needs a permission that hosts rarely grant to a frame. */
  function copy(): void {
    link.focus();
    link.select();
    if (document.execCommand("copy")) byId("copy").textContent = words.text("copied");
  }

  function showButton(text: string): void {
    byId("approve").textContent = text;
    byId("approve").setAttribute("aria-disabled", String(isWaiting));
  }
}

type Refusal = "expired" | "manual" | "access" | "wrong" | "busy" | "unavailable" | "host";

/** What to say for a problem code; every other code counts as "unavailable". */
const REFUSAL_OF_CODE: Readonly<Record<string, Refusal>> = {
  QUOTE_EXPIRED: "expired",
  MANUAL_CONFIRMATION_REQUIRED: "manual",
  AUTHENTICATION_REQUIRED: "access",
  FORBIDDEN: "access",
  QUOTE_NOT_FOUND: "wrong",
  INVALID_REQUEST: "wrong",
  RATE_LIMITED: "busy",
};

/** Refusals after which a retry may succeed. */
const PASSING: readonly Refusal[] = ["busy", "unavailable"];

/**
 * Has the host call the tool for the approved option. The idempotency key depends only on quote and option, so that
 * repeated clicks and several cards create one handoff.
 */
async function requestHandoff(
  host: Host,
  { serverTools }: Capabilities,
  { quote: { quote_id }, option: { fleet_id } }: Asked,
): Promise<{ readonly link?: string; readonly refusal?: Refusal | undefined }> {
  if (!serverTools) return { refusal: "host" };
  const terms = { quote_id, fleet_id, traveler_approval: true, idempotency_key: `card-${quote_id}-${fleet_id}` };
  const call = host.request("tools/call", { name: "create_checkout_handoff", arguments: terms });
  const result = await call.catch((error: Error) => error);
  if (result instanceof Error) return { refusal: result instanceof LateAnswer ? "unavailable" : "host" };
  const { checkout_url: link, code = "" } = (contentOf(result) ?? {}) as Problem & { readonly checkout_url?: unknown };
  return typeof link === "string" ? { link } : { refusal: REFUSAL_OF_CODE[code] };
}
