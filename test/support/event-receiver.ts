import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { Webhook } from "standardwebhooks";
import type { SaleEventPayload } from "../../src/contract/sale-events.ts";

interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly payload: SaleEventPayload;
  /** The receiver's secrets with which the official package verified the signature. */
  readonly verifiedBy: readonly string[];
  readonly status: number | "none";
}

/** An answer with a status and headers, or "none": the receiver does not answer. */
export type EventAnswer = { readonly status: number; readonly headers?: Record<string, string> } | "none";

/** A secret in the format of Standard Webhooks. */
export function aWebhookSecret(text: string): string {
  return `whsec_${Buffer.from(text.padEnd(32, "-")).toString("base64")}`;
}

/** An operator's receiver of events on a free port; answers 204 by default. */
export async function anEventReceiver(t: Pick<TestContext, "after">, secrets: readonly string[] = []) {
  const received: Received[] = [];
  const webhooks = secrets.map((secret) => ({ secret, webhook: new Webhook(secret) }));
  let decide: (received: Pick<Received, "id" | "payload">, earlier: number) => EventAnswer = () => ({ status: 204 });
  let port = 0;
  let server = createServer();
  await start();
  t.after(stop);

  return {
    get url() {
      return `http://127.0.0.1:${port}/events`;
    },
    /** The deliveries in the order of their arrival. */
    received: received as readonly Received[],
    /** Sets the function that decides answers from now on; `earlier` counts deliveries of the same event. */
    answer(next: typeof decide) {
      decide = next;
    },
    stop,
    start,
  };

  async function start(): Promise<void> {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      take(request.headers, Buffer.concat(chunks).toString("utf8"), response);
    });
    await once(server.listen(port, "127.0.0.1"), "listening");
    ({ port } = server.address() as AddressInfo);
  }

  /** Refuses connections until `start`. */
  async function stop(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  function take(headers: IncomingHttpHeaders, body: string, response: ServerResponse): void {
    const id = String(headers["webhook-id"]);
    const payload: SaleEventPayload = JSON.parse(body);
    const earlier = received.filter((each) => each.id === id).length;
    const answer = decide({ id, payload }, earlier);
    const status = answer === "none" ? answer : answer.status;
    received.push({ id, headers, body, payload, verifiedBy: verifiedBy(headers, body), status });
    if (answer !== "none") response.writeHead(answer.status, answer.headers).end();
  }

  function verifiedBy(headers: IncomingHttpHeaders, body: string): readonly string[] {
    return webhooks.flatMap(({ secret, webhook }) => {
      try {
        webhook.verify(body, headers as Record<string, string>);
        return [secret];
      } catch {
        return [];
      }
    });
  }
}
