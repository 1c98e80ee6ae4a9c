// The plain way over stdio: the SDK's server with the nine tools, the catalog's files read and parsed, and one canned quote.
// Arguments: the catalog folder, and a JSON file with the quote. Bundled by the benchmark, as the program is.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { tools } from "../../tools/tools.ts";

const [catalog = "", file = ""] = process.argv.slice(2);
const names = readdirSync(catalog, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
const files = names.map((name) => JSON.parse(readFileSync(join(catalog, name), "utf8")));
const quote = JSON.parse(readFileSync(file, "utf8"));
const server = new McpServer({ name: "peer", version: "1.0.0" }, { instructions: `${files.length} files` });
for (const { name, title, description, annotations, input, output } of tools) {
  const schemas = { inputSchema: input, outputSchema: output };
  server.registerTool(name, { title, description, annotations, ...schemas }, async () => ({
    content: [{ type: "text", text: JSON.stringify(quote) }],
    structuredContent: quote,
  }));
}
await server.connect(new StdioServerTransport());
