/** What the server can in every protocol revision. The extension is MCP Apps: quotes are shown as a card. */
export const CAPABILITIES = { tools: {}, resources: {}, extensions: { "io.modelcontextprotocol/ui": {} } };
