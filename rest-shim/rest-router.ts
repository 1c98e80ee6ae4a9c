import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { PublicError } from "../src/contract/errors.ts";
import { type Problem, toProblem } from "../src/contract/problem.ts";
import type { Run } from "../src/engine/engine.ts";
import { bringsKeyInBody } from "./arguments-from.ts";
import { callOf, requestIdOf } from "./call-of.ts";
import type { RestOperation } from "./rest-operation.ts";
import { sendJson, sendProblem } from "./send.ts";

export const API_BASE = "/api/public/v1";
const LARGEST_BODY = 128 * 1024;

export interface RestRouterParts {
  readonly operations: readonly RestOperation[];
  readonly run: Run;
  readonly docsBase: string;
  /** Headers on every answer of v1, e.g. its announced end. */
  readonly versionHeaders: Readonly<Record<string, string>>;
}

/** The eleven operations under `API_BASE`. Wrong methods answer 405; unknown paths are left to the app. */
export function createRestRouter({ operations, run, docsBase, versionHeaders }: RestRouterParts): Router {
  const router = express.Router();
  router.use((_request, response, next) => {
    for (const [name, value] of Object.entries(versionHeaders)) response.setHeader(name, value);
    next();
  });
  const parseJson = express.json({ limit: LARGEST_BODY, strict: false, type: () => true });
  for (const operation of operations) {
    const path = operation.path.replace(/\{(\w+)\}/g, ":$1");
    const guards = operation.method === "post" ? [requireJson, parseJson, requireObject] : [];
    router[operation.method](path, ...guards, (request: Request, response: Response) =>
      answer(operation, request, response),
    );
  }
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
  return router;

  async function answer(operation: RestOperation, request: Request, response: Response): Promise<void> {
    const call = { ...callOf(request, response), input: () => operation.from(request) };
    const outcome = await run(operation.tool, call);
    if (!outcome.ok) return sendProblem(response, namedForRest(outcome.problem, request));
    if (outcome.replayed) response.setHeader("Idempotent-Replayed", "true");
    if (operation.location)
      response.setHeader("Location", `${request.baseUrl}${operation.location(outcome.value)}`);
    sendJson(response, operation.success ?? 200, outcome.value);
  }

  function requireObject(request: Request, response: Response, next: NextFunction): void {
    const { body } = request;
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return next();
    const nextAction = "Send the body as one JSON object.";
    const error = new PublicError("INVALID_REQUEST", "The body is not a JSON object.", { nextAction });
    const instance = request.originalUrl.split("?", 1)[0] ?? "";
    sendProblem(response, toProblem(error, { docsBase, requestId: requestIdOf(response), instance }));
  }
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
      `The body is not JSON in UTF-8 by its Content-Type (${type.slice(0, 80) || "none"}).`,
      {
        status: 415,
        nextAction: "Send the body with Content-Type: application/json.",
      },
    ),
  );
}

/** Over REST the key is a header, and errors name it so. */
function namedForRest(problem: Problem, request: Request): Problem {
  if (!problem.field_errors || bringsKeyInBody(request)) return problem;
  const renamed = (text: string) => text.replace(/^idempotency_key\b/, "Idempotency-Key");
  return {
    ...problem,
    detail: renamed(problem.detail),
    field_errors: problem.field_errors.map(({ field, message }) => ({ field: renamed(field), message })),
  };
}

function methodsByPath(operations: readonly RestOperation[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of operations) {
    const key = path.replace(/\{(\w+)\}/g, ":$1");
    methods.set(key, [...(methods.get(key) ?? []), method.toUpperCase()]);
  }
  return methods;
}
