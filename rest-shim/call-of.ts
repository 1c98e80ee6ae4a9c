import type { Request, Response } from "express";
import type { Call } from "../src/engine/engine.ts";

/** What the engine is told of a request; `input` aside. */
export function callOf(request: Request, response: Response): Omit<Call, "input"> {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort(new Error("the caller has gone away"));
  });
  return {
    bearer: bearerOf(request),
    address: request.ip ?? "",
    requestId: requestIdOf(response),
    instance: request.originalUrl.split("?", 1)[0] ?? "",
    signal: gone.signal,
  };
}

/** Token of an `Authorization: Bearer …` header, whose scheme matches in any case (RFC 9110, 11.1). */
export function bearerOf(request: Request): string | null {
  return /^bearer +([^\s]+) *$/i.exec(request.get("authorization") ?? "")?.[1] ?? null;
}

export function requestIdOf(response: Response): string {
  return String(response.getHeader("X-Request-Id") ?? "");
}
