/**
 * MCP messages over HTTP, and which protocol revision goes where:
 *
 * - 2026-07-28, which a message names in its `_meta`, is answered by `answerNewer` of mcp-server.ts.
 * - The revisions up to 2025-11-25, by its `createOlderAnswers`. Up to 2025-03-26 a body may be a batch, whose messages
 *   are answered in turn.
 *
 * Over stdio (stdio.ts) the SDK answers every revision, which the first message decides.
 */
import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCErrorResponse,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS as OLDER_REVISIONS,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server";
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from "express";
import { PublicError } from "../../contract/errors.ts";
import type { OnFinished } from "../../service/calls/finished-call.ts";
import { readJson } from "../http/app.ts";
import { BODY_TOO_LARGE, callerOf, requestIdOf, signalOf } from "../http/request.ts";
import { sendJson } from "../http/send.ts";
import { answerNewer, createOlderAnswers } from "./mcp-server.ts";
import type { Caller, McpTools } from "./mcp-tools.ts";
import { BAD_REQUEST, errorAnswer, RpcCode, RpcError, rejectedMessage, tooDeep, type WireError } from "./rpc-errors.ts";

/** The protocol revision without `initialize`: every request has the revision and the client in `_meta`. */
const NEWER_REVISION = "2026-07-28";
export const REVISIONS: readonly string[] = [NEWER_REVISION, ...OLDER_REVISIONS];
const LAST_WITH_BATCHES = "2025-03-26";
const LARGEST_BATCH = 100;
/** Bytes of a batch's answer after which no further message of it is answered. */
const BATCH_ANSWER_BYTES = 1024 * 1024;
/** Methods that the older revisions do not have. */
const NEWER_METHODS: readonly unknown[] = ["server/discover", "subscriptions/listen"];

/**
 * Reads the body of a POST and answers its messages with plain JSON, in the protocol revision that they name. Requests
 * share no state, so that any process can answer any of them. `onFinished` is called for every message that is rejected
 * before it becomes a call.
 */
export function httpMessages(tools: McpTools, onFinished: OnFinished): (RequestHandler | ErrorRequestHandler)[] {
  return [...readJson, rejectBrokenBody, checkHeaders, answer];

  async function answer(request: Request, response: Response): Promise<void> {
    const body: unknown = request.body;
    const revisions = revisionsOf(request.get("mcp-protocol-version"));
    // `admit` has verified the token already.
    const caller: Caller = { surface: "mcp", principal: response.locals.principal, ...callerOf(request, response) };
    if (isNewer(body, revisions)) return answerInNewer(body, newerRequest(response, revisions), caller, response);
    const refusal = refusalOf(body, revisions);
    if (refusal) return fail(response, 400, refusal);
    const requests = [body].flat().filter(isJSONRPCRequest);
    if (requests.length === 0) return void response.status(202).end();
    const answers = await answersOf(requests, caller, response);
    sendJson(response.status(200), Array.isArray(body) ? `[${answers.join()}]` : (answers[0] ?? ""));
  }

  /** The answers to requests of the older revisions, as JSON, in their order. */
  async function answersOf(
    requests: readonly JSONRPCRequest[],
    caller: Caller,
    response: Response,
  ): Promise<readonly string[]> {
    const older = createOlderAnswers(tools, caller, signalOf(response), (error) => report(error, response));
    const answers: string[] = [];
    let bytes = 0;
    for (const request of requests) {
      const isFull = bytes > BATCH_ANSWER_BYTES;
      const answer = isFull ? errorAnswer(request.id, ANSWER_TOO_LARGE) : await older.answer(request);
      bytes += Buffer.byteLength(answer);
      answers.push(answer);
    }
    await older.close();
    return answers;
  }

  async function answerInNewer(body: unknown, request: globalThis.Request, caller: Caller, response: Response) {
    const answered = await answerNewer(tools, caller, request, body);
    const [type, text] = [answered.headers.get("content-type"), await answered.text()];
    if (type === "application/json") {
      const { error } = JSON.parse(text) as Partial<JSONRPCErrorResponse>;
      if (error) report(error, response, answered.status);
      return sendJson(response.status(answered.status), text);
    }
    response.status(answered.status);
    if (type !== null) response.setHeader("Content-Type", type);
    response.end(text);
  }

  function checkHeaders(request: Request, response: Response, next: NextFunction): void {
    if (!request.is("application/json")) {
      const message = "Unsupported media type: send Content-Type: application/json";
      return fail(response, 415, new RpcError(BAD_REQUEST, message));
    }
    if (!request.accepts("application/json")) {
      return fail(response, 406, new RpcError(BAD_REQUEST, "Not acceptable: send Accept: application/json"));
    }
    next();
  }

  function rejectBrokenBody(error: unknown, request: Request, response: Response, next: NextFunction): void {
    const { type, status } = (error ?? {}) as { type?: string; status?: number };
    if (error instanceof PublicError) return fail(response, 400, tooDeep());
    if (status === 413) return fail(response, 413, new RpcError(RpcCode.InvalidRequest, BODY_TOO_LARGE));
    if (type !== "entity.parse.failed") return next(error);
    if (!request.is("application/json")) return checkHeaders(request, response, next);
    fail(response, 400, new RpcError(RpcCode.ParseError, "Parse error: the body is not valid JSON"));
  }

  function fail(response: Response, status: number, error: RpcError): void {
    const { body } = response.req;
    report(error, response, status);
    sendJson(response.status(status), errorAnswer(isJSONRPCRequest(body) ? body.id : null, error));
  }

  function report(error: WireError, response: Response, status = 200): void {
    const milliseconds = performance.now() - response.locals.startedAt;
    const rejected = rejectedMessage(error, { requestId: requestIdOf(response), surface: "mcp", milliseconds }, status);
    if (rejected) onFinished(rejected);
  }
}

