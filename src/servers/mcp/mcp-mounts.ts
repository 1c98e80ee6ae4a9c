import cors from "cors";
import express, { type NextFunction, type Request, type Response, Router } from "express";
import { PublicError } from "../../contract/errors.ts";
import { originsOf } from "../../ops/loopback.ts";
import type { Admit } from "../../service/calls/call-pipeline.ts";
import type { OnFinished } from "../../service/calls/finished-call.ts";
import { SCOPES } from "../../service/calls/operation.ts";
import { allowOnly, type Mount } from "../http/app.ts";
import { callerOf } from "../http/request.ts";
import { aDocument, sendDocument } from "../http/send.ts";
import { httpMessages, REVISIONS } from "./http-messages.ts";
import type { McpTools } from "./mcp-tools.ts";
import { mcpName, type serverInfo, TAGLINE, TITLE } from "./server-info.ts";

/** Path of the OAuth 2.0 Protected Resource Metadata (RFC 9728). */
const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

export interface McpParts {
  readonly tools: McpTools;
  readonly admit: Admit;
  /** Called for every message that is answered with a JSON-RPC error. */
  readonly onFinished: OnFinished;
  readonly publicUrl: string;
  /** URL of the identity provider. */
  readonly issuer: string;
  /** What the identity provider writes before the names of scopes. */
  readonly scopePrefix: string | undefined;
  /** Besides those of the public URL. */
  readonly allowedHosts: readonly string[] | undefined;
  /** Instead of those of the public URL. */
  readonly allowedOrigins: readonly string[] | undefined;
}

/** The endpoint `/mcp`, and the documents by which clients find it and learn how to authenticate. */
export function createMcpMounts({ publicUrl, issuer, scopePrefix = "", ...parts }: McpParts): readonly Mount[] {
  const { tools, admit, onFinished } = parts;
  const origins = originsOf(publicUrl);
  const hosts = origins.map((origin) => new URL(origin).host);
  const allowedHosts = new Set([...hosts, ...(parts.allowedHosts ?? [])]);
  const allowedOrigins = new Set(parts.allowedOrigins ?? origins);
  const names = ["discovery", ...SCOPES.filter((scope) => scope !== "discovery")];
  const scopes = names.map((scope) => `${scopePrefix}${scope}`);
  const methods = ["GET", "HEAD"];
  const metadata = express.Router().use(cors({ methods }));
  metadata
    .route(["/", "/mcp"])
    .get(sendMetadata)
    .all(allowOnly(...methods));
  return [
    // Before the endpoint, which answers no unknown host or origin.
    { path: "/", handler: createDiscoveryRouter(tools.info, originOf) },
    { path: "/mcp", handler: createEndpoint() },
    { path: RESOURCE_METADATA_PATH, handler: metadata },
  ];

  /**
   * MCP over Streamable HTTP without sessions. Checks Host and Origin, then authentication, body and protocol revision.
   * There is no stream to GET and no session to DELETE.
   */
  function createEndpoint(): Router {
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
  }

  /** The origin that the client used: it compares its own address with `resource`. */
  function originOf(request: Request): string {
    return origins[hosts.indexOf(request.get("host")?.toLowerCase() ?? "")] ?? publicUrl;
  }

  function sendMetadata(request: Request, response: Response): void {
    response.json({
      resource: `${originOf(request)}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ["header"],
      resource_name: "Transfer quotes Switzerland",
    });
  }

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
        const challenge = `Bearer realm="transfer-quote", resource_metadata="${originOf(request)}${RESOURCE_METADATA_PATH}/mcp", scope="${scopes.join(" ")}"`;
        response.setHeader("WWW-Authenticate", challenge);
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

/** Where clients look for the MCP servers of a host, before they know any address. */
const CATALOG_PATH = "/.well-known/ai-catalog.json";
const CARD_PATH = "/mcp/server-card";
const CARD_TYPE = "application/mcp-server-card+json";
/** The extension requires public documents that browsers of every origin can read and revalidate. */
const PUBLIC = cors({
  methods: ["GET", "HEAD"],
  allowedHeaders: ["Content-Type", "Accept", "If-None-Match"],
  exposedHeaders: ["ETag"],
});

/**
 * The AI catalog of this host and the card of its MCP server, by the Server Card extension of MCP (SEP-2127).
 * `originOf` returns the origin by which the client has reached the server.
 */
function createDiscoveryRouter(
  info: () => ReturnType<typeof serverInfo>,
  originOf: (request: Request) => string,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const documents = [
    [CATALOG_PATH, "application/ai-catalog+json", aiCatalog],
    [CARD_PATH, CARD_TYPE, (origin: string) => serverCard(info(), origin)],
  ] as const;
  for (const [path, type, contentOf] of documents) {
    router.use(path, PUBLIC);
    router.get(path, (request, response) => {
      const document = aDocument(type, JSON.stringify(contentOf(originOf(request))));
      sendDocument(response, document, "public, max-age=3600");
    });
    router.all(path, allowOnly("GET", "HEAD"));
  }
  return router;
}

function aiCatalog(origin: string) {
  const identifier = `urn:air:${new URL(origin).hostname}:mcp:${mcpName.split("/").at(-1)}`;
  return { specVersion: "1.0", entries: [{ identifier, type: CARD_TYPE, url: `${origin}${CARD_PATH}` }] };
}

/** Names no tools: clients list them once they are connected. Only `serverInfo` names the operator. */
function serverCard(info: ReturnType<typeof serverInfo>, origin: string) {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ...info,
    title: TITLE,
    description: TAGLINE,
    remotes: [{ type: "streamable-http", url: `${origin}/mcp`, supportedProtocolVersions: REVISIONS }],
  };
}
