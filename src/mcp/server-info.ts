import { packageVersion, readPackageFile } from "../ops/package-root.ts";

/** A data URI, so that hosts need not load it, over stdio either. */
const ICON = `data:image/svg+xml,${encodeURIComponent(readPackageFile("src/http/site/favicon.svg"))}`;

/** The operator's contact, as published to clients. */
export interface PublishedOperator {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly website?: string | undefined;
}

/** Capabilities in every protocol revision. The extension is MCP Apps, which shows quotes as a card. */
export const CAPABILITIES = { tools: {}, resources: {}, extensions: { "io.modelcontextprotocol/ui": {} } };

/** The server's description of itself in every protocol revision; `websiteUrl` is the API reference. */
export function serverInfo(websiteUrl: string, { name, phone, email, website }: PublishedOperator) {
  const contact = [website, phone, email].filter((part) => part !== undefined).join(", ");
  return {
    name: "transfer-quote-mcp",
    title: "Transfer quotes Switzerland",
    version: packageVersion,
    description: `Binding prices of ${name} (${contact}) for passenger transfers in Switzerland and to its neighbors.`,
    websiteUrl,
    icons: [{ src: ICON, mimeType: "image/svg+xml", sizes: ["any"] }],
  };
}
