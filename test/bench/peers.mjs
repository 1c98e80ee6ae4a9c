// The frameworks bare: no authentication, budgets, measuring, store, logs or metrics, and canned answers. Arguments: the
// peer, a free port, a JSON file with the answers, and the module with the real tools. Prints a line when it listens.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { z } from "zod";

const [peer, port, answersFile, toolsModule] = process.argv.slice(2);
const answers = JSON.parse(readFileSync(answersFile, "utf8"));
const { tools } = await import(toolsModule);

const journey = {
  origin: z.string().min(1).max(512),
  destination: z.string().min(1).max(512),
  pickup_datetime: z.iso.datetime({ offset: true }),
  passengers: z.number().int().min(1).max(50).default(1),
  luggage: z.number().int().min(0).max(50).default(0),
};
const app = express();
const peers = {
  express() {
    const schema = z.strictObject(journey);
    app.get("/vehicle-classes", (_request, response) => void response.json(answers.vehicleClasses));
    app.post("/quotes", express.json(), (request, response) => {
      schema.parse(request.body);
      response.status(201).json(answers.create_transfer_quote);
    });
    listen();
  },
  stateless() {
    app.post("/mcp", express.json(), async (request, response) => {
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      const server = mcpServer();
      response.once("close", () => void server.close());
      await server.connect(transport);
      await transport.handleRequest(request, response, request.body);
    });
    listen();
  },
  stateful: () => listenWithSessions({}),
  /** With the output schemas, which a client sees in `tools/list` and the framework checks at each call. */
  described: () => listenWithSessions({ withOutputs: true }),
  async fastmcp() {
    const { FastMCP } = await import("fastmcp");
    const server = new FastMCP({ name: "peer", version: "1.0.0" });
    server.addTool({
      ...{ name: "create_transfer_quote", description: "Canned", parameters: z.object(journey) },
      execute: async () => JSON.stringify(answers.create_transfer_quote),
    });
    const httpStream = { port: Number(port), endpoint: "/mcp", stateless: true, enableJsonResponse: true };
    await server.start({ transportType: "httpStream", httpStream });
    process.stdout.write("listening\n");
  },
};
await peers[peer]();

function listen() {
  app.listen(Number(port), "127.0.0.1", () => process.stdout.write("listening\n"));
}

function listenWithSessions(options) {
  const sessions = new Map();
  app.post("/mcp", express.json(), async (request, response) => {
    let transport = sessions.get(request.get("mcp-session-id"));
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        enableJsonResponse: true,
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
      await mcpServer(options).connect(transport);
    }
    await transport.handleRequest(request, response, request.body);
  });
  listen();
}

function mcpServer({ withOutputs = false } = {}) {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  for (const { name, title, description, annotations, input, output } of tools) {
    const schemas = { inputSchema: input.shape, ...(withOutputs && { outputSchema: output.shape }) };
    server.registerTool(name, { title, description, annotations, ...schemas }, async () => {
      const structuredContent = answers[name];
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    });
  }
  return server;
}
