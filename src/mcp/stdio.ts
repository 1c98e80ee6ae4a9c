import type { Admit, Run } from "../calls/call-pipeline.ts";
import type { OnFinished } from "../calls/finished-call.ts";
import { hiddenCauseOf } from "../calls/hidden-cause.ts";
import { toProblem } from "../contract/problem.ts";
import { createId } from "../ops/ids.ts";
import type { GetCaller, McpTools } from "./mcp-tools.ts";
import { serveOlderStdio } from "./older-stdio.ts";
import { claimedRevision, NEWER_REVISION } from "./revision.ts";
import { createStdioTransport, type StdioTransport } from "./stdio-transport.ts";

/** Address under which a local process's calls are counted. */
const STDIO_ADDRESS = "stdio";

/** `run` for a connection without HTTP admission: every call needs the `discovery` scope besides its own. */
export function admittedRun(run: Run, admit: Admit, docsBase: string, onFinished: OnFinished): Run {
  return async (operation, call) => {
    const started = performance.now();
    try {
      await admit("discovery", call);
    } catch (error) {
      const { requestId, instance, surface } = call;
      const problem = toProblem(error, { docsBase, requestId, instance });
      const milliseconds = performance.now() - started;
      const cause = hiddenCauseOf(error);
      const { status, code } = problem;
      onFinished({ requestId, surface, operation: operation.name, status, code, milliseconds, cause });
      return { ok: false, problem };
    }
    return run(operation, call);
  };
}

export type StdioConnection = Pick<StdioTransport, "answered" | "close">;

/**
 * Serves MCP on stdin and stdout in the revision that the first message names. `bearer` returns the token that
 * authorizes the calls; `onClosed` is called when the host has disconnected, `onFinished` for the messages that never
 * became a call.
 */
export function serveStdio(
  tools: McpTools,
  bearer: () => Promise<string | null>,
  onClosed: () => void,
  onFinished: OnFinished,
): StdioConnection {
  const getCaller: GetCaller = async () => ({
    surface: "stdio",
    bearer: await bearer(),
    address: STDIO_ADDRESS,
    requestId: createId("req"),
  });
  const transport = createStdioTransport(onClosed, onFinished);
  void connect(tools, transport, getCaller);
  return transport;
}

async function connect(tools: McpTools, transport: StdioTransport, getCaller: GetCaller): Promise<void> {
  if (claimedRevision(await transport.first) !== NEWER_REVISION) return serveOlderStdio(tools, transport, getCaller);
  const { createNewerRevision } = await import("./newer-revision.ts");
  createNewerRevision(tools).serveStdio(transport, getCaller);
}
