import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { connected, journey, withServer } from "./journey.mjs";
import { browse, emptyEnvironment, packagePath } from "./server.mjs";

const PROXY = packagePath("mcp-remote/dist/proxy.js");
const remote = { client: "`mcp-remote`", from: "mcp-remote" };

/** It turns stdio into HTTP. */
export const mcpRemote = [
  {
    ...remote,
    does: "journey, signed in in a browser as the demo client",
    run: (project) =>
      withServer(project, (server) => {
        const information = JSON.stringify({ client_id: server.clientId });
        return through(server, ["--static-oauth-client-info", information, "--host", "127.0.0.1"]);
      }),
  },
  {
    ...remote,
    does: "journey with client credentials",
    run: (project) =>
      withServer(project, (server) => {
        const information = JSON.stringify({ client_id: server.clientId, client_secret: server.clientSecret });
        return through(server, ["--client-credentials", "--static-oauth-client-info", information]);
      }),
  },
  {
    ...remote,
    does: "journey with a token",
    run: (project) =>
      withServer(project, (server) => through(server, ["--header", `Authorization: ${server.authorization}`])),
  },
  {
    ...remote,
    does: "journey with a registration",
    run: (project) =>
      withServer(project, (server) => through(server, ["--host", "127.0.0.1"]), { TRANSFER_DEV_REGISTRATION: "true" }),
  },
];

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
