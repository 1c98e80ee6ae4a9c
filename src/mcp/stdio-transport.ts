import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import type { OnFinished } from "../calls/finished-call.ts";
import { type JsonBytes, jsonBytes } from "../contract/json-bytes.ts";
import { createId } from "../ops/ids.ts";
import { canceledBy, ErrorCode, isMessage, isRequest } from "./json-rpc.ts";
import { errorOf, rejectedMessage } from "./rpc-errors.ts";
import { rpcFailure } from "./rpc-failure.ts";

export interface StdioTransport extends Transport {
  /** The first message, once it is read. It and those after it are delivered when the transport is started. */
  readonly first: Promise<JSONRPCMessage>;
  /** Sends the JSON of an answer to the request; nothing where it is empty. */
  sendJson(id: RequestId, json: JsonBytes): Promise<void>;
  /** Resolves when all that was read is answered, or after so long. */
  answered(milliseconds: number): Promise<void>;
}

/**
 * JSON-RPC in lines on stdin and stdout. Unlike the packages' transports it answers a line that is not a message with an
 * error, calls `onEnd` at the end of its input, and keeps track of the requests that are not answered yet. `onRejected`
 * gets every message that is answered with an error.
 */
export function createStdioTransport(onEnd: () => void, onRejected: OnFinished): StdioTransport {
  const lines = createInterface({ input: process.stdin });
  /** When the requests were read that are not answered yet. */
  const open = new Map<RequestId, number>();
  let waiting: JSONRPCMessage[] | undefined = [];
  let onSettled: () => void = () => {};
  let onFirst: (message: JSONRPCMessage) => void = () => {};
  const first = new Promise<JSONRPCMessage>((resolve) => {
    onFirst = resolve;
  });
  lines.on("line", read);
  lines.once("close", onEnd);

  const transport: StdioTransport = {
    first,
    async start() {
      const messages = waiting ?? [];
      waiting = undefined;
      for (const message of messages) deliver(message);
    },
    async send(message) {
      await write(message);
      if ("method" in message) return;
      report(message, message.id);
      settle(message.id);
    },
    async sendJson(id, json) {
      if (json !== "") await writeLine(json);
      settle(id);
    },
    async close() {
      lines.close();
      transport.onclose?.();
    },
    answered,
  };
  return transport;

  function read(line: string): void {
    if (line.trim() === "") return;
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      return refuse(rpcFailure(ErrorCode.ParseError, "Parse error: the line is not valid JSON"));
    }
    if (!isMessage(json)) {
      const text = "Invalid Request: not a JSON-RPC 2.0 message";
      return refuse(rpcFailure(ErrorCode.InvalidRequest, text, json));
    }
    if (isRequest(json)) open.set(json.id, performance.now());
    onFirst(json);
    if (waiting) waiting.push(json);
    else deliver(json);
  }

  function refuse(failure: object): void {
    void write(failure);
    report(failure);
  }

  function report(answer: object, id?: RequestId): void {
    const error = errorOf(answer);
    if (!error) return;
    const now = performance.now();
    const milliseconds = now - ((id !== undefined && open.get(id)) || now);
    onRejected(rejectedMessage(error, { requestId: createId("req"), surface: "stdio", milliseconds }));
  }

  function deliver(message: JSONRPCMessage): void {
    transport.onmessage?.(message);
    // The protocol never answers what was canceled.
    settle(canceledBy(message));
  }

  function settle(id: RequestId | undefined): void {
    if (id !== undefined) open.delete(id);
    if (open.size === 0) onSettled();
  }

  async function answered(milliseconds: number): Promise<void> {
    if (open.size === 0) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, milliseconds);
      onSettled = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }
}

function write(message: unknown): Promise<void> {
  return writeLine(jsonBytes(message));
}

async function writeLine(json: JsonBytes): Promise<void> {
  if (!process.stdout.write(`${json}\n`, "latin1")) await once(process.stdout, "drain");
}
