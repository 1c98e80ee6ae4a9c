import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TestContext } from "node:test";
import Stripe from "stripe";
import { aLoopbackServer } from "./loopback-server.ts";

export const WEBHOOK_SECRET = "whsec_for_tests";
export const TEST_KEY = "sk_test_for_tests";
const MINUTE = 60_000;

interface StripeSession {
  readonly id: string;
  readonly url: string;
  readonly parameters: URLSearchParams;
  status: "open" | "expired" | "complete";
}

export type FakeStripe = Awaited<ReturnType<typeof aFakeStripe>>;
export type SignedEvent = ReturnType<typeof eventOf>;

/**
 * The documented wire of Stripe's Checkout Sessions: form-encoded requests with a bearer key; `expires_at` 30 minutes
 * to 24 hours ahead; a repeated Idempotency-Key gets the first answer, with other parameters 400 idempotency_error.
 */
export async function aFakeStripe(t: Pick<TestContext, "after">) {
  const sessions: StripeSession[] = [];
  const kept = new Map<string, { readonly body: string; readonly answer: object }>();
  const failures: number[] = [];
  const url = await aLoopbackServer(t, (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  return { url, sessions: sessions as readonly StripeSession[], failNext, eventOf };

  /** Creates the sessions of the next requests, but answers with this status. */
  function failNext(times: number, status: number): void {
    failures.push(...Array(times).fill(status));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await request.toArray()).join("");
    const { headers, method, url: path = "" } = request;
    if (headers.authorization !== `Bearer ${TEST_KEY}`)
      return send(response, 401, fault("invalid_request_error", "Invalid API Key provided"));
    const [, id] = /^\/v1\/checkout\/sessions\/(cs_test_\w+)\/expire$/.exec(path) ?? [];
    if (method === "POST" && id) return expire(response, id);
    if (method !== "POST" || path !== "/v1/checkout/sessions")
      return send(response, 404, fault("invalid_request_error"));
    if (headers["content-type"] !== "application/x-www-form-urlencoded")
      return send(response, 400, fault("invalid_request_error", "not form-encoded"));
    create(response, String(headers["idempotency-key"] ?? randomUUID()), body);
  }

  function create(response: ServerResponse, key: string, body: string): void {
    const first = kept.get(key);
    if (first && first.body !== body) return send(response, 400, fault("idempotency_error", `Keys for ${key} differ`));
    const made = first?.answer ?? sessionOf(new URLSearchParams(body));
    if ("error" in made) return send(response, 400, made);
    kept.set(key, { body, answer: made });
    const failure = failures.shift();
    if (failure) return send(response, failure, fault("api_error"));
    send(response, 200, made, first ? { "Idempotent-Replayed": "true" } : {});
  }

  function sessionOf(parameters: URLSearchParams): object {
    const ahead = Number(parameters.get("expires_at")) * 1000 - Date.now();
    if (!(ahead >= 30 * MINUTE && ahead <= 24 * 60 * MINUTE))
      return fault("invalid_request_error", "The `expires_at` timestamp must be between 30 minutes and 24 hours ahead");
    if (!/^[1-9]\d*$/.test(parameters.get("line_items[0][price_data][unit_amount]") ?? ""))
      return fault("invalid_request_error", "Invalid integer");
    const id = `cs_test_${randomUUID().replaceAll("-", "")}`;
    const session: StripeSession = { id, url: `${url}/c/pay/${id}`, parameters, status: "open" };
    sessions.push(session);
    return { id, object: "checkout.session", livemode: false, status: "open", url: session.url };
  }

  function expire(response: ServerResponse, id: string): void {
    const session = sessions.find((each) => each.id === id);
    if (session?.status !== "open") return send(response, 400, fault("invalid_request_error", "not open"));
    session.status = "expired";
    send(response, 200, { id, object: "checkout.session", status: "expired" });
  }
}

/** Body and signature of an event about a session, as sent by Stripe. */
function eventOf({ id, parameters }: StripeSession, overrides: Readonly<Record<string, unknown>> = {}) {
  const metadata = Object.fromEntries(
    [...parameters].flatMap(([name, value]) => {
      const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      return key ? [[key, value]] : [];
    }),
  );
  const amount_total = Number(parameters.get("line_items[0][price_data][unit_amount]"));
  const object = { id, object: "checkout.session", payment_status: "paid", amount_total, currency: "chf", metadata };
  const seconds = Math.floor(Date.now() / 1000);
  const event = { id: `evt_${randomUUID()}`, object: "event", type: "checkout.session.completed", created: seconds };
  const body = JSON.stringify({ ...event, data: { object }, ...overrides });
  return { body, signature: signatureOf(body, seconds) };
}

/** Header `Stripe-Signature` by the official package. */
export function signatureOf(payload: string, timestamp: number, secret = WEBHOOK_SECRET): string {
  return new Stripe(TEST_KEY).webhooks.generateTestHeaderString({ payload, timestamp, secret });
}

function fault(type: string, message = type): object {
  return { error: { type, message } };
}

function send(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { "Content-Type": "application/json", "Request-Id": "req_test", ...headers });
  response.end(JSON.stringify(body));
}
