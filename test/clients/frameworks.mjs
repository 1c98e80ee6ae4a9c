import assert from "node:assert/strict";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { MCPToolset } from "@google/adk";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { MCPServerStdio, MCPServerStreamableHttp } from "@openai/agents-core";
import { aJourney, withServer } from "./journey.mjs";
import { emptyEnvironment } from "./server.mjs";

/**
 * `open` connects to a server over HTTP (`url`, `headers`) or stdio (`command`, `args`, `env`) and returns what the
 * framework makes of its tools: their names, and a call as an agent of the framework would have it made.
 */
const FRAMEWORKS = [
  {
    client: "LangChain",
    from: "@langchain/mcp-adapters",
    async open({ url, ...server }) {
      const transfer = url ? { transport: "http", url, ...server } : { transport: "stdio", ...server };
      const client = new MultiServerMCPClient({ mcpServers: { transfer } });
      const tools = await client.getTools();
      const call = (name, args) => tools.find((tool) => tool.name === name).invoke(args);
      return { names: tools.map(({ name }) => name), call, close: () => client.close() };
    },
  },
  {
    client: "AI SDK",
    from: "@ai-sdk/mcp",
    async open({ url, headers, ...server }) {
      const transport = url ? { type: "http", url, headers } : new Experimental_StdioMCPTransport(server);
      const client = await createMCPClient({ transport });
      const tools = await client.tools();
      const call = (name, args) => tools[name].execute(args, { toolCallId: "1", messages: [] });
      return { names: Object.keys(tools), call, close: () => client.close() };
    },
  },
  {
    client: "OpenAI Agents SDK",
    from: "@openai/agents-core",
    async open({ url, headers, ...server }) {
      // By default 5 s, which a busy machine may take to start the server.
      const patience = { clientSessionTimeoutSeconds: 60 };
      const remote = () => new MCPServerStreamableHttp({ url, requestInit: { headers }, ...patience });
      const client = url ? remote() : new MCPServerStdio({ ...server, ...patience });
      await client.connect();
      const tools = await client.listTools();
      const call = (name, args) => client.callTool(name, args);
      return { names: tools.map(({ name }) => name), call, close: () => client.close() };
    },
  },
  {
    client: "Agent Development Kit",
    from: "@google/adk",
    async open({ url, headers, ...serverParams }) {
      const remote = { type: "StreamableHTTPConnectionParams", url, transportOptions: { requestInit: { headers } } };
      const client = new MCPToolset(url ? remote : { type: "StdioConnectionParams", serverParams });
      const tools = await client.getTools();
      const call = (name, args) => tools.find((tool) => tool.name === name).runAsync({ args, toolContext: {} });
      return { names: tools.map(({ name }) => name), call, close: () => client.close() };
    },
  },
];

export const checks = FRAMEWORKS.flatMap(({ client, from, open }) => [
  {
    ...{ client, from, does: "short journey over stdio" },
    run: async ({ cli }) => converse(await open({ command: process.execPath, args: [cli], env: emptyEnvironment() })),
  },
  {
    ...{ client, from, does: "over HTTP with a token" },
    run: (project) =>
      withServer(project, async ({ endpoint, authorization }) =>
        converse(await open({ url: endpoint, headers: { Authorization: authorization } })),
      ),
  },
]);

/** From a refused call to the checkout link, by the texts that a model would read. */
export async function converse({ names, call, close }) {
  try {
    assert.equal(names.length, 9);
    const refused = await answerOf(() => call("create_transfer_quote", { ...aJourney(), origin: "Nowhere at all" }));
    assert.match(refused, /INVALID_LOCATION/);
    const quote = await answerOf(() => call("create_transfer_quote", aJourney()));
    const [, quote_id] = /"quote_id":\s*"(q_[\w-]+)"/.exec(quote) ?? assert.fail(quote);
    const handoff = { quote_id, fleet_id: 1, traveler_approval: true };
    assert.match(await answerOf(() => call("create_checkout_handoff", handoff)), /"checkout_url":\s*"http[^"]+sig=/);
  } finally {
    await close();
  }
}

/** As JSON without the escapes of texts within it; some frameworks throw what the tool reports as an error. */
async function answerOf(call) {
  try {
    const answer = await call();
    return (typeof answer === "string" ? answer : JSON.stringify(answer)).replaceAll("\\", "");
  } catch (error) {
    return error.message;
  }
}
