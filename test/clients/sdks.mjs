import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as Sdk1Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Sdk1Stdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Sdk1Http } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { connected, journey, withServer } from "./journey.mjs";
import { emptyEnvironment } from "./server.mjs";

const INFO = { name: "journeys", version: "1.0.0" };
const MODES = [
  ["2025-11-25", undefined],
  ["2026-07-28, negotiated", { mode: "auto" }],
  ["2026-07-28, pinned", { mode: { pin: "2026-07-28" } }],
];
const sdk1 = { client: "SDK 1.x for TypeScript", from: "@modelcontextprotocol/sdk" };
const sdk2 = { client: "SDK 2.x for TypeScript", from: "@modelcontextprotocol/client" };

/** Each goes from a refused call to the checkout link. */
export const checks = [
  { ...sdk1, does: "journey over HTTP", run: (project) => overHttp(project, Sdk1Http, new Sdk1Client(INFO)) },
  { ...sdk1, does: "journey over stdio", run: ({ cli }) => overStdio(cli, Sdk1Stdio, new Sdk1Client(INFO)) },
  ...MODES.flatMap(([mode, versionNegotiation]) => {
    const client = () => new Client(INFO, { versionNegotiation });
    const revision = mode.slice(0, "2026-07-28".length);
    return [
      {
        ...sdk2,
        does: `journey over HTTP, ${mode}`,
        run: (project) => overHttp(project, StreamableHTTPClientTransport, client(), revision),
      },
      {
        ...sdk2,
        does: `journey over stdio, ${mode}`,
        run: ({ cli }) => overStdio(cli, StdioClientTransport, client(), revision),
      },
    ];
  }),
];

function overHttp(project, Transport, client, revision) {
  return withServer(project, async ({ endpoint, authorization }) => {
    const transport = new Transport(new URL(endpoint), { requestInit: { headers: { Authorization: authorization } } });
    await journey(await connected(client, transport, revision));
  });
}

async function overStdio(cli, Transport, client, revision) {
  const process = { command: globalThis.process.execPath, args: [cli], env: emptyEnvironment(), stderr: "ignore" };
  await journey(await connected(client, new Transport(process), revision));
}
