import { Webhook } from "standardwebhooks";
import type { Dispatcher } from "undici";
import type { CheckoutJourney } from "../../contract/checkout.ts";
import type { SaleEventPayload } from "../../contract/sale-events.ts";
import type { OutboxEvent } from "../../domain/sales/outbox.ts";
import { createAgent, USER_AGENT } from "../upstream/upstream-http.ts";
import { wireOptions, wireSale } from "./wire-sale.ts";

const CONNECT_MILLISECONDS = 5_000;
const MAX_BODY_BYTES = 64 * 1024;

/** How a delivery ended. */
type Receipt =
  | { readonly result: "delivered" }
  /** HTTP status 410: this event is not sent again. */
  | { readonly result: "refused"; readonly why: string }
  /** `retryAfterMs` is the wait that the receiver asked for, otherwise 0. */
  | { readonly result: "failed"; readonly why: string; readonly retryAfterMs: number };

export type Delivery = ReturnType<typeof createDelivery>;

export interface DeliveryOptions {
  readonly url: string;
  /** Each is `whsec_` and base64. Every secret signs, so that a receiver can move from one to the next. */
  readonly secrets: readonly string[];
  /**
   * The journey of a handoff or an opening, `null` once its quote has been deleted. It is read for each delivery, so that
   * neither ledger nor outbox keep it, and is the same each time.
   */
  journeyOf(event: OutboxEvent): Promise<CheckoutJourney | null>;
}

/** Signs as Standard Webhooks defines it. Does not follow redirects: only the operator decides where events go. */
export function createDelivery({ url, secrets, journeyOf }: DeliveryOptions) {
  const { origin, pathname, search } = new URL(url);
  const webhooks = secrets.map((secret) => new Webhook(secret));
  const agent = createAgent(CONNECT_MILLISECONDS, MAX_BODY_BYTES);

  return {
    /**
     * Sends one event to the operator's receiver. An attempt that the signal aborts has failed; rejects only where the
     * quote cannot be read.
     */
    async send(event: OutboxEvent, now: Date, signal: AbortSignal): Promise<Receipt> {
      const body = JSON.stringify(await payloadOf(event, journeyOf));
      const headers = {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": event.id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        "webhook-signature": webhooks.map((webhook) => webhook.sign(event.id, now, body)).join(" "),
      };
      try {
        const path = `${pathname}${search}`;
        return await receiptOf(await agent.request({ origin, path, method: "POST", headers, body, signal }), now);
      } catch (error) {
        return { result: "failed", why: signal.aborted ? "no response in time" : reasonOf(error), retryAfterMs: 0 };
      }
    },
    close: () => agent.destroy(),
  };
}

async function receiptOf({ statusCode, headers, body }: Dispatcher.ResponseData, now: Date): Promise<Receipt> {
  // The status alone decides, so an error while reading the body is ignored.
  await body.dump().catch(() => {});
  if (statusCode >= 200 && statusCode < 300) return { result: "delivered" };
  const why = `HTTP status ${statusCode}`;
  if (statusCode === 410) return { result: "refused", why };
  return { result: "failed", why, retryAfterMs: retryAfterOf(headers["retry-after"], now) };
}

/** Milliseconds to wait by a `Retry-After` header (RFC 9110: seconds or a date); 0 if it is neither. */
function retryAfterOf(value: string | string[] | undefined, now: Date): number {
  if (typeof value !== "string") return 0;
  const milliseconds = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}

/** The reason without the receiver's address, which may contain a secret. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
  return `the connection failed${code}`;
}

/** The body of a delivery. Throws if a handoff event has no option. */
async function payloadOf(event: OutboxEvent, journeyOf: DeliveryOptions["journeyOf"]): Promise<SaleEventPayload> {
  const { type, at: timestamp, surface, client } = event;
  const [sale, options] = [wireSale(event), wireOptions(event)];
  if (type === "quote.created") return { type, timestamp, data: { ...sale, options, surface, client } };
  if (type === "quote.confirmed" || type === "quote.expired") return { type, timestamp, data: { ...sale, options } };
  const [chosen] = options;
  if (!chosen) throw new Error(`event ${event.id} has no option`);
  const opened = { ...sale, ...chosen, terms_digest: event.termsDigest, journey: await journeyOf(event) };
  if (type === "handoff.opened") return { type, timestamp, data: opened };
  return { type, timestamp, data: { ...opened, surface, client } };
}
