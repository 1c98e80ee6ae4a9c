import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from "@modelcontextprotocol/sdk/types.js";

/**
 * Carries the messages of one HTTP request to a server and collects its answers; nothing outlives the request.
 * `answered` resolves with the answers in the order of the requests once all are there, or with `undefined` when the
 * transport was closed before. Notifications of the server have no way to the client and are dropped.
 */
export function createJsonTransport(messages: readonly JSONRPCMessage[]): Transport & {
  readonly answered: Promise<readonly JSONRPCMessage[] | undefined>;
} {
  const cancelled = messages.map(
    (message) => CancelledNotificationSchema.safeParse(message).data?.params.requestId,
  );
  // The protocol never answers what a later message of the same batch cancels.
  const asked = messages.filter(isJSONRPCRequest).flatMap(({ id }) => (cancelled.includes(id) ? [] : [id]));
  const answers = new Map<string | number, JSONRPCMessage>();
  const { promise: answered, resolve } = deferred<readonly JSONRPCMessage[] | undefined>();

  const transport: Transport = {
    async start() {
      // The protocol installs its handlers before it starts the transport, but returns to its caller afterwards.
      queueMicrotask(() => {
        for (const message of messages) transport.onmessage?.(message);
        if (asked.length === 0) resolve([]);
      });
    },
    async send(message) {
      if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
      if (message.id !== undefined && asked.includes(message.id)) answers.set(message.id, message);
      if (answers.size === asked.length) resolve(asked.flatMap((id) => answers.get(id) ?? []));
    },
    async close() {
      resolve(undefined);
      transport.onclose?.();
    },
  };
  return Object.assign(transport, { answered });
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
