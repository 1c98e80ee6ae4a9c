import cors from "cors";
import express, { type Request, type RequestHandler } from "express";
import { originsOf } from "../../ops/loopback.ts";
import { SCOPES } from "../../service/calls/operation.ts";
import { allowOnly, type Mount } from "../http/app.ts";
import { createDiscoveryRouter } from "./server-card.ts";
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
