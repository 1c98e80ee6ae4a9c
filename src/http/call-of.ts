import type { IncomingMessage } from "node:http";
import type { Request, Response } from "express";
import type { Call } from "../calls/call-pipeline.ts";
import { loggablePath } from "../ops/log.ts";

/** Token, address and request id of a request. */
export function callerOf(request: Request, response: Response): Pick<Call, "bearer" | "address" | "requestId"> {
  return { bearer: bearerOf(request), address: request.ip ?? "", requestId: requestIdOf(response) };
}

/** A request as a call of the pipeline, without its arguments. */
export function callOf(request: Request, response: Response): Omit<Call, "input"> {
  return { ...callerOf(request, response), instance: loggablePath(request.originalUrl), signal: signalOf(response) };
}

/** Aborts when the caller disconnects before the response was sent. */
export function signalOf(response: Response): AbortSignal {
  const disconnected = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) disconnected.abort(new Error("the caller has disconnected"));
  });
  return disconnected.signal;
}

/**
 * What follows the scheme of an `Authorization: Bearer …` header, malformed tokens included, or `null` without one. The
 * scheme matches in any case (RFC 9110, 11.1).
 */
export function bearerOf({ headers }: IncomingMessage): string | null {
  return /^bearer +(\S.*)$/i.exec(headers.authorization?.trimEnd() ?? "")?.[1] ?? null;
}

export function requestIdOf(response: Response): string {
  return String(response.getHeader("X-Request-Id") ?? "");
}
