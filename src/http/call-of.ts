import { setMaxListeners } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Request, Response } from "express";
import type { Call } from "../calls/call-pipeline.ts";
import type { Surface } from "../calls/finished-call.ts";
import { loggablePath } from "../ops/log.ts";
import { traceOf } from "../ops/tracing.ts";

const API = /^(?:\w+:\/\/[^/]*)?\/api\//i;
const MCP = /^(?:\w+:\/\/[^/]*)?\/mcp(?:[/?]|$)/i;

type CallerOfRequest = Pick<Call, "bearer" | "address" | "requestId" | "trace">;

/** Token, address, request id and trace of a request. */
export function callerOf(request: Request, response: Response): CallerOfRequest {
  const trace = traceOf(request.headers);
  return { bearer: bearerOf(request), address: addressOf(request), requestId: requestIdOf(response), trace };
}

/** Express's own answer, which prepares for proxies, only where one has forwarded the request: 1 % of a GET. */
function addressOf(request: Request): string {
  const address = request.headers["x-forwarded-for"] === undefined ? request.socket.remoteAddress : request.ip;
  return address ?? "";
}

/** A request as a call of the pipeline. */
export function callOf(request: Request, response: Response, input: Call["input"], successStatus: number): Call {
  const [instance, signal] = [loggablePath(request.originalUrl), signalOf(request)];
  return { surface: "rest", successStatus, instance, signal, input, ...callerOf(request, response) };
}

const disconnects = new WeakMap<Socket, AbortSignal>();

/** Aborts when the caller disconnects. All calls of a connection share it: one for each took 5 % of a GET. */
export function signalOf({ socket }: IncomingMessage): AbortSignal {
  const known = disconnects.get(socket);
  if (known) return known;
  const disconnected = new AbortController();
  const abort = () => disconnected.abort(new Error("the caller has disconnected"));
  if (socket.destroyed) abort();
  else socket.once("close", abort);
  setMaxListeners(0, disconnected.signal);
  disconnects.set(socket, disconnected.signal);
  return disconnected.signal;
}

/**
 * What follows the scheme of an `Authorization: Bearer …` header, malformed tokens included, or `null` without one. The
 * scheme matches in any case (RFC 9110, 11.1).
 */
export function bearerOf({ headers }: IncomingMessage): string | null {
  return /^bearer +(\S.*)$/i.exec(headers.authorization?.trimEnd() ?? "")?.[1] ?? null;
}

/** The surface that an address belongs to. */
export function surfaceOf(url: string): Surface {
  if (API.test(url)) return "rest";
  return MCP.test(url) ? "mcp" : "http";
}

export function requestIdOf(response: Response): string {
  return String(response.getHeader("X-Request-Id") ?? "");
}
