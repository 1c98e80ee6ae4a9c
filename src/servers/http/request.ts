import type { IncomingMessage } from "node:http";
import type { Request, Response } from "express";
import type { Call } from "../../service/calls/call-pipeline.ts";
import { hasMoreLevels } from "../../service/calls/field-errors.ts";
import type { Surface } from "../../service/calls/finished-call.ts";

/** Path under which the REST operations of this version are served. */
export const API_BASE = "/api/public/v1";

/** The largest valid call, with ten stops of full length, has 27 kB in UTF-8, and 54 kB where each character is escaped. */
export const LARGEST_BODY_KIB = 64;

/** Most bytes of a decompressed request body, at every endpoint, and of a message over stdio. */
export const LARGEST_BODY_BYTES = LARGEST_BODY_KIB * 1024;

export const BODY_TOO_LARGE = `The body is larger than ${LARGEST_BODY_KIB} KiB`;

/** Lists and objects within each other that a message may have: libraries read their levels by recursion. */
const MOST_LEVELS = 64;

export const NESTED_TOO_DEEPLY = `Lists and objects are nested more than ${MOST_LEVELS} levels deep`;

export function isTooDeep(message: unknown): boolean {
  return hasMoreLevels(message, MOST_LEVELS);
}

const API = /^(?:\w+:\/\/[^/]*)?\/api\//i;
const MCP = /^(?:\w+:\/\/[^/]*)?\/mcp\/?(?:\?|$)/i;

type CallerOfRequest = Pick<Call, "bearer" | "address" | "requestId">;

export function callerOf(request: Request, response: Response): CallerOfRequest {
  return { bearer: bearerOf(request), address: request.ip ?? "", requestId: requestIdOf(response) };
}

export function callOf(request: Request, response: Response, input: Call["input"], successStatus: number): Call {
  const [instance, signal] = [request.baseUrl + request.path, signalOf(response)];
  const { headers: traceContext } = request;
  return { surface: "rest", successStatus, instance, signal, input, traceContext, ...callerOf(request, response) };
}

/** Aborts when the caller disconnects before the response has been sent. */
export function signalOf(response: Response): AbortSignal {
  const disconnected = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) disconnected.abort(new Error("the caller has disconnected"));
  });
  return disconnected.signal;
}

/**
 * The token of an `Authorization: Bearer …` header, well formed or not; `null` without such a header. The case of the
 * scheme does not matter (RFC 9110, 11.1).
 */
export function bearerOf({ headers }: IncomingMessage): string | null {
  return /^bearer +(\S.*)$/i.exec(headers.authorization?.trimEnd() ?? "")?.[1] ?? null;
}

export function surfaceOf(url: string): Surface {
  if (API.test(url)) return "rest";
  return MCP.test(url) ? "mcp" : "http";
}

export function requestIdOf(response: Response): string {
  return String(response.getHeader("X-Request-Id") ?? "");
}

const MOST_LANGUAGES = 20;

/** The language of a page: that of `?lang=`, otherwise the first that the browser prefers and the operator offers, or its first. */
export function languageOf<L extends string>(request: Request, languages: readonly [L, ...L[]]): L {
  // Browsers send a few languages; each further one takes time, and a header has room for thousands.
  request.headers["accept-language"] = request.headers["accept-language"]?.split(",", MOST_LANGUAGES).join();
  const accepted = request.acceptsLanguages([...languages]);
  const find = (language: unknown) => languages.find((each) => each === language);
  return find(request.query.lang) ?? find(accepted) ?? languages[0];
}
