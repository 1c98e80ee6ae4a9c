import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  JSONRPCMessageSchema,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS as OLDER_REVISIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from "express";
import type { OnFinished } from "../calls/finished-call.ts";
import { readJson } from "../http/app.ts";
import { BODY_TOO_LARGE } from "../http/http-server.ts";
import { callerOf, requestIdOf, signalOf } from "../http/request.ts";
import { type Caller, type McpTools, METHODS } from "./mcp-tools.ts";
import { RpcCode, RpcError, rejectedMessage } from "./rpc-errors.ts";
import { CAPABILITIES, instructions } from "./server-info.ts";

/** The protocol revision without `initialize`: every request has the revision and the client in `_meta`. */
const NEWER_REVISION = "2026-07-28";
const REVISIONS: readonly string[] = [NEWER_REVISION, ...OLDER_REVISIONS];
const LAST_WITH_BATCHES = "2025-03-26";
/** Methods that the older revisions do not have. */
const NEWER_METHODS: readonly unknown[] = ["server/discover", "subscriptions/listen"];
/** Key in `_meta` for the revision of a request. */
const REVISION_KEY = "io.modelcontextprotocol/protocolVersion";
/** Shared by all servers, each of which would otherwise create its own. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/**
 * Reads the body of a POST and answers its messages with plain JSON, in the protocol revision that they name. Requests
 * share no state, so that any process can answer any of them. `onFinished` is called for every message that is rejected
 * before it becomes a call.
 */
export function httpMessages(tools: McpTools, onFinished: OnFinished): (RequestHandler | ErrorRequestHandler)[] {
  return [readJson, rejectBrokenBody, checkHeaders, answer];

  async function answer(request: Request, response: Response): Promise<void> {
    const { body } = request;
    const revisions = revisionsOf(request.get("mcp-protocol-version"));
    // `admit` has verified the token already.
    const caller: Caller = { surface: "mcp", principal: response.locals.principal, ...callerOf(request, response) };
    if (isNewer(body, revisions)) {
      const { answerNewer } = await import("./mcp-server.ts");
      const sent = newerRequest(response, revisions);
      return forward(await answerNewer(tools, async () => caller, sent, body), response);
    }
    if (revisions.some((revision) => !REVISIONS.includes(revision))) {
      const message = `Unsupported protocol version; supported: ${REVISIONS.join(", ")}`;
      return fail(response, 400, RpcCode.BadRequest, message);
    }
    if (isJSONRPCRequest(body) && body.method === "initialize" && !isInitializeRequest(body)) {
      const message = "params must have protocolVersion, capabilities and clientInfo";
      return fail(response, 400, RpcCode.InvalidParams, message);
    }
    if (isJSONRPCRequest(body) && METHODS.includes(body.method)) return answerPlainCall(body, caller, response);
    const messages = Array.isArray(body) ? body : [body];
    if (messages.length === 0 || !messages.every((each) => JSONRPCMessageSchema.safeParse(each).success)) {
      return fail(response, 400, RpcCode.InvalidRequest, "Invalid request: the body is not a JSON-RPC message");
    }
    if (Array.isArray(body) && revisions.some((revision) => revision > LAST_WITH_BATCHES)) {
      return fail(response, 400, RpcCode.InvalidRequest, "Invalid request: this protocol version has no batches");
    }
    // The SDK would return one result of two with the same id.
    const ids = messages.filter((each) => isJSONRPCRequest(each)).map(({ id }) => id);
    if (new Set(ids).size < ids.length) {
      return fail(response, 400, RpcCode.InvalidRequest, "Invalid request: the ids of a batch must differ");
    }
    const revision = revisions.find((each) => each !== NEWER_REVISION);
    await forward(await answerOlder(webRequest(response, revision), body, caller), response);
  }

  /** Gives the same answer as the SDK's server, without creating a server and a transport. */
  async function answerPlainCall(request: JSONRPCRequest, caller: Caller, response: Response): Promise<void> {
    const { id, method, params } = request;
    try {
      if (method === "tools/list" && params?.task === undefined && !params?.cursor) {
        const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
        const bytes = Buffer.concat([head, tools.toolListJson(), Buffer.from("}")]);
        return void response.type("json").send(bytes);
      }
      const result = await tools.answer(request, async () => caller, signalOf(response));
      send(response, 200, { jsonrpc: "2.0", id, result });
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, data } = error;
      send(response, 200, { jsonrpc: "2.0", id, error: { code, message, data } });
    }
  }

  /** Answers any message of the revisions up to 2025-11-25 with the SDK. */
  async function answerOlder(request: globalThis.Request, body: unknown, caller: Caller): Promise<globalThis.Response> {
    const server = new Server(tools.info, { capabilities: CAPABILITIES, instructions, jsonSchemaValidator });
    server.fallbackRequestHandler = (message, { signal }) => tools.answer(message, async () => caller, signal);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    request.signal.addEventListener("abort", () => void server.close());
    // Without notifications, since the SDK never answers a batch in which one message cancels another.
    const parsedBody = Array.isArray(body) ? body.filter((each) => !isJSONRPCNotification(each)) : body;
    const answer = await transport.handleRequest(request, { parsedBody });
    await server.close();
    return answer;
  }

  function checkHeaders(request: Request, response: Response, next: NextFunction): void {
    if (!request.is("application/json")) {
      return fail(response, 415, RpcCode.BadRequest, "Unsupported media type: send Content-Type: application/json");
    }
    if (!request.accepts("application/json")) {
      return fail(response, 406, RpcCode.BadRequest, "Not acceptable: send Accept: application/json");
    }
    next();
  }

  function rejectBrokenBody(error: unknown, request: Request, response: Response, next: NextFunction): void {
    const { type, status } = (error ?? {}) as { type?: string; status?: number };
    if (status === 413) return fail(response, 413, RpcCode.InvalidRequest, BODY_TOO_LARGE);
    if (type !== "entity.parse.failed") return next(error);
    if (!request.is("application/json")) return checkHeaders(request, response, next);
    fail(response, 400, RpcCode.ParseError, "Parse error: the body is not valid JSON");
  }

  function fail(response: Response, status: number, code: number, message: string): void {
    const { body } = response.req;
    const id = isJSONRPCRequest(body) ? body.id : null;
    send(response, status, { jsonrpc: "2.0", id, error: { code, message } });
  }

  async function forward(answer: globalThis.Response, response: Response): Promise<void> {
    const [type, text] = [answer.headers.get("content-type"), await answer.text()];
    if (type === "application/json") {
      const answers = JSON.parse(text);
      // The SDK returns the result of a batch of one without its list.
      const isList = Array.isArray(response.req.body) && answer.status === 200;
      return send(response, answer.status, isList ? [answers].flat() : answers);
    }
    response.status(answer.status);
    if (type !== null) response.setHeader("Content-Type", type);
    response.end(text);
  }

  /** Sends a JSON-RPC message or a batch, and reports its errors to `onFinished`. */
  function send(response: Response, status: number, answers: object | readonly object[]): void {
    const milliseconds = performance.now() - response.locals.startedAt;
    const answered = { requestId: requestIdOf(response), surface: "mcp", milliseconds, status } as const;
    for (const { error } of [answers].flat() as readonly Partial<JSONRPCErrorResponse>[]) {
      if (error) onFinished(rejectedMessage(error, answered));
    }
    response.status(status).json(answers);
  }
}

