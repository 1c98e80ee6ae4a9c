import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KEPT_DATA } from "../../rest-shim/about-pages.ts";
import { settings } from "../../src/config/settings.ts";
import { packageRoot, packageVersion } from "../../src/ops/package-root.ts";
import { tools } from "../../tools/tools.ts";
import { table } from "./generated-tables.ts";

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
const TITLE = "Transfer quotes Switzerland";
/** At most 100 characters. */
const TAGLINE = "Binding prices for passenger transfers in Switzerland, and signed checkout links for travelers.";
const { catalogDir, dataDir, checkoutUrl, logLevel } = settings;
/** Settings that make sense for a process that a host starts over stdio. */
const STDIO_SETTINGS = [catalogDir, dataDir, checkoutUrl, logLevel];

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
        environmentVariables: STDIO_SETTINGS.map(({ variable, meaning, kind }) => ({
          name: variable,
          description: `${meaning} (${kind.allowed})`,
          ...(kind.allowed.startsWith("a folder") && { format: "filepath" }),
        })),
      },
    ],
  };
}

/** The manifest of the extension for Claude Desktop and other hosts: MCPB 0.3. */
export function extensionManifest(): object {
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

/** `docs/listing.md`: what directories of MCP servers ask for. */
export function listing(): string {
  const yes = (value: boolean) => (value ? "yes" : "no");
  return `# Listing

What registries and directories of MCP servers ask for. \`npm run docs\` writes this page and [server.json](../server.json) from the code.

| | |
| --- | --- |
| Name | ${TITLE} |
| Registry name | \`${mcpName}\` |
| In one line | ${TAGLINE} |
| Category | travel |
| Transports | Streamable HTTP at \`https://HOST/mcp\`, stdio by \`npx -y ${name}\` |
| Sign-in | OAuth 2.1 at the operator's identity provider, discovered from the 401 answer; none over stdio |
| Privacy | \`https://HOST/privacy\` |
| Support | \`https://HOST/support\` |
| Reference | \`https://HOST/docs\` |
| Icons | \`https://HOST/favicon.svg\`, [icon.png](images/icon.png) with 512 × 512 pixels |
| Pictures | [quote card](images/quote-card.png), [traveler's page](images/traveler-page.png), [API reference](images/reference.png) |

## Publish

The registry accepts a name only from the owner of its namespace, and \`${mcpName}\` is a placeholder that nobody can publish. So are \`homepage\` and \`repository\` in \`package.json\`: \`npm pack\` names each placeholder that is left.

- To publish the package: set \`name\`, \`mcpName\`, \`homepage\` and \`repository\` in \`package.json\` to your own (\`mcpName\` is \`io.github.YOU/${name}\`, or your domain in reverse, as in \`com.example/${name}\`), run \`npm run docs\`, then \`npm publish\`. The registry compares \`mcpName\` in the published package with \`name\` in \`server.json\`.
- To list only a server that you run: copy \`server.json\`, set \`name\`, set the \`url\` of the remote to \`https://HOST/mcp\` without \`variables\`, and delete \`packages\`. The server must be reachable from the internet.
- In both cases: \`mcp-publisher login github\` (or \`login dns\` for a domain), \`mcp-publisher validate\`, \`mcp-publisher publish\`. A version is published once: increase \`version\` in \`package.json\` for each change.

## Extension for Claude Desktop

\`npm run mcpb\` in a built clone writes \`${name}.mcpb\`, which Claude Desktop installs with a double click; it runs without the clone. The command is:

\`\`\`sh
npm run mcpb
\`\`\`

Its checkout links open on the same machine as long as the host runs it. CI packs it, validates it and gets a quote from what is unpacked.

## Description

An agent asks for a journey and gets a price that is fixed for 30 minutes: route measured by the server, vehicle classes with seats and luggage, night and holiday surcharges, car trains and tolls, each on a line of its own. After the traveler's explicit yes the agent gets a signed link; the traveler pays on the operator's page. The agent never handles payment data.

## Requests to try

- How much is a private transfer from Zurich Airport to Zermatt on Saturday at 2 pm, four people with skis?
- Estimate a van from Geneva Airport to Verbier next Friday, and back on Sunday evening.
- Get the checkout link for the minivan: the traveler has agreed to the price.

## Tools

${table(
  ["Tool", "Title", "Only reads", "Destructive", "Idempotent", "Scope besides `discovery`"],
  tools.map(({ name: tool, title, annotations, access }) => [
    `\`${tool}\``,
    title,
    yes(annotations.readOnlyHint),
    yes(annotations.destructiveHint),
    yes(annotations.idempotentHint),
    access.kind === "scope" ? `\`${access.scope}\`` : "none",
  ]),
)}

## Privacy

${table(["What is kept", "Where", "How long"], KEPT_DATA)}

A geocoder or routing engine that the operator has configured receives the texts and positions of a journey, nothing about the caller.
`;
}
