import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { converse } from "./frameworks.mjs";
import { aJourney, connected, freePort, journey, withServer } from "./journey.mjs";
import { emptyEnvironment, packagePath, startProgram } from "./server.mjs";

const run = promisify(execFile);
const INFO = { name: "journeys", version: "1.0.0" };

export const checks = [
  {
    ...{ client: "mcporter", from: "mcporter", does: "short journey over stdio" },
    run: ({ cli }) => throughMcporter({ command: process.execPath, args: [cli], env: emptyEnvironment() }),
  },
  {
    ...{ client: "mcporter", from: "mcporter", does: "over HTTP with a token" },
    run: (project) =>
      withServer(project, ({ endpoint, authorization }) =>
        throughMcporter({ baseUrl: endpoint, headers: { Authorization: authorization } }),
      ),
  },
  {
    ...{ client: "supergateway", from: "supergateway", does: "journey over HTTP to the server over stdio" },
    run: ({ cli }) =>
      throughGateway((port) => {
        const options = ["--outputTransport", "streamableHttp", "--port", port];
        return ["supergateway/dist/index.js", "--stdio", `${process.execPath} ${cli}`, ...options];
      }, /Listening on port/),
  },
  {
    ...{ client: "openapi-mcp-server", from: "@ivotoby/openapi-mcp-server" },
    does: "short journey by MCP tools made of the OpenAPI document",
    run: throughOpenApi,
  },
];

async function throughMcporter(server) {
  const { TRANSFER_DATA_DIR: HOME, ...env } = emptyEnvironment();
  const config = join(HOME, "mcp.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { transfer: server } }));
  const mcporter = async (...args) => {
    const command = [packagePath("mcporter/dist/cli.js"), "--config", config, ...args];
    const { stdout, stderr } = await run(process.execPath, command, { env: { ...env, HOME }, cwd: HOME }).catch(
      (error) => error,
    );
    return stdout || stderr;
  };
  const { tools } = JSON.parse(await mcporter("list", "transfer", "--json"));
  const call = (name, args) => mcporter("call", `transfer.${name}`, "--args", JSON.stringify(args), "--output", "json");
  await converse({ names: tools.map(({ name }) => name), call, close: () => undefined });
}

/** `command` is the program and its arguments by the port to listen on; it prints `ready`. */
async function throughGateway(command, ready) {
  const port = await freePort();
  const [program, ...options] = command(port);
  const gateway = await startProgram([packagePath(program), ...options], {}, ready);
  try {
    await listening(Number(port));
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
    await journey(await connected(new Client(INFO), transport));
  } finally {
    await gateway.close();
  }
}

/** Some programs say that they listen before they do. */
async function listening(port) {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await setTimeout(100);
  }
}

/** Its tools are the REST operations, with names that it makes of theirs. */
function throughOpenApi(project) {
  return withServer(project, async ({ url, authorization }) => {
    const options = ["--api-base-url", `${url}/api/public/v1`, "--openapi-spec", `${url}/openapi.json`];
    const args = [packagePath("@ivotoby/openapi-mcp-server/bin/mcp-server.js"), ...options, "--tools", "all"];
    const client = new Client(INFO);
    const headers = ["--headers", `Authorization:${authorization}`];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [...args, ...headers], stderr: "ignore" }),
    );
    const { tools } = await client.listTools();
    const called = (pattern, body) =>
      client.callTool({ name: tools.find(({ name }) => pattern.test(name)).name, arguments: body });
    try {
      const refused = await called(/^cr.*-quote$/, { ...aJourney(), origin: "Nowhere at all" });
      assert.match(JSON.stringify(refused), /INVALID_LOCATION/);
      const quote = await called(/^cr.*-quote$/, aJourney());
      const { quote_id } = JSON.parse(quote.content[0].text);
      const handoff = await called(/^cr.*-checkout-handoff$/, { quote_id, fleet_id: 1, traveler_approval: true });
      assert.match(JSON.parse(handoff.content[0].text).checkout_url, /sig=/);
    } finally {
      await client.close();
    }
  });
}
