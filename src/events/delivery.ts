import { Webhook } from "standardwebhooks";
import { Agent, type Dispatcher } from "undici";
import type { SaleEventPayload } from "../contract/sale-events.ts";
import { packageVersion } from "../ops/package-root.ts";
import type { OutboxEvent } from "../stores/outbox.ts";

const CONNECT_MILLISECONDS = 5_000;
const MAX_BODY_BYTES = 64 * 1024;

/** How a delivery ended. */
type Receipt =
  | { readonly result: "delivered" }
  /** The receiver takes no more events: HTTP status 410. */
  | { readonly result: "refused"; readonly why: string }
  /** `retryAfterMs` is what the receiver asked for, otherwise 0. */
  | { readonly result: "failed"; readonly why: string; readonly retryAfterMs: number };

/** Sends one event to the operator's receiver. Never rejects; the signal ends the attempt, which has failed then. */
export interface Delivery {
  send(event: OutboxEvent, now: Date, signal: AbortSignal): Promise<Receipt>;
  close(): Promise<void>;
}

export interface DeliveryOptions {
  readonly url: string;
  /** `whsec_` and base64, each. All of them sign, so that a receiver can change to another. */
  readonly secrets: readonly string[];
}

/** Signed as Standard Webhooks defines it. Redirects are not followed: the operator's setting decides where events go. */
export function createDelivery({ url, secrets }: DeliveryOptions): Delivery {
  const { origin, pathname, search } = new URL(url);
  const webhooks = secrets.map((secret) => new Webhook(secret));
  const agent = new Agent({
    connect: { timeout: CONNECT_MILLISECONDS },
    maxResponseSize: MAX_BODY_BYTES,
    // The caller's signal limits the time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return {
    async send(event, now, signal) {
      const body = JSON.stringify(payloadOf(event));
      const headers = {
        "content-type": "application/json",
        "user-agent": `transfer-quote-mcp/${packageVersion}`,
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
  // The status has decided; a body that breaks changes nothing.
  await body.dump().catch(() => {});
  if (statusCode >= 200 && statusCode < 300) return { result: "delivered" };
  const why = `HTTP status ${statusCode}`;
  if (statusCode === 410) return { result: "refused", why };
  return { result: "failed", why, retryAfterMs: retryAfterOf(headers["retry-after"], now) };
}

/** RFC 9110: seconds, or a date; 0 where it is neither. */
function retryAfterOf(value: string | string[] | undefined, now: Date): number {
  if (typeof value !== "string") return 0;
  const milliseconds = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
}

/** Without the address, which may contain a secret. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
  return `the connection failed${code}`;
}

/** What the operator's own systems receive. */
function payloadOf(event: OutboxEvent): SaleEventPayload {
  const { type, at: timestamp, surface, client } = event;
  const options = event.options.map(({ vehicleClass, totalRappen }) => ({
    vehicle_class: vehicleClass,
    total_price: totalRappen / 100,
  }));
  const sale = {
    quote_id: event.quoteId,
    expires_at: event.expiresAt,
    corridor: event.corridor,
    origin: event.origin,
    destination: event.destination,
    distance_km: event.distanceKm,
    tariff_version: event.tariffVersion,
    currency: "CHF",
  } as const;
  if (type === "quote.created") return { type, timestamp, data: { ...sale, options, surface, client } };
  if (type === "quote.expired") return { type, timestamp, data: { ...sale, options } };
  const [chosen] = options;
  if (!chosen) throw new Error(`${event.id} names no option`);
  if (type === "handoff.opened") return { type, timestamp, data: { ...sale, ...chosen } };
  return { type, timestamp, data: { ...sale, ...chosen, surface, client } };
}