const ANSWER_TOO_LARGE = new RpcError(
  RpcCode.InvalidRequest,
  "Invalid request: the answer of a batch has at most 1 MiB; this message was not run, send it again in another batch",
);

/** Why a body is not served in the older revisions; `undefined` if it is. */
function refusalOf(body: unknown, revisions: readonly string[]): RpcError | undefined {
  if (revisions.some((revision) => !REVISIONS.includes(revision))) {
    const message = `Unsupported protocol version; supported: ${REVISIONS.join(", ")}`;
    return new RpcError(BAD_REQUEST, message);
  }
  if (isJSONRPCRequest(body)) {
    if (body.method !== "initialize" || isInitializeRequest(body)) return undefined;
    return new RpcError(RpcCode.InvalidParams, "params must have protocolVersion, capabilities and clientInfo");
  }
  const problem = Array.isArray(body) ? batchProblem(body, revisions) : isMessage(body) ? undefined : NO_MESSAGE;
  return problem === undefined ? undefined : new RpcError(RpcCode.InvalidRequest, `Invalid request: ${problem}`);
}

const NO_MESSAGE = "the body is not a JSON-RPC message";

function batchProblem(messages: readonly unknown[], revisions: readonly string[]): string | undefined {
  if (messages.length === 0 || !messages.every(isMessage)) return NO_MESSAGE;
  if (messages.length > LARGEST_BATCH) return `the batch has more than ${LARGEST_BATCH} messages`;
  if (revisions.some((revision) => revision > LAST_WITH_BATCHES)) return "this protocol version has no batches";
  const requests = messages.filter(isJSONRPCRequest);
  if (requests.some(({ method }) => method === "initialize")) return "initialize is sent by itself, not in a batch";
  if (new Set(requests.map(({ id }) => id)).size < requests.length) return "the ids of a batch must differ";
  return undefined;
}

function isMessage(value: unknown): boolean {
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);
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
  const claim = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (claim !== undefined) return typeof claim !== "string" || !OLDER_REVISIONS.includes(claim);
  return headerRevisions.join() === NEWER_REVISION && NEWER_METHODS.includes(method);
}

/**
 * A request of the newer revision as the SDK reads it. Hosted connectors of a large client keep the header of an older
 * revision after `server/discover`: such a request is read as if its header named the newer one, and as if it had the
 * headers that the older one does not know.
 */
function newerRequest(response: Response, revisions: readonly string[]): globalThis.Request {
  const { req: request } = response;
  const { method, params = {} } = request.body as Partial<JSONRPCRequest>;
  const name = method === "resources/read" ? params.uri : params.name;
  const namesOlder = revisions.length === 1 && OLDER_REVISIONS.includes(revisions.join());
  const absent = namesOlder
    ? {
        method: typeof method === "string" && /^[\w/]+$/.test(method) ? method : undefined,
        // Encoded, because a name may have characters that a header may not.
        name: typeof name === "string" ? `=?base64?${Buffer.from(name).toString("base64")}?=` : undefined,
      }
    : undefined;
  const headers = {
    "Content-Type": "application/json",
    // The SDK requires clients to accept both types, but every answer is JSON.
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": namesOlder ? NEWER_REVISION : revisions.join(),
    "Mcp-Method": request.get("mcp-method") ?? absent?.method,
    "Mcp-Name": request.get("mcp-name") ?? absent?.name,
  };
  const sent = Object.entries(headers).filter((each): each is [string, string] => each[1] !== undefined);
  return new globalThis.Request("http://localhost/mcp", { method: "POST", headers: sent, signal: signalOf(response) });
}