/** The distinct revisions in an `MCP-Protocol-Version` header: some hosts and proxies send it repeatedly. */
function revisionsOf(header: string | undefined): readonly string[] {
  return [...new Set(header?.split(",").map((value) => value.trim()))];
}

/**
 * Whether a message is served in the newer revision. Its metadata decide; a header that contradicts them is rejected.
 * The header alone does not decide, because some hosts send the newest revision that they know after `initialize` has
 * negotiated an older one.
 */
function isNewer(message: unknown, headerRevisions: readonly string[]): boolean {
  const { method, params } = (message ?? {}) as {
    method?: unknown;
    params?: { _meta?: Record<string, unknown> } | null;
  };
  const claim = params?._meta?.[REVISION_KEY];
  if (claim !== undefined) return typeof claim !== "string" || !OLDER_REVISIONS.includes(claim);
  return headerRevisions.join() === NEWER_REVISION && NEWER_METHODS.includes(method);
}

/**
 * A request of the newer revision as the SDK reads it. Hosted connectors of a large client keep the header of an older
 * revision after `server/discover`: such a request is read as if its header named the newer one, and as if it had the
 * headers that the older one does not know.
 */
function newerRequest(response: Response, revisions: readonly string[]): globalThis.Request {
  const [revision = "", ...others] = revisions;
  if (others.length > 0 || !OLDER_REVISIONS.includes(revision)) return webRequest(response, revisions.join());
  const { method, params = {} } = response.req.body as Partial<JSONRPCRequest>;
  const name = method === "resources/read" ? params.uri : params.name;
  return webRequest(response, NEWER_REVISION, {
    "Mcp-Method": typeof method === "string" && /^[\w/]+$/.test(method) ? method : undefined,
    // Encoded, because a name may have characters that a header may not.
    "Mcp-Name": typeof name === "string" ? `=?base64?${Buffer.from(name).toString("base64")}?=` : undefined,
  });
}

/** The request as the SDK reads it, with one revision at most; `absent` are the headers that it has if none were sent. */
function webRequest(
  response: Response,
  revision: string | undefined,
  absent: Readonly<Record<string, string | undefined>> = {},
): globalThis.Request {
  const { req: request } = response;
  const headers = {
    "Content-Type": "application/json",
    // The SDK requires clients to accept both types, but every answer is JSON.
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": revision,
    "Mcp-Method": request.get("mcp-method") ?? absent["Mcp-Method"],
    "Mcp-Name": request.get("mcp-name") ?? absent["Mcp-Name"],
  };
  const sent = Object.entries(headers).filter((each): each is [string, string] => each[1] !== undefined);
  return new globalThis.Request("http://localhost/mcp", { method: "POST", headers: sent, signal: signalOf(response) });
}
