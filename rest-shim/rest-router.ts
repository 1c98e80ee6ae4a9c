import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from "express";
import type { Run } from "../src/calls/call-pipeline.ts";
import { isFixed, jsonOf } from "../src/calls/fixed-answer.ts";
import { PublicError } from "../src/contract/errors.ts";
import { textOf } from "../src/contract/json-bytes.ts";
import { callOf } from "../src/http/call-of.ts";
import type { Route } from "../src/http/direct-routes.ts";
import { createJsonReader } from "../src/http/json-reader.ts";
import { type PreparedResponse, prepareResponse, sendPrepared } from "../src/http/prepared-response.ts";
import { sendJsonBytes, sendProblem } from "../src/http/send.ts";
import { bindArguments } from "./bind-arguments.ts";
import { PLACEHOLDER } from "./parameters.ts";
import type { RestOperation } from "./rest-operation.ts";

export interface RestRouterParts {
  readonly operations: readonly RestOperation[];
  readonly run: Run;
  /** Headers on every response of v1, e.g. its announced end. */
  readonly versionHeaders: Readonly<Record<string, string>>;
}

interface RestRouter {
  readonly handler: Router;
  readonly routes: readonly Route[];
}

/** The operations under `API_BASE`. Other methods are answered 405; unknown paths are left to the app. */
export function createRestRouter({ operations, run, versionHeaders }: RestRouterParts): RestRouter {
  const router = express.Router();
  const parseJson = createJsonReader();
  const headers = Object.entries(versionHeaders);
  const setVersionHeaders: RequestHandler = (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
  const routes = operations.map((operation): Route => {
    const { method } = operation;
    const path = operation.path.replace(PLACEHOLDER, ":$1");
    const guards = method === "post" ? [requireJson, parseJson, requireObject] : [];
    return { method, path, handlers: [setVersionHeaders, ...guards, answering(operation)] };
  });
  router.use(setVersionHeaders);
  for (const { method, path, handlers } of routes) router[method](path, ...handlers);
  for (const [path, methods] of methodsByPath(operations)) {
    router.all(path, (request: Request, response: Response, next: NextFunction) => {
      const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ");
      response.setHeader("Allow", allow);
      if (request.method === "OPTIONS") return response.status(204).end();
      next(
        new PublicError("INVALID_REQUEST", `${request.method} is not allowed here. Allowed: ${allow}.`, {
          status: 405,
          nextAction: `Use ${allow}.`,
        }),
      );
    });
  }
  return { handler: router, routes };

  function answering(operation: RestOperation) {
    const { tool, location, success = 200 } = operation;
    const { argumentsOf, named } = bindArguments(operation);
    const prepared = new WeakMap<object, PreparedResponse>();
    return async (request: Request, response: Response): Promise<void> => {
      const call = callOf(request, response, () => argumentsOf(request), success);
      const outcome = await run(tool, call);
      if (!outcome.ok) {
        const { problem, retryAfterSeconds } = outcome;
        if (retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(retryAfterSeconds));
        return sendProblem(response, named(problem, request));
      }
      if (outcome.replayed) response.setHeader("Idempotent-Replayed", "true");
      if (location) response.setHeader("Location", request.baseUrl + filled(location, outcome.value));
      const answer = outcome.value as object;
      if (!isFixed(answer)) return sendJsonBytes(response, success, jsonOf(answer, tool.json));
      const known = prepared.get(answer) ?? prepareResponse("application/json", textOf(jsonOf(answer)));
      prepared.set(answer, known);
      sendPrepared(request, response, known);
    };
  }
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

function methodsByPath(operations: readonly RestOperation[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of operations) {
    const key = path.replace(PLACEHOLDER, ":$1");
    methods.set(key, [...(methods.get(key) ?? []), method.toUpperCase()]);
  }
  return methods;
}
