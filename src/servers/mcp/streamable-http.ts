import cors from "cors";
import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { PublicError } from "../../contract/errors.ts";
import type { Admit } from "../../service/calls/call-pipeline.ts";
import type { OnFinished } from "../../service/calls/finished-call.ts";
import { allowOnly } from "../http/app.ts";
import { callerOf } from "../http/request.ts";
import { httpMessages } from "./http-messages.ts";
import type { McpTools } from "./mcp-tools.ts";

export interface StreamableHttpParts {
  readonly tools: McpTools;
  readonly admit: Admit;
  /** URL of the resource metadata, for the challenge of a 401. */
  readonly metadataUrlOf: (request: Request) => string;
  /** The scopes that the challenge names, as the identity provider writes them. */
  readonly scopes: readonly string[];
  readonly allowedHosts: ReadonlySet<string>;
  readonly allowedOrigins: ReadonlySet<string>;
  /** Called for every message that is answered with a JSON-RPC error. */
  readonly onFinished: OnFinished;
}

/**
 * MCP over Streamable HTTP without sessions. Checks Host and Origin, then authentication, body and protocol revision.
 * There is no stream to GET and no session to DELETE.
 */
export function createStreamableHttp(parts: StreamableHttpParts): Router {
  const { tools, admit, metadataUrlOf, scopes, allowedHosts, allowedOrigins, onFinished } = parts;
  const router = express.Router();
  router.use(checkHostAndOrigin);
  // Includes methods that are answered with 405, so that pages of other origins can read that answer.
  const methods = ["GET", "POST", "DELETE"];
  router.use(cors({ origin: [...allowedOrigins], methods, exposedHeaders: ["WWW-Authenticate", "X-Request-Id"] }));
  // Authenticates every method: clients of HTTP+SSE start with a GET, and sign in after a 401.
  router.all("/", authenticate);
  router.post("/", httpMessages(tools, onFinished));
  router.all("/", allowOnly("POST"));
  return router;

  /** Prevents DNS rebinding: a malicious page cannot send the host name and origin of this server. */
  function checkHostAndOrigin(request: Request, _response: Response, next: NextFunction): void {
    const host = (request.get("host") ?? "").toLowerCase();
    const origin = request.get("origin");
    if (!allowedHosts.has(host)) return next(notAllowed("Host", "TRANSFER_ALLOWED_HOSTS"));
    if (origin !== undefined && !allowedOrigins.has(origin.toLowerCase())) {
      return next(notAllowed("Origin", "TRANSFER_ALLOWED_ORIGINS"));
    }
    next();
  }

  async function authenticate(request: Request, response: Response, next: NextFunction): Promise<void> {
    try {
      response.locals.principal = await admit("discovery", callerOf(request, response));
      next();
    } catch (error) {
      // A blocked caller may connect; each of its calls is answered with FORBIDDEN, as over REST and stdio.
      if (error instanceof PublicError && error.code === "FORBIDDEN") return next();
      if (error instanceof PublicError && error.code === "AUTHENTICATION_REQUIRED") {
        // All scopes, since a later call cannot ask for more.
        response.setHeader(
          "WWW-Authenticate",
          `Bearer realm="transfer-quote", resource_metadata="${metadataUrlOf(request)}", scope="${scopes.join(" ")}"`,
        );
      }
      next(error);
    }
  }
}

function notAllowed(header: string, setting: string): PublicError {
  return new PublicError("INVALID_REQUEST", `This ${header} is not allowed here.`, {
    status: 403,
    nextAction: `Use the server's public address, or have the operator add it to ${setting}.`,
  });
}
