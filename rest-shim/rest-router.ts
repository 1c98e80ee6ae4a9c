import express, { type NextFunction, type Request, type RequestHandler, type Response, type Router } from "express";
import { invalidRequest, PublicError } from "../src/contract/errors.ts";
import type { Problem } from "../src/contract/problem.ts";
import { allowOnly, readJson } from "../src/servers/http/app.ts";
import { callOf } from "../src/servers/http/request.ts";
import { aDocument, type Document, sendDocument, sendJson, sendProblem } from "../src/servers/http/send.ts";
import type { Run } from "../src/service/calls/call-pipeline.ts";
import type { RestOperation } from "./operations.ts";
import { filled, type Parameter, PLACEHOLDER, parametersOf } from "./parameters.ts";

/** Serves the operations under `API_BASE`. Answers other methods with 405, and leaves unknown paths to the app. */
export function createRestRouter(operations: readonly RestOperation[], run: Run): Router {
  const router = express.Router();
  for (const operation of operations) {
    const { method, path } = operation;
    const route = router.route(path.replace(PLACEHOLDER, ":$1"));
    if (method === "get") route.get(handlerFor(operation, run)).all(allowOnly("GET", "HEAD"));
    else route.post(requireJson, ...readJson, requireObject, handlerFor(operation, run)).all(allowOnly("POST"));
  }
  return router;
}

function handlerFor(operation: RestOperation, run: Run): RequestHandler {
  const { tool, location, success = 200, isCacheable } = operation;
  const { argumentsOf, named } = bindArguments(operation);
  /** Documents by result: results that depend only on the catalog are the same object until it is reloaded. */
  const documents = new WeakMap<object, Document>();
  return async (request, response) => {
    const call = callOf(request, response, () => argumentsOf(request), success);
    const outcome = await run(tool, call);
    if (!outcome.ok) {
      const { problem, retryAfterSeconds } = outcome;
      return sendProblem(response, named(problem, request), retryAfterSeconds);
    }
    const { value, replayed } = outcome;
    if (replayed) response.setHeader("Idempotent-Replayed", "true");
    if (location) response.setHeader("Location", request.baseUrl + filled(location, Object(value)));
    if (isCacheable) sendDocument(response, documentOf(value as object));
    else sendJson(response.status(success), JSON.stringify(value));
  };

  function documentOf(value: object): Document {
    const document = documents.get(value) ?? aDocument("json", JSON.stringify(value));
    documents.set(value, document);
    return document;
  }
}

function requireObject({ body }: Request, _response: Response, next: NextFunction): void {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return next();
  const nextAction = "Send the body as one JSON object.";
  next(new PublicError("INVALID_REQUEST", "The body is not a JSON object.", { nextAction }));
}

function requireJson(request: Request, _response: Response, next: NextFunction): void {
  const type = request.get("content-type") ?? "";
  // JSON is UTF-8 (RFC 8259, 8.1); the body parser would also decode UTF-7 and other charsets that start with "utf-".
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? "utf-8";
  const isJson = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(type);
  if (isJson && /^utf-?8$/i.test(charset)) return next();
  const detail = `The Content-Type must be JSON in UTF-8; it is ${type.slice(0, 80) || "missing"}.`;
  const nextAction = "Send the body with Content-Type: application/json.";
  next(new PublicError("INVALID_REQUEST", detail, { status: 415, nextAction }));
}

/** Maps between a request and the tool's arguments, in both directions. */
function bindArguments(row: RestOperation) {
  const parameters = parametersOf(row);
  const names = new Map(parameters.flatMap(({ argument, name }) => (argument === name ? [] : [[argument, name]])));
  const misplaced = ({ body }: Request) =>
    parameters.find(({ argument }) => row.method === "post" && Object.hasOwn(body, argument));

  return {
    /** The tool's arguments. Throws INVALID_REQUEST where the body contains an argument that belongs in a header. */
    argumentsOf(request: Request): Record<string, unknown> {
      const wrong = misplaced(request);
      if (wrong) {
        const message = `Unknown field; send it as the ${wrong.name} header.`;
        throw invalidRequest([{ field: wrong.argument, message }]);
      }
      const args: Record<string, unknown> = row.method === "post" ? { ...request.body } : {};
      for (const parameter of parameters) {
        const value = read(parameter, request);
        if (value !== undefined) args[parameter.argument] = value;
      }
      return args;
    },
    /** The problem with the names of the request, such as `Idempotency-Key`, in place of the tool's arguments. */
    named(problem: Problem, request: Request): Problem {
      if (!problem.field_errors?.some(({ field }) => names.has(field)) || misplaced(request)) return problem;
      const fieldErrors = problem.field_errors.map((each) => ({ ...each, field: names.get(each.field) ?? each.field }));
      return { ...problem, detail: invalidRequest(fieldErrors).message, field_errors: fieldErrors };
    },
  };
}

/** The value of a parameter. Converts text to a number where the tool takes an integer and the text is one. */
function read({ in: place, name, schema }: Parameter, request: Request): unknown {
  const sources = { path: request.params, query: request.query };
  const value = place === "header" ? request.get(name) : sources[place][name];
  const isInteger = schema.type === "integer" && typeof value === "string" && /^\d{1,9}$/.test(value);
  return isInteger ? Number(value) : value;
}
