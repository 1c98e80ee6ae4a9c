import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
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

/**
 * Serves MCP on stdin and stdout. `bearer` gives the token whose calls these are. Resolves once connected;
 * `onClosed` is told when the host has gone.
 */
export async function serveStdio(
  createServer: CreateMcpServer,
  bearer: () => Promise<string | null>,
  onClosed: () => void,
): Promise<() => Promise<void>> {
  const caller = async () => ({ bearer: await bearer(), address: STDIO_ADDRESS, requestId: createId("req") });
  const server = createServer(caller);
  server.onclose = onClosed;
  // The SDK's transport does not notice the end of its input.
  process.stdin.once("end", onClosed);
  await server.connect(new StdioServerTransport());
  return () => server.close();
}
