import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/sdk/types.js";

export interface JsonTransport extends Transport {
  readonly answered: Promise<readonly JSONRPCMessage[] | undefined>;
}

/**
 * Carries the messages of one HTTP request to a server and collects its answers; nothing outlives the request.
 * `answered` resolves with the answers in the order of the requests once all are there, or with `undefined` when the
 * transport was closed before. Notifications of the server cannot reach the client and are dropped. `base` is the
 * object that becomes the transport.
 */
export function createJsonTransport<Base extends object>(
  messages: readonly JSONRPCMessage[],
  base: Base,
): Base & JsonTransport {
  const canceled = messages.map((message) => CancelledNotificationSchema.safeParse(message).data?.params.requestId);
  // The protocol never answers what a later message of the same batch cancels.
  const asked = messages.filter(isJSONRPCRequest).flatMap(({ id }) => (canceled.includes(id) ? [] : [id]));
  const answers = new Map<string | number, JSONRPCMessage>();
  const { promise: answered, resolve } = deferred<readonly JSONRPCMessage[] | undefined>();

  const transport: Base & JsonTransport = Object.assign(base, {
    answered,
    async start() {
      // The protocol installs its handlers before it starts the transport, but returns to its caller afterwards.
      queueMicrotask(() => {
        for (const message of messages) transport.onmessage?.(message);
        if (asked.length === 0) resolve([]);
      });
    },
    async send(message: JSONRPCMessage) {
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
      if (message.id !== undefined && asked.includes(message.id)) answers.set(message.id, message);
      if (answers.size === asked.length) resolve(asked.flatMap((id) => answers.get(id) ?? []));
    },
    async close() {
      resolve(undefined);
      transport.onclose?.();
    },
  });
  return transport;
}

/** What both packages' servers have. */
interface Connectable<T> {
  connect(transport: T): Promise<void>;
  close(): Promise<void>;
}

/** The answers of a server made for these messages; `undefined` where `connection` closes before. */
export async function exchange<T extends JsonTransport>(
  server: Connectable<T>,
  transport: T,
  connection: { once(event: "close", listener: () => void): unknown },
): Promise<readonly JSONRPCMessage[] | undefined> {
  connection.once("close", () => void server.close());
  await server.connect(transport);
  const answers = await transport.answered;
  await server.close();
  return answers;
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
