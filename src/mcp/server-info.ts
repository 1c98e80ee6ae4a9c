import { packageVersion, readPackageFile } from "../ops/package-root.ts";

/** As a data URI it reaches every host, over stdio as well. */
const ICON = `data:image/svg+xml,${encodeURIComponent(readPackageFile("src/http/site/favicon.svg"))}`;

/** The operator, as clients are told. */
export interface PublishedOperator {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly website?: string | undefined;
}

/** What the server can in every protocol revision. The extension is MCP Apps: quotes are shown as a card. */
export const CAPABILITIES = { tools: {}, resources: {}, extensions: { "io.modelcontextprotocol/ui": {} } };

/** How the server introduces itself in every protocol revision; `websiteUrl` is its reference. */
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
