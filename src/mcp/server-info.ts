import { packageVersion } from "../ops/package-root.ts";

/** A car in a circle. As a data URI it reaches every host, over stdio as well. */
const ICON =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><circle cx='12' cy='12' r='12' fill='#c8102e'/><path d='M5 15v-3l2-4h9l3 4v3z' fill='#fff'/><circle cx='8.5' cy='16' r='2'/><circle cx='15.5' cy='16' r='2'/></svg>";

/** Whose prices these are. */
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
    icons: [{ src: `data:image/svg+xml,${encodeURIComponent(ICON)}`, mimeType: "image/svg+xml", sizes: ["any"] }],
  };
}
