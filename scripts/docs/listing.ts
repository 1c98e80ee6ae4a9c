import { readFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "../../src/operate/config/kinds.ts";
import { settings } from "../../src/operate/config/settings.ts";
import { packageRoot, packageVersion } from "../../src/ops/package-root.ts";
import { TAGLINE, TITLE } from "../../src/servers/mcp/server-info.ts";
import { tools } from "../../tools/tools.ts";

interface Manifest {
  readonly name: string;
  readonly mcpName: string;
  readonly homepage: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly engines: { readonly node: string };
}
const { name, mcpName, homepage, license, keywords, engines }: Manifest = JSON.parse(
  readFileSync(join(packageRoot, "package.json"), "utf8"),
);
const { catalogDir, dataDir, checkoutUrl, logLevel } = settings;
/** Settings that make sense for a process that a host starts over stdio. */
const STDIO_SETTINGS = [catalogDir, dataDir, checkoutUrl, logLevel];

/** The rows of `docs/listing.md` that registries compare with the package. */
export const NAMES = [
  ["Name", TITLE],
  ["Registry name", `\`${mcpName}\``],
  ["In one line", TAGLINE],
];

/** The entry for the MCP registry: `server.json`, schema of 2025-12-11. */
export function registryEntry(): object {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: TITLE,
    description: TAGLINE,
    version: packageVersion,
    icons: [{ src: `${homepage}/favicon.svg`, mimeType: "image/svg+xml", sizes: ["any"] }],
    remotes: [
      {
        type: "streamable-http",
        url: "https://{host}/mcp",
        variables: {
          host: {
            description: "Host name of the operator's server; its sign-in is discovered from it.",
            isRequired: true,
            placeholder: "quotes.example.com",
          },
        },
      },
    ],
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version: packageVersion,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        environmentVariables: STDIO_SETTINGS.map(({ variable, meaning, schema }) => ({
          name: variable,
          description: `${meaning} (${schema.description})`,
          ...(schema === folder && { format: "filepath" }),
        })),
      },
    ],
  };
}

/** The manifest of the extension for Claude Desktop and other hosts: MCPB 0.3. */
export function extensionManifest() {
  return {
    manifest_version: "0.3",
    name,
    display_name: TITLE,
    version: packageVersion,
    description: TAGLINE,
    author: { name, url: homepage },
    homepage,
    icon: "icon.png",
    server: {
      type: "node",
      entry_point: "dist/cli.js",
      mcp_config: { command: "node", args: ["$" + "{__dirname}/dist/cli.js"], env: {} },
    },
    tools: tools
      .filter(({ listedOverMcp }) => listedOverMcp !== false)
      .map((tool) => ({ name: tool.name, description: tool.title })),
    keywords,
    license,
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: engines.node } },
  };
}
