import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CancelledNotificationSchema,
  isJSONRPCRequest,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { toProblem } from "../contract/problem.ts";
import type { Admit, Run } from "../engine/engine.ts";
import { createId } from "../ops/ids.ts";
import type { CreateMcpServer } from "./mcp-server.ts";

/** Address under which a local process's calls are counted. */
export const STDIO_ADDRESS = "stdio";

/** `run` for a connection that no HTTP door has admitted: every call needs the `discovery` scope besides its own. */
export function admittedRun(run: Run, admit: Admit, docsBase: string): Run {
  return async (operation, call) => {
    try {
      await admit("discovery", call);
    } catch (error) {
      const { requestId, instance } = call;
      return { ok: false, problem: toProblem(error, { docsBase, requestId, instance }) };
    }
    return run(operation, call);
  };
}

export interface StdioConnection {
  /** Resolves when all that was read is answered, or after so long. */
  answered(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves MCP on stdin and stdout. `bearer` gives the token whose calls these are. Resolves once connected;
 * `onClosed` is told when the host has gone.
 */
export async function serveStdio(
  createServer: CreateMcpServer,
  bearer: () => Promise<string | null>,
  onClosed: () => void,
): Promise<StdioConnection> {
  const caller = async () => ({ bearer: await bearer(), address: STDIO_ADDRESS, requestId: createId("req") });
  const server = createServer(caller);
  server.onclose = onClosed;
  // The SDK's transport does not notice the end of its input.
  process.stdin.once("end", onClosed);
  const { transport, answered } = counted(new StdioServerTransport());
  await server.connect(transport);
  return { answered, close: () => server.close() };
}

/** The same transport, which knows what was asked and is not answered yet. */
function counted(inner: Transport): { transport: Transport } & Pick<StdioConnection, "answered"> {
  const open = new Set<RequestId>();
  let onSettled: () => void = () => {};

  const transport: Transport = {
    async start() {
      inner.onclose = () => transport.onclose?.();
      inner.onerror = (error) => transport.onerror?.(error);
      inner.onmessage = (message) => {
        if (isJSONRPCRequest(message)) open.add(message.id);
        transport.onmessage?.(message);
        // The protocol never answers what was cancelled.
        settle(CancelledNotificationSchema.safeParse(message).data?.params.requestId);
      };
      await inner.start();
    },
    async send(message) {
      await inner.send(message);
      if (!("method" in message)) settle(message.id);
    },
    close: () => inner.close(),
  };
  return { transport, answered };

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
