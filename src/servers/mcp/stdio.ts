import { once } from "node:events";
import { finished, PassThrough } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import { StdioServerTransport, serveStdio as servePackage } from "@modelcontextprotocol/server/stdio";
import { createRequestId } from "../../ops/ids.ts";
import type { OnFinished } from "../../service/calls/finished-call.ts";
import { isTooDeep, LARGEST_BODY_BYTES, LARGEST_BODY_KIB } from "../http/request.ts";
import { createMcpServer } from "./mcp-server.ts";
import type { Caller, McpTools } from "./mcp-tools.ts";
import { errorAnswer, RpcCode, RpcError, rejectedMessage, tooDeep, type WireError } from "./rpc-errors.ts";

/** Calls in flight at which no further message is read. */
const MOST_IN_FLIGHT = 64;

export type StdioConnection = ReturnType<typeof serveStdio>;

/**
 * Serves MCP on stdin and stdout in the revision that the first message names. Reads no further while the host does not
 * read its answers. `onClosed` is called when the host has disconnected, `onFinished` for every message that is rejected
 * before it becomes a call.
 */
export function serveStdio(
  tools: McpTools,
  caller: Pick<Caller, "bearer" | "principal">,
  onClosed: () => void,
  onFinished: OnFinished,
) {
  const inFlight = new Set<Promise<unknown>>();
  const nextCaller = (): Caller => ({
    surface: "stdio",
    ...caller,
    address: "stdio",
    requestId: createRequestId(),
    admission: "discovery",
  });
  // The SDK's transport drops calls in flight when its input ends, so it gets an input that never ends.
  const input = new PassThrough();
  const transport = new StdioServerTransport(input);
  const { close } = servePackage(() => createMcpServer({ info: tools.info, answer }, nextCaller), { transport });
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    onClosed();
  };
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    if ("error" in message) report(message.error);
    return send(message);
  };
  finished(process.stdin, { writable: false }, onClosed);
  // A failure of stdin ends the process by `finished`.
  const reading = read().catch(() => {});
  return {
    close,
    /** Resolves when all messages read so far are answered, or after `milliseconds`. */
    answered: (milliseconds: number) =>
      Promise.race([allAnswered(), setTimeout(milliseconds, undefined, { ref: false })]),
  };

  async function read(): Promise<void> {
    for await (const line of linesOf(process.stdin)) {
      const refusal = refusalOf(line);
      if (refusal) refuseLine(refusal);
      else input.write(line);
      // Messages reach their handlers.
      await setImmediate();
      while (inFlight.size >= MOST_IN_FLIGHT) await Promise.race(inFlight);
      if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
    }
  }

  function refuseLine({ id, error }: Refused): void {
    report(error);
    process.stdout.write(`${errorAnswer(id, error)}\n`);
  }

  function report(error: WireError): void {
    const rejected = rejectedMessage(error, { requestId: createRequestId(), surface: "stdio", milliseconds: 0 });
    if (rejected) onFinished(rejected);
  }

  async function answer(...request: Parameters<McpTools["answer"]>) {
    const call = tools.answer(...request);
    inFlight.add(call);
    return call.finally(() => inFlight.delete(call));
  }

  async function allAnswered(): Promise<void> {
    if (process.stdin.readableEnded) await reading;
    // Before: messages that were read reach their handlers. After: answers are written.
    await setImmediate();
    while (inFlight.size > 0) await Promise.allSettled(inFlight);
    await setImmediate();
  }
}

/** The error of a line that is not given to the SDK, and the id under which its host waits for an answer. */
interface Refused {
  readonly id: string | number | null;
  readonly error: RpcError;
}

function refusalOf(line: Buffer | undefined): Refused | undefined {
  const tooLarge = `Invalid request: the line is larger than ${LARGEST_BODY_KIB} KiB`;
  if (line === undefined) return { id: null, error: new RpcError(RpcCode.InvalidRequest, tooLarge) };
  let message: { readonly id?: unknown } | null;
  try {
    message = JSON.parse(line.toString());
  } catch {
    // The SDK answers what is not JSON.
    return undefined;
  }
  if (!isTooDeep(message)) return undefined;
  const id = message?.id;
  return { id: typeof id === "string" || typeof id === "number" ? id : null, error: tooDeep() };
}

/** The lines of a stream of bytes with their ends; `undefined` for one that is larger than a message may be. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  // In Latin-1 each byte is a character.
  let begun = "";
  for await (const chunk of stream) {
    const lines = (begun + chunk.toString("latin1")).split("\n");
    // Of a line that is too large no more is kept than shows it.
    begun = (lines.pop() ?? "").slice(0, LARGEST_BODY_BYTES);
    for (const line of lines) yield line.length < LARGEST_BODY_BYTES ? Buffer.from(`${line}\n`, "latin1") : undefined;
  }
}
