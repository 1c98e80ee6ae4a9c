import cors from "cors";
import { type Request, Router } from "express";
import { allowOnly } from "../http/app.ts";
import { aDocument, sendDocument } from "../http/send.ts";
import { REVISIONS } from "./http-messages.ts";
import { mcpName, type serverInfo, TAGLINE } from "./server-info.ts";

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
export function createDiscoveryRouter(
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

/** Names no tools: clients list them once they are connected. Only in `serverInfo` the description names the operator. */
function serverCard(info: ReturnType<typeof serverInfo>, origin: string) {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ...info,
    description: TAGLINE,
    remotes: [{ type: "streamable-http", url: `${origin}/mcp`, supportedProtocolVersions: REVISIONS }],
  };
}
