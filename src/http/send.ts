import { type ServerResponse, STATUS_CODES } from "node:http";
import { type JsonBytes, jsonBytes } from "../contract/json-bytes.ts";
import type { Problem } from "../contract/problem.ts";
import { bearerOf } from "./call-of.ts";

/** Writes a problem. Not with Express, which adds a charset that `application/problem+json` does not have. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  if (problem.retry_after_seconds) response.setHeader("Retry-After", String(problem.retry_after_seconds));
  if (problem.status === 401) {
    const challenge = response.getHeader("WWW-Authenticate") ?? 'Bearer realm="transfer-quote"';
    // RFC 6750, 3.1: an error code belongs to a request that presented a token.
    const error = bearerOf(response.req) === null ? "" : ', error="invalid_token"';
    response.setHeader("WWW-Authenticate", `${challenge}${error}`);
  }
  send(response, problem.status, "application/problem+json", jsonBytes(problem));
}

/** A problem as raw HTTP, for a connection whose request was rejected before Node made a response for it. */
export function rawProblem(problem: Problem): string {
  const text = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${problem.request_id}`,
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendJsonBytes(response, status, jsonBytes(value));
}

export function sendJsonBytes(response: ServerResponse, status: number, json: JsonBytes): void {
  send(response, status, "application/json", json);
}

function send(response: ServerResponse, status: number, type: string, json: JsonBytes): void {
  response.statusCode = status;
  response.setHeader("Content-Type", type);
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Length", json.length);
  response.end(json, "latin1");
}
