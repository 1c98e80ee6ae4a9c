import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { connected, journey, withServer } from "./journey.mjs";
import { browse, emptyEnvironment, packagePath } from "./server.mjs";

const PROXY = packagePath("mcp-remote/dist/proxy.js");
const asClient = (information) => ["--static-oauth-client-info", JSON.stringify(information)];
/** Ways to sign in, with the arguments of each and what the server is set to. */
const WAYS = [
  [
    "journey, signed in in a browser as the demo client",
    ({ clientId }) => ["--host", "127.0.0.1", ...asClient({ client_id: clientId })],
  ],
  [
    "journey with client credentials",
    ({ clientId, clientSecret }) => [
      "--client-credentials",
      ...asClient({ client_id: clientId, client_secret: clientSecret }),
    ],
  ],
  ["journey with a token", ({ authorization }) => ["--header", `Authorization: ${authorization}`]],
  ["journey with a registration", () => ["--host", "127.0.0.1"], { TRANSFER_DEV_REGISTRATION: "true" }],
];

/** It turns stdio into HTTP. */
export const checks = WAYS.map(([does, options, env]) => ({
  ...{ client: "`mcp-remote`", from: "mcp-remote", does },
  run: (project) => withServer(project, (server) => through(server, options(server)), env),
}));

/** Where it waits for a person to sign in, this follows the redirects as a browser does. */
async function through({ endpoint }, options) {
  const env = emptyEnvironment();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROXY, endpoint, ...options],
    env: { ...env, MCP_REMOTE_CONFIG_DIR: join(env.TRANSFER_DATA_DIR, "mcp-remote"), BROWSER: "true" },
    stderr: "pipe",
  });
  let printed = "";
  transport.stderr?.on("data", (chunk) => {
    printed += chunk;
    const [, url] = /(http:\S+response_type=code\S+)[\s\S]*Waiting for authorization/.exec(printed) ?? [];
    if (!url) return;
    printed = "";
    browse(url).catch(() => transport.close());
  });
  await journey(await connected(new Client({ name: "journeys", version: "1.0.0" }), transport));
}
