import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from "express";
import type { Run } from "../src/calls/call-pipeline.ts";
import { PublicError } from "../src/contract/errors.ts";
import { readJson } from "../src/http/app.ts";
import { callOf } from "../src/http/call-of.ts";
import { aDocument, sendDocument, sendProblem } from "../src/http/send.ts";
import { bindArguments } from "./bind-arguments.ts";
import { PLACEHOLDER } from "./parameters.ts";
import type { RestOperation } from "./rest-operation.ts";

/** The operations under `API_BASE`. Other methods are answered 405; unknown paths are left to the app. */
export function createRestRouter(operations: readonly RestOperation[], run: Run): Router {
  const router = express.Router();
  for (const operation of operations) {
    const { method, path } = operation;
    const route = router.route(path.replace(PLACEHOLDER, ":$1"));
    if (method === "get") route.get(answering(operation, run)).all(refuseMethod("GET, HEAD"));
    else route.post(requireJson, readJson, requireObject, answering(operation, run)).all(refuseMethod("POST"));
  }
  return router;
}

function answering(operation: RestOperation, run: Run): RequestHandler {
  const { tool, location, success = 200 } = operation;
  const { argumentsOf, named } = bindArguments(operation);
  return async (request, response) => {
    const call = callOf(request, response, () => argumentsOf(request), success);
    const outcome = await run(tool, call);
    if (!outcome.ok) {
      const { problem, retryAfterSeconds } = outcome;
      if (retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(retryAfterSeconds));
      return sendProblem(response, named(problem, request));
    }
    const { value, replayed } = outcome;
    if (replayed) response.setHeader("Idempotent-Replayed", "true");
    if (location) response.setHeader("Location", request.baseUrl + filled(location, value));
    if (operation.tag === "Discovery") sendDocument(response, aDocument("json", JSON.stringify(value)));
    else response.status(success).json(value);
  };
}

function refuseMethod(allow: string): RequestHandler {
  return (request, response, next) => {
    response.setHeader("Allow", allow);
    if (request.method === "OPTIONS") return void response.status(204).end();
    const detail = `${request.method} is not allowed here. Allowed: ${allow}.`;
    next(new PublicError("INVALID_REQUEST", detail, { status: 405, nextAction: `Use ${allow}.` }));
  };
}

function requireObject({ body }: Request, _response: Response, next: NextFunction): void {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return next();
  const nextAction = "Send the body as one JSON object.";
  next(new PublicError("INVALID_REQUEST", "The body is not a JSON object.", { nextAction }));
}

function requireJson(request: Request, _response: Response, next: NextFunction): void {
  const type = request.get("content-type") ?? "";
  // JSON is UTF-8 (RFC 8259, 8.1); the body parser would also decode UTF-7 and what else starts with "utf-".
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? "utf-8";
  const isJson = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type);
  if (isJson && /^utf-?8$/i.test(charset)) return next();
  next(
    new PublicError(
      "INVALID_REQUEST",
      `The Content-Type must be JSON in UTF-8; it is ${type.slice(0, 80) || "missing"}.`,
      { status: 415, nextAction: "Send the body with Content-Type: application/json." },
    ),
  );
}

/** A path with its placeholders replaced by fields of a response. */
function filled(path: string, value: unknown): string {
  const fields = value as Readonly<Record<string, unknown>>;
  return path.replace(PLACEHOLDER, (_all, name: string) => String(fields[name]));
}
