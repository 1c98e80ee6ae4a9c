import { finished, PassThrough } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import { StdioServerTransport, serveStdio as servePackage } from "@modelcontextprotocol/server/stdio";
import type { OnFinished } from "../calls/finished-call.ts";
import { createRequestId } from "../ops/ids.ts";
import { createMcpServer } from "./mcp-server.ts";
import type { Caller, GetCaller, McpTools } from "./mcp-tools.ts";
import { rejectedMessage } from "./rpc-errors.ts";

/** Address that rate limits use for calls over stdio. */
const STDIO_ADDRESS = "stdio";

export interface StdioConnection {
  /** Resolves when all messages read so far are answered, or after `milliseconds`. */
  answered(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves MCP on stdin and stdout in the revision that the first message names. `onClosed` is called when the host has
 * disconnected, `onFinished` for every message that is rejected before it becomes a call.
 */
export function serveStdio(
  tools: McpTools,
  caller: Pick<Caller, "bearer" | "principal">,
  onClosed: () => void,
  onFinished: OnFinished,
): StdioConnection {
  const inFlight = new Set<Promise<unknown>>();
  const getCaller: GetCaller = async () => ({
    surface: "stdio",
    ...caller,
    address: STDIO_ADDRESS,
    requestId: createRequestId(),
    admission: "discovery",
  });
  // The SDK's transport drops calls in flight when its input ends, so it gets an input that never ends.
  const input = process.stdin.pipe(new PassThrough(), { end: false });
  finished(process.stdin, { writable: false }, onClosed);
  const transport = new StdioServerTransport(input);
  const { close } = servePackage(() => createMcpServer({ info: tools.info, answer }, getCaller), { transport });
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    onClosed();
  };
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    if ("error" in message) {
      const answered = { requestId: createRequestId(), surface: "stdio", milliseconds: 0 } as const;
      const rejected = rejectedMessage(message.error, answered);
      if (rejected) onFinished(rejected);
    }
    return send(message);
  };
  return {
    close,
    answered: (milliseconds) => Promise.race([allAnswered(), setTimeout(milliseconds, undefined, { ref: false })]),
  };

  async function answer(...request: Parameters<McpTools["answer"]>) {
    const call = tools.answer(...request);
    inFlight.add(call);
    return call.finally(() => inFlight.delete(call));
  }

  async function allAnswered(): Promise<void> {
    // Before: messages that were read reach their handlers. After: answers are written.
    await setImmediate();
    while (inFlight.size > 0) await Promise.allSettled(inFlight);
    await setImmediate();
  }
}
