import querystring from "node:querystring";
import { Agent } from "undici";

/** What an engine answered; `body` is parsed JSON of any shape. */
export interface EngineAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface EngineRequest {
  readonly method: "GET" | "POST";
  /** From the engine's base address on, with its query. */
  readonly path: string;
  /** JSON as text. */
  readonly body: string | undefined;
}

/** No usable answer came from an engine; `passing` where the same call may well succeed at once. */
export class EngineFault extends Error {
  override readonly name = "EngineFault";
  readonly passing: boolean;

  constructor(message: string, { passing = false, cause }: { passing?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.passing = passing;
  }
}

export interface EngineHttpOptions {
  /** Its user, password and query go with every request, and into no error. */
  readonly baseUrl: string;
  readonly userAgent: string;
  /** Milliseconds; measured coarsely, up to 500 more. */
  readonly connectMs: number;
  readonly maxBodyBytes: number;
}

/** One request and its JSON answer, over kept connections. Rejects with EngineFault, or as `signal` aborts. */
export function createEngineHttp({ baseUrl, userAgent, connectMs, maxBodyBytes }: EngineHttpOptions) {
  const { origin, pathname, search, username, password } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, "");
  const authorization = username || password ? basicAuthorization(username, password) : undefined;
  const agent = new Agent({
    connect: { timeout: connectMs },
    maxResponseSize: maxBodyBytes,
    // The time limit of a call is its signal's alone; undici's own timers tick in whole seconds.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  return { exchange, close: () => agent.destroy() };

  async function exchange(request: EngineRequest, signal: AbortSignal): Promise<EngineAnswer> {
    const { status, text } = await receive(request, signal).catch((error: unknown) => {
      throw signal.aborted ? error : faultOf(error);
    });
    if ([502, 503, 504].includes(status)) throw new EngineFault(`HTTP status ${status}`, { passing: true });
    // Redirects are not followed: an engine moves when its setting does.
    if (status === 429 || status >= 500 || (status >= 300 && status < 400)) {
      throw new EngineFault(`HTTP status ${status}`);
    }
    return { status, body: parsed(text, status) };
  }

  async function receive({ method, path, body }: EngineRequest, signal: AbortSignal) {
    const response = await agent.request({
      origin,
      path: withQuery(`${prefix}${path}`, search.slice(1)),
      method,
      headers: {
        accept: "application/json",
        "user-agent": userAgent,
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

/** User and password as they stand in a URL. */
function basicAuthorization(username: string, password: string): string {
  // Unlike decodeURIComponent it takes a bare "%" as it is.
  const pair = `${querystring.unescape(username)}:${querystring.unescape(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new EngineFault(`HTTP status ${status} with a body that is no JSON`, { cause });
  }
}

function faultOf(cause: unknown): EngineFault {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  // An answer that is no HTTP, or longer than is read, would be the same a second time.
  const passing = code !== "" && !/^(HPE_|UND_ERR_RES_EXCEEDED|UND_ERR_INVALID)/.test(code);
  return new EngineFault(`the connection failed${code && ` (${code})`}`, { passing, cause });
}
