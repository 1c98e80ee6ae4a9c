import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { Webhook } from "standardwebhooks";
import type { SaleEventPayload } from "../../src/contract/sale-events.ts";

/** A delivery as the receiver got it. */
interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly payload: SaleEventPayload;
  /** Which of the receiver's secrets the official package verified it with; none where it could not. */
  readonly verifiedBy: readonly string[];
  /** What the receiver answered. */
  readonly status: number | "none";
}

/** An answer: a status, with Retry-After, or none before the sender hangs up. */
export type EventAnswer = { readonly status: number; readonly headers?: Record<string, string> } | "none";

export interface EventReceiver {
  readonly url: string;
  /** In the order of their arrival. */
  readonly received: readonly Received[];
  /** Decides from now on. */
  answer(decide: (received: Pick<Received, "id" | "payload">, earlier: number) => EventAnswer): void;
  /** Refuses connections until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A secret as Standard Webhooks writes it. */
export function aWebhookSecret(text: string): string {
  return `whsec_${Buffer.from(text.padEnd(32, "-")).toString("base64")}`;
}

/** The operator's own receiver of events on a free port; answers 204. */
export async function anEventReceiver(
  t: Pick<TestContext, "after">,
  secrets: readonly string[] = [],
): Promise<EventReceiver> {
  const received: Received[] = [];
  const webhooks = secrets.map((secret) => ({ secret, webhook: new Webhook(secret) }));
  let decide: Parameters<EventReceiver["answer"]>[0] = () => ({ status: 204 });
  let port = 0;
  let server = createServer();
  await start();
  t.after(stop);

  return {
    get url() {
      return `http://127.0.0.1:${port}/events`;
    },
    received,
    answer(next) {
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
