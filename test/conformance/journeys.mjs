import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Sdk1Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Sdk1Stdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Sdk1Http } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { browse, emptyEnvironment, newerNode, packagePath, startServer } from "./server.mjs";

const INFO = { name: "journeys", version: "1.0.0" };
const INSPECTOR = packagePath("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const MCP_REMOTE = packagePath("mcp-remote/dist/proxy.js");
const run = promisify(execFile);

/** List, quote, read and handoff with each client over each transport that it has. Resolves with the failures. */
export async function runJourneys(cli) {
  const server = await startServer(cli);
  const endpoint = new URL(`${server.url}/mcp`);
  const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
  const stdio = () => ({ command: process.execPath, args: [cli], env: emptyEnvironment(), stderr: "ignore" });
  const modes = { default: undefined, auto: { mode: "auto" }, pinned: { mode: { pin: "2026-07-28" } } };

  const journeys = [
    ["SDK 1.x over HTTP", () => connected(new Sdk1Client(INFO), new Sdk1Http(endpoint, { requestInit }))],
    ["SDK 1.x over stdio", () => connected(new Sdk1Client(INFO), new Sdk1Stdio(stdio()))],
    ...Object.entries(modes).flatMap(([mode, versionNegotiation]) => {
      const revision = mode === "default" ? "2025-11-25" : "2026-07-28";
      const client = () => new Client(INFO, { versionNegotiation });
      const http = () => new StreamableHTTPClientTransport(endpoint, { requestInit });
      return [
        [`client 2.x, ${mode}, over HTTP`, () => connected(client(), http(), revision)],
        [`client 2.x, ${mode}, over stdio`, () => connected(client(), new StdioClientTransport(stdio()), revision)],
      ];
    }),
    [
      "Inspector over HTTP",
      () =>
        inspected([
          "--transport",
          "http",
          "--server-url",
          endpoint.href,
          "--header",
          `Authorization: Bearer ${server.token}`,
        ]),
    ],
    ["Inspector over stdio", () => inspected(["--transport", "stdio", process.execPath, cli], emptyEnvironment())],
    ["mcp-remote with static client information", () => remote(server, endpoint)],
  ];
  const failures = [];
  for (const [name, open] of journeys) {
    try {
      await journey(open);
      process.stdout.write(`✔ journey: ${name}\n`);
    } catch (error) {
      failures.push(`journey: ${name}: ${error.stack}`);
      process.stdout.write(`✖ journey: ${name}\n`);
    }
  }
  await server.close();
  return failures;
}

async function journey(open) {
  const { tools, call, close } = await open();
  try {
    assert.equal((await tools()).length, 9);
    const { services } = await call("list_transfer_services", {});
    assert.ok(services.length >= 25);
    const pickup = new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    const quote = await call("create_transfer_quote", {
      origin: "Zurich Airport",
      destination: "Bern",
      pickup_datetime: `${pickup}T11:00:00Z`,
      passengers: 2,
      luggage: 2,
    });
    const { quote_id } = quote;
    assert.deepEqual(await call("get_transfer_quote", { quote_id }), quote);
    const [{ fleet_id, total_price }] = quote.options;
    const handoff = await call("create_checkout_handoff", { quote_id, fleet_id, traveler_approval: true });
    assert.equal(handoff.total_price, total_price);
    assert.match(handoff.checkout_url, /^http.*sig=/);
  } finally {
    await close();
  }
}

async function connected(client, transport, revision) {
  await client.connect(transport);
  if (revision) assert.equal(client.getNegotiatedProtocolVersion(), revision);
  return {
    tools: async () => (await client.listTools()).tools,
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args });
      assert.notEqual(result.isError, true, JSON.stringify(result));
      return result.structuredContent;
    },
    close: () => client.close(),
  };
}

/** The Inspector's command line connects anew for every call. */
async function inspected(target, env = {}) {
  const method = async (...args) => {
    const all = [INSPECTOR, "--cli", ...target, "--quiet", "--format", "json", ...args];
    const { stdout } = await run(newerNode, all, { env: { ...emptyEnvironment(), ...env } });
    const printed = JSON.parse(stdout);
    return printed.result ?? printed;
  };
  return {
    tools: async () => (await method("--method", "tools/list")).tools,
    async call(name, args) {
      const call = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)];
      const result = await method(...call);
      assert.notEqual(result.isError, true, JSON.stringify(result));
      return result.structuredContent;
    },
    async close() {},
  };
}

/** mcp-remote turns stdio into HTTP. It signs in at a browser, which this is. */
async function remote({ clientId, clientSecret }, endpoint) {
  const env = emptyEnvironment();
  const information = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
  const transport = new Sdk1Stdio({
    command: process.execPath,
    args: [MCP_REMOTE, endpoint.href, "--static-oauth-client-info", information, "--host", "127.0.0.1"],
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
  return connected(new Sdk1Client(INFO), transport);
}
