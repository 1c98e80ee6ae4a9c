import querystring from "node:querystring";
import { Agent } from "undici";
import { packageVersion } from "../../ops/package-root.ts";

/** A response; `body` is parsed JSON of any shape. */
export interface UpstreamResponse {
  readonly status: number;
  readonly body: unknown;
}

export interface UpstreamRequest {
  readonly method: "GET" | "POST";
  /** Relative to the base address, with its query. */
  readonly path: string;
  /** JSON as text. */
  readonly body: string | undefined;
}

/** No usable response; `transient` where an immediate retry may succeed. */
export class UpstreamFault extends Error {
  override readonly name = "UpstreamFault";
  readonly transient: boolean;

  constructor(message: string, { transient = false, cause }: { transient?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.transient = transient;
  }
}

export const USER_AGENT = `transfer-quote-mcp/${packageVersion}`;

/** Kept-alive connections to foreign services. The caller's signal limits the time of a request. */
export function createAgent(connectMilliseconds: number, maxResponseBytes: number): Agent {
  return new Agent({
    connect: { timeout: connectMilliseconds },
    maxResponseSize: maxResponseBytes,
    // undici's own timers tick in whole seconds.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** The timer of undici may add up to 500. */
const CONNECT_MS = 500;
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Sends one request over kept-alive connections. Rejects with UpstreamFault, or with the reason of `signal`. User,
 * password and query of `baseUrl` are sent with every request and appear in no error.
 */
export function createUpstreamHttp(baseUrl: string) {
  const { origin, pathname, search, username, password } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, "");
  const authorization = username || password ? basicAuthorization(username, password) : undefined;
  const agent = createAgent(CONNECT_MS, MAX_BODY_BYTES);

  return { exchange, close: () => agent.destroy() };

  async function exchange(request: UpstreamRequest, signal: AbortSignal) {
    const { status, text } = await receive(request, signal).catch((error: unknown) => {
      throw signal.aborted ? error : faultOf(error);
    });
    if ([502, 503, 504].includes(status)) throw new UpstreamFault(`HTTP status ${status}`, { transient: true });
    // Redirects are not followed: the operator's setting decides where the service is.
    if (status === 429 || status >= 500 || (status >= 300 && status < 400)) {
      throw new UpstreamFault(`HTTP status ${status}`);
    }
    const response: UpstreamResponse = { status, body: parsed(text, status) };
    return response;
  }

  async function receive({ method, path, body }: UpstreamRequest, signal: AbortSignal) {
    const response = await agent.request({
      origin,
      path: withQuery(`${prefix}${path}`, search.slice(1)),
      method,
      headers: {
        accept: "application/json",
        "user-agent": USER_AGENT,
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      body,
      signal,
    });
    return { status: response.statusCode, text: await response.body.text() };
  }
}

function withQuery(path: string, query: string): string {
  if (query === "") return path;
  return `${path}${path.includes("?") ? "&" : "?"}${query}`;
}

/** From user and password as encoded in a URL. */
export function basicAuthorization(username: string, password: string): string {
  // Unlike decodeURIComponent it accepts a bare "%".
  const pair = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UpstreamFault(`HTTP status ${status} with a body that is not JSON`, { cause });
  }
}

export function faultOf(cause: unknown): UpstreamFault {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  // A retry does not help where the response is not HTTP or too large.
  const transient = code !== "" && !/^(HPE_|UND_ERR_RES_EXCEEDED|UND_ERR_INVALID)/.test(code);
  return new UpstreamFault(`the connection failed${code && ` (${code})`}`, { transient, cause });
}
