import { isUtf8 } from "node:buffer";
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from "express";
import { PublicError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import { createRequestId } from "../../ops/ids.ts";
import { loggablePath } from "../../ops/log.ts";
import { pageHeaders } from "../../ops/page-headers.ts";
import { type OnFinished, refuse } from "../../service/calls/finished-call.ts";
import type { Operator } from "../../service/calls/operation.ts";
import { escapeHtml, PAGE_SOURCES, page } from "./page.ts";
import {
  API_BASE,
  BODY_TOO_LARGE,
  isTooDeep,
  LARGEST_BODY_BYTES,
  LARGEST_BODY_KIB,
  NESTED_TOO_DEEPLY,
  requestIdOf,
  surfaceOf,
} from "./request.ts";
import { sendProblem } from "./send.ts";

/** Parses every body as JSON: the routes check the Content-Type. */
export const readJson: readonly RequestHandler[] = [
  express.json({
    limit: LARGEST_BODY_BYTES,
    strict: false,
    type: () => true,
    verify(_request, _response, body) {
      // Without this, bytes that are not UTF-8 become U+FFFD in the traveler's texts.
      if (!isUtf8(body)) throw Object.assign(new Error("not UTF-8"), { status: 400, type: "entity.parse.failed" });
    },
  }),
  (request, _response, next) => {
    if (!isTooDeep(request.body)) return next();
    request.body = undefined;
    const nextAction = "Send a body of the documented fields.";
    next(new PublicError("INVALID_REQUEST", `${NESTED_TOO_DEEPLY}.`, { nextAction }));
  },
];

export interface AppParts {
  readonly docsBase: string;
  /** As in Express's `trust proxy`; `undefined` ignores X-Forwarded-For. */
  readonly trustProxy: string | undefined;
  /** Whom a page of a problem names. */
  readonly operator: () => Operator;
  /** Called for every request that is rejected before it becomes a call. */
  readonly onFinished: OnFinished;
  /** Handlers in the order in which requests try them. */
  readonly mounts: readonly Mount[];
}

export interface Mount {
  readonly path: string;
  readonly handler: RequestHandler;
}

/** Answers other methods than these with 405, and OPTIONS with the methods. */
export function allowOnly(...methods: readonly string[]): RequestHandler {
  const allow = methods.join(", ");
  return (request, response, next) => {
    if (methods.includes(request.method)) return next();
    response.setHeader("Allow", allow);
    if (request.method === "OPTIONS") return void response.status(204).end();
    const detail = `${request.method} is not allowed here. Allowed: ${allow}.`;
    next(new PublicError("INVALID_REQUEST", detail, { status: 405, nextAction: `Use ${allow}.` }));
  };
}

/** The announced end of v1, where there is one: Deprecation (RFC 9745) and Sunset (RFC 8594). */
export function endOfVersion(deprecatedAt: Date | undefined, sunsetAt: Date | undefined): readonly Mount[] {
  if (!deprecatedAt && !sunsetAt) return [];
  const headers = {
    ...(deprecatedAt && { Deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}` }),
    ...(sunsetAt && { Sunset: sunsetAt.toUTCString() }),
  };
  const handler: RequestHandler = (_request, response, next) => {
    response.set(headers);
    next();
  };
  return [{ path: API_BASE, handler }];
}

/** The Express app: request ids, the mounted handlers, and a problem for every request that none of them answers. */
export function createApp({ docsBase, trustProxy, operator, onFinished, mounts }: AppParts): Express {
  const app = express();
  const headersOfPages = pageHeaders(PAGE_SOURCES);
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  if (trustProxy !== undefined) app.set("trust proxy", trustProxy);
  app.use((_request, response, next) => {
    response.locals.startedAt = performance.now();
    response.set({
      "X-Request-Id": createRequestId(),
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    });
    next();
  });
  for (const { path, handler } of mounts) app.use(path, handler);
  app.use((_request, _response, next) => {
    const nextAction = "See /openapi.json for the available operations.";
    next(new PublicError("INVALID_REQUEST", "Unknown path.", { status: 404, nextAction }));
  });
  const answerError: ErrorRequestHandler = (error, request, response, next) => {
    if (response.headersSent) return next(error);
    const refused = {
      requestId: requestIdOf(response),
      surface: surfaceOf(request.originalUrl),
      instance: loggablePath(request.originalUrl),
      milliseconds: performance.now() - response.locals.startedAt,
      shed: response.locals.shed,
    };
    const known = publicErrorOf(error);
    const problem = refuse(known ?? error, refused, { docsBase, onFinished });
    if (!isForPerson(request)) return sendProblem(response, problem, known?.options.retryAfterSeconds);
    headersOfPages(request, response, () => sendProblemPage(response, problem, operator()));
  };
  app.use(answerError);
  return app;
}

/** Whether the request comes from a browser that opens a page. Programs and API requests get problem+json. */
function isForPerson(request: Request): boolean {
  if (request.originalUrl.startsWith(API_BASE)) return false;
  return request.accepts(["application/problem+json", "text/html"]) === "text/html";
}

/** The contract's error for a failure of Express or its body parser; `undefined` for an unexpected error. */
function publicErrorOf(error: unknown): PublicError | undefined {
  if (error instanceof PublicError) return error;
  const { status, type } = (error ?? {}) as { status?: unknown; type?: unknown };
  if (typeof status !== "number" || status < 400 || status > 499) return undefined;
  const isParsed = type !== "entity.parse.failed";
  const [detail, nextAction] = UNREADABLE[isParsed ? status : "json"] ?? [
    "The request cannot be read.",
    "Check the path's percent-encoding, and the body's encoding and length.",
  ];
  return new PublicError("INVALID_REQUEST", detail, { nextAction, ...(isParsed && { status }) });
}

/** By status; what was read and is no JSON has that of the code. */
const UNREADABLE: Readonly<Record<string, readonly [detail: string, nextAction: string]>> = {
  json: ["The body is not valid JSON in UTF-8.", "Send one JSON object."],
  413: [`${BODY_TOO_LARGE}.`, `Send a body of at most ${LARGEST_BODY_KIB} KiB.`],
  415: ["The body's charset or encoding is not supported.", "Send the body in UTF-8, plain or gzipped."],
};

/** For travelers whose link was cut or mistyped. */
const NOT_FOUND =
  "Looking for your offer? Open the whole link that your assistant gave you, or ask it to send the link again. " +
  "Nothing was booked or charged.";

/** Sends a problem as a page, for people who open an unknown path or meet an error. Below it stands whom they can ask. */
function sendProblemPage(response: Response, problem: Problem, operator: Operator): void {
  const { status, detail, next_action, request_id } = problem;
  const isUnknown = status === 404;
  const title = isUnknown ? "Page not found" : problem.title;
  const said = isUnknown ? [NOT_FOUND] : [detail, next_action ?? ""].filter(Boolean);
  const developers = isUnknown ? '<a href="/docs">API reference</a>, ' : "";
  const body = `${said.map((each) => `<p>${escapeHtml(each)}</p>`).join("")}<p>${developers}${escapeHtml(request_id ?? "")}</p>`;
  response.status(status).type("html");
  response.send(page({ title, operator, body: [body] }));
}
