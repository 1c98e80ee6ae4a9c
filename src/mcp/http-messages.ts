import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from "express";
import type { OnFinished } from "../calls/finished-call.ts";
import { BODY_TOO_LARGE } from "../http/body-limit.ts";
import { callerOf, signalOf } from "../http/call-of.ts";
import { createJsonReader } from "../http/json-reader.ts";
import { sendJsonBytes } from "../http/send.ts";
import { ErrorCode, isRequest } from "./json-rpc.ts";
import { createJsonTransport, exchange } from "./json-transport.ts";
import type { Caller, McpTools } from "./mcp-tools.ts";
import type { createNewerRevision } from "./newer-revision.ts";
import { messagesOf } from "./older-messages.ts";
import { createOlderServer } from "./older-server.ts";
import { isNewer, REVISIONS, revisionsOf } from "./revision.ts";
import { rpcFailure } from "./rpc-failure.ts";
import { createSendAnswers } from "./send-answers.ts";
import { answerToolRequest, isToolRequest } from "./tool-request.ts";

/**
 * Reads the body of a POST and answers its messages with plain JSON, in the protocol revision that they name. No POST
 * shares a protocol server with another, so that any process can answer any request. `onFinished` gets the messages that
 * never became a call.
 */
export function httpMessages(tools: McpTools, onFinished: OnFinished): (RequestHandler | ErrorRequestHandler)[] {
  const send = createSendAnswers(onFinished);
  let newerRevision: Promise<ReturnType<typeof createNewerRevision>> | undefined;
  // Parses a body of any Content-Type, so that the error about the type carries the id of the request.
  const readBody = createJsonReader();
  return [readBody, rejectBrokenBody, checkHeaders, answer];

  async function answer(request: Request, response: Response): Promise<void> {
    const revisions = revisionsOf(request.get("mcp-protocol-version"));
    if (isNewer(request.body, revisions)) {
      newerRevision ??= import("./newer-revision.ts").then((newer) => newer.createNewerRevision(tools));
      if (await (await newerRevision).answer(request, response, admittedCaller(request, response), send)) return;
    }
    if (revisions.some((revision) => !REVISIONS.includes(revision))) {
      const message = `Unsupported protocol version; supported: ${REVISIONS.join(", ")}`;
      return fail(request, response, 400, ErrorCode.ConnectionClosed, message);
    }
    await answerOlder(request, response, revisions);
  }

  async function answerOlder(request: Request, response: Response, revisions: readonly string[]) {
    const messages = messagesOf(request.body, revisions);
    if (typeof messages === "string") return fail(request, response, 400, ErrorCode.InvalidRequest, messages);
    if (!messages.some(isRequest)) return void response.status(202).end();
    const caller = admittedCaller(request, response);
    const [message] = messages;
    if (message && !Array.isArray(request.body) && isToolRequest(message)) {
      const answer = await answerToolRequest(tools, message, async () => caller, signalOf(request));
      if (typeof answer !== "string") return send(response, 200, answer);
      if (!response.destroyed) sendJsonBytes(response, 200, answer);
      return;
    }
    const server = createOlderServer(tools, async () => caller);
    const answers = await exchange(server, createJsonTransport(messages, {}), response);
    if (!answers || response.destroyed) return;
    const [first] = answers;
    if (!first) response.status(202).end();
    else send(response, 200, Array.isArray(request.body) ? answers : first);
  }

  function checkHeaders(request: Request, response: Response, next: NextFunction): void {
    if (!request.is("application/json")) {
      const message = "Unsupported media type: send Content-Type: application/json";
      return fail(request, response, 415, ErrorCode.ConnectionClosed, message);
    }
    if (!request.accepts("application/json")) {
      const message = "Not acceptable: send Accept: application/json, text/event-stream";
      return fail(request, response, 406, ErrorCode.ConnectionClosed, message);
    }
    next();
  }

  function rejectBrokenBody(error: unknown, request: Request, response: Response, next: NextFunction): void {
    const { type, status } = (error ?? {}) as { type?: string; status?: number };
    if (status === 413) return fail(request, response, 413, ErrorCode.InvalidRequest, BODY_TOO_LARGE);
    if (type !== "entity.parse.failed") return next(error);
    if (!request.is("application/json")) return checkHeaders(request, response, next);
    fail(request, response, 400, ErrorCode.ParseError, "Parse error: the body is not valid JSON");
  }

  function fail(request: Request, response: Response, status: number, code: number, message: string): void {
    send(response, status, rpcFailure(code, message, request.body));
  }
}

/** With the principal that `admit` has found: the token is verified once. */
function admittedCaller(request: Request, response: Response): Caller {
  return { surface: "mcp", principal: response.locals.principal, ...callerOf(request, response) };
}
