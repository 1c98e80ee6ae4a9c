import cors from "cors";
import express, { type Request, type RequestHandler, Router } from "express";
import { originsOf } from "../../ops/loopback.ts";
import { SCOPES } from "../../service/calls/operation.ts";
import { allowOnly, type Mount } from "../http/app.ts";
import { aDocument, sendDocument } from "../http/send.ts";
import { REVISIONS } from "./http-messages.ts";
import { mcpName, type serverInfo, TAGLINE, TITLE } from "./server-info.ts";
import { createStreamableHttp, type StreamableHttpParts } from "./streamable-http.ts";

/** Path of the OAuth 2.0 Protected Resource Metadata (RFC 9728). */
const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

export interface McpParts extends Pick<StreamableHttpParts, "tools" | "admit" | "onFinished"> {
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
  const origins = originsOf(publicUrl);
  const hosts = origins.map((origin) => new URL(origin).host);
  /** The origin that the client used: it compares its own address with `resource`. */
  const originOf = (request: Request) => origins[hosts.indexOf(request.get("host")?.toLowerCase() ?? "")] ?? publicUrl;
  const names = ["discovery", ...SCOPES.filter((scope) => scope !== "discovery")];
  const scopes = names.map((scope) => `${scopePrefix}${scope}`);
  const handler = createStreamableHttp({
    ...parts,
    scopes,
    metadataUrlOf: (request) => `${originOf(request)}${RESOURCE_METADATA_PATH}/mcp`,
    allowedHosts: new Set([...hosts, ...(parts.allowedHosts ?? [])]),
    allowedOrigins: new Set(parts.allowedOrigins ?? origins),
  });
  const sendMetadata: RequestHandler = (request, response) => {
    response.json({
      resource: `${originOf(request)}/mcp`,
      authorization_servers: [issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ["header"],
      resource_name: "Transfer quotes Switzerland",
    });
  };
  const methods = ["GET", "HEAD"];
  const metadata = express.Router().use(cors({ methods }));
  metadata
    .route(["/", "/mcp"])
    .get(sendMetadata)
    .all(allowOnly(...methods));
  return [
    // Before the endpoint, which answers no unknown host or origin.
    { path: "/", handler: createDiscoveryRouter(parts.tools.info, originOf) },
    { path: "/mcp", handler },
    { path: RESOURCE_METADATA_PATH, handler: metadata },
  ];
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
