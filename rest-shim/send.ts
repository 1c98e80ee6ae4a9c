import type { Response } from "express";
import type { Problem } from "../src/contract/problem.ts";

/** Answers a problem. Written by hand, because Express adds a charset that `application/problem+json` does not have. */
export function sendProblem(response: Response, problem: Problem): void {
  const text = JSON.stringify(problem);
  response.status(problem.status);
  response.setHeader("Content-Type", "application/problem+json");
  response.setHeader("Cache-Control", "no-store");
  if (problem.retry_after_seconds) response.setHeader("Retry-After", String(problem.retry_after_seconds));
  if (problem.status === 401 && !response.hasHeader("WWW-Authenticate")) {
    response.setHeader("WWW-Authenticate", 'Bearer realm="transfer-quote"');
  }
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text);
}

export function sendJson(response: Response, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.status(status);
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text);
}
