import {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  ErrorCode,
  isJSONRPCRequest,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import cors from "cors";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { PublicError } from "../contract/errors.ts";
import type { Admit } from "../engine/engine.ts";
import { createJsonTransport } from "./json-transport.ts";
import type { Caller, CreateMcpServer } from "./mcp-server.ts";

const LARGEST_BODY = 128 * 1024;
const LARGEST_BATCH = 20;
/** The last revision with JSON-RPC batches. */
const BATCH_VERSION = "2025-03-26";

export interface StreamableHttpParts {
  readonly createServer: CreateMcpServer;
  readonly admit: Admit;
  /** Reads token, address and request id off a request. */
  callerOf(request: Request, response: Response): Caller;
  /** Address of the resource metadata, told to whoever lacks a token. */
  readonly metadataUrl: string;
  readonly allowedHosts: ReadonlySet<string>;
  readonly allowedOrigins: ReadonlySet<string>;
}

/**
 * MCP over Streamable HTTP without sessions: every POST is answered by a server of its own with plain JSON, so that
 * any process can answer any request. There is no stream to GET and no session to DELETE.
 */
export function createStreamableHttp(parts: StreamableHttpParts): Router {
  const { createServer, admit, callerOf, metadataUrl, allowedHosts, allowedOrigins } = parts;
  const router = express.Router();
  router.use(refuseStrangers);
  router.use(
    cors({
      origin: [...allowedOrigins],
      methods: ["POST"],
      exposedHeaders: ["WWW-Authenticate", "X-Request-Id"],
    }),
  );
  router.post(
    "/",
    authenticate,
    checkHeaders,
    express.json({ limit: LARGEST_BODY, strict: false }),
    refuseBrokenBody,
    answer,
  );
  router.all("/", (request, response, next) => {
    response.setHeader("Allow", "POST");
    next(
      new PublicError("INVALID_REQUEST", `${request.method} is not allowed here. Allowed: POST.`, {
        status: 405,
      }),
    );
  });
  return router;

  /** Against DNS rebinding: a browser's page can choose its own host name and origin, but not ours. */
  function refuseStrangers(request: Request, _response: Response, next: NextFunction): void {
    const host = (request.get("host") ?? "").toLowerCase();
    const origin = request.get("origin");
    if (!allowedHosts.has(host)) return next(stranger("Host", "TRANSFER_ALLOWED_HOSTS"));
    if (origin !== undefined && !allowedOrigins.has(origin.toLowerCase())) {
      return next(stranger("Origin", "TRANSFER_ALLOWED_ORIGINS"));
    }
    next();
  }

  async function authenticate(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      await admit("discovery", callerOf(request, response));
      next();
    } catch (error) {
      // Who is blocked may connect: each of his calls says so, as over REST and stdio.
      if (error instanceof PublicError && error.code === "FORBIDDEN") return next();
      if (error instanceof PublicError && error.code === "AUTHENTICATION_REQUIRED") {
        // Without a scope, so that clients ask for all that the metadata lists: a call cannot ask for more later.
        response.setHeader(
          "WWW-Authenticate",
          `Bearer realm="transfer-quote", resource_metadata="${metadataUrl}"`,
        );
      }
      next(error);
    }
  }

  async function answer(request: Request, response: Response): Promise<void> {
    const messages = messagesOf(request.body, request.get("mcp-protocol-version"));
    if (typeof messages === "string") return sendRpcError(response, 400, ErrorCode.InvalidRequest, messages);
    if (!messages.some(isJSONRPCRequest)) {
      response.status(202).end();
      return;
    }
    const caller = callerOf(request, response);
    const server = createServer(async () => caller);
    const transport = createJsonTransport(messages);
    response.once("close", () => void server.close());
    await server.connect(transport);
    const answers = await transport.answered;
    if (!answers || response.destroyed) return;
    if (answers.length === 0) response.status(202).end();
    else sendJson(response, 200, Array.isArray(request.body) ? answers : answers[0]);
    await server.close();
  }
}

function stranger(header: string, setting: string): PublicError {
  return new PublicError("INVALID_REQUEST", `This ${header} is not allowed here.`, {
    status: 403,
    nextAction: `Use the server's public address, or have the operator add it to ${setting}.`,
  });
}

function checkHeaders(request: Request, response: Response, next: NextFunction): void {
  if (!request.accepts("application/json") || !request.accepts("text/event-stream")) {
    const message = "Not acceptable: send Accept: application/json, text/event-stream";
    return sendRpcError(response, 406, ErrorCode.ConnectionClosed, message);
  }
  if (!request.is("application/json")) {
    return sendRpcError(
      response,
      415,
      ErrorCode.ConnectionClosed,
      "Unsupported media type: send Content-Type: application/json",
    );
  }
  const version = request.get("mcp-protocol-version");
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const message = `Unsupported protocol version; supported: ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")}`;
    return sendRpcError(response, 400, ErrorCode.ConnectionClosed, message);
  }
  next();
}

function refuseBrokenBody(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  const { type, status } = (error ?? {}) as { type?: string; status?: number };
  if (type === "entity.parse.failed")
    return sendRpcError(response, 400, ErrorCode.ParseError, "Parse error: the body is not valid JSON");
  if (status === 413)
    return sendRpcError(response, 413, ErrorCode.InvalidRequest, "The body is larger than 128 KiB");
  next(error);
}

/** The messages of a body, or what is wrong with it. */
function messagesOf(body: unknown, version: string | undefined): readonly JSONRPCMessage[] | string {
  const isBatch = Array.isArray(body);
  if (isBatch && (version ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION) !== BATCH_VERSION)
    return "Batches are not part of this protocol version";
  const list: readonly unknown[] = isBatch ? body : [body];
  if (list.length === 0 || list.length > LARGEST_BATCH) return `A batch holds 1 to ${LARGEST_BATCH} messages`;
  const messages = list.map((message) => JSONRPCMessageSchema.safeParse(message));
  const valid = messages.flatMap(({ success, data }) => (success ? [data] : []));
  if (valid.length < list.length) return "Invalid Request: not a JSON-RPC 2.0 message";
  const ids = valid.filter(isJSONRPCRequest).map(({ id }) => id);
  return new Set(ids).size === ids.length ? valid : "Invalid Request: the same id stands twice";
}

function sendRpcError(response: Response, status: number, code: number, message: string): void {
  sendJson(response, status, { jsonrpc: "2.0", error: { code, message }, id: null });
}

function sendJson(response: Response, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text);
}
