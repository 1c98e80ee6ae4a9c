/** JSON-RPC with the host, which shows this page in a frame (MCP Apps, 2026-01-26). */

const GIVE_UP_MILLISECONDS = 60_000;

/** The host has not answered in time. */
export class LateAnswer extends Error {}

type Params = Readonly<Record<string, unknown>>;

/** What the host can do for the card. */
export interface Capabilities {
  readonly serverTools?: object;
  readonly updateModelContext?: object;
  readonly message?: object;
}

/** What the host says of itself: later contexts contain only what has changed. */
export interface HostContext {
  readonly locale?: string;
  readonly theme?: string;
  readonly displayMode?: "inline" | "fullscreen";
  readonly availableDisplayModes?: string[];
  readonly styles?: { readonly variables?: Readonly<Record<string, unknown>> };
  readonly safeAreaInsets?: Readonly<Record<string, number>>;
}

export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: object;
  readonly content?: readonly { readonly text?: string }[];
  readonly _meta?: object;
}

export type Host = ReturnType<typeof connectHost>;

/**
 * What a tool returned, or the problem document of an error; `undefined` where it cannot be read. Some hosts omit the
 * structured content: the last text is the same as JSON.
 */
export function contentOf({ structuredContent, content }: ToolResult): object | undefined {
  try {
    return structuredContent ?? JSON.parse(content?.at(-1)?.text ?? "");
  } catch {
    return undefined;
  }
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly code: number; readonly message: string };
}

export function connectHost(parent: Window) {
  const waiting = new Map<number, (message: Message) => void>();
  const handlers = new Map<string, (params: Params) => void>([["ping", () => {}]]);
  let lastId = 0;
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== "2.0") return;
    if (typeof data.method === "string") receive(data);
    else waiting.get(data.id)?.(data);
  });

  return {
    /** Calls `handler` with the params of each message with this method. */
    on: (method: string, handler: (params: Params) => void) => handlers.set(method, handler),
    notify: (method: string, params: Params = {}) => send({ method, params }),
    /** Resolves with the result; rejects with the host's error, or with a LateAnswer after `milliseconds`. */
    request(method: string, params: Params, milliseconds = GIVE_UP_MILLISECONDS): Promise<Params> {
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(id);
          reject(new LateAnswer("no answer"));
        }, milliseconds);
        waiting.set(id, ({ result, error }) => {
          clearTimeout(late);
          waiting.delete(id);
          if (error) reject(new Error(error.message));
          else resolve(result ?? {});
        });
        send({ id, method, params });
      });
    },
  };

  function receive({ id, method = "", params }: Message): void {
    const handler = handlers.get(method);
    handler?.(params ?? {});
    if (id === undefined) return;
    send(handler ? { id, result: {} } : { id, error: { code: -32601, message: "Method not found" } });
  }

  /** Sends to any origin, because a sandboxed frame cannot learn the origin of its host. */
  function send(message: Message): void {
    parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }
}
