// What the service is measured against, one of them in this process. Arguments: the peer, a free port, and a JSON file
// with the answers of the service and the public key of its tokens. Prints a line when it listens.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { importJWK, type JWK, jwtVerify } from "jose";
import pino from "pino";
import { Counter, Histogram } from "prom-client";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { createTransferQuote } from "../../tools/create-transfer-quote.ts";
import { tools } from "../../tools/tools.ts";

export interface PeerFile {
  readonly answers: Readonly<Record<string, Record<string, unknown>>>;
  readonly publicKey: JWK;
  /** Of a GET, as the service sets them. */
  readonly headers: readonly (readonly [string, string])[];
  /** Where the canned service keeps its quotes. */
  readonly folder: string;
}

/** As Node 24 has it, whose types the project does not use. */
interface Sqlite {
  readonly DatabaseSync: new (
    file: string,
  ) => { exec(sql: string): void; prepare(sql: string): { run(...values: readonly string[]): void } };
}

const [peer = "", port = "", file = ""] = process.argv.slice(2);
const { answers, publicKey, headers, folder }: PeerFile = JSON.parse(readFileSync(file, "utf8"));
const app = express();
const peers: Readonly<Record<string, () => unknown>> = { express: bareExpress, canned: cannedService, sdk: sdkServer };
await peers[peer]?.();
app.listen(Number(port), "127.0.0.1", () => process.stdout.write("listening\n"));

/** One answer, canned. */
function bareExpress(): void {
  app.get("/vehicle-classes", (_request, response) => void response.json(answers.list_vehicle_classes));
}

/** The SDK's own server with a session for each client, all tools, and canned answers. */
function sdkServer(): void {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  app.post("/mcp", express.json(), async (request, response) => {
    let transport = sessions.get(request.get("mcp-session-id") ?? "");
    if (!transport) {
      const created = new StreamableHTTPServerTransport({
        enableJsonResponse: true,
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, created),
      });
      await mcpServer(async (name) => answers[name] ?? {}).connect(created);
      transport = created;
    }
    await transport.handleRequest(request, response, request.body);
  });
}

/**
 * The service written in the plain way, with the same places, route and prices for every request: express.json, jose, Zod,
 * rate-limiter-flexible, a line of pino and metrics for each call, and SQLite with a durable transaction for quote and key.
 */
async function cannedService(): Promise<void> {
  const key = await importJWK(publicKey);
  const limiter = new RateLimiterMemory({ points: 1_000_000_000, duration: 60 });
  const log = pino(process.stderr);
  const { DatabaseSync }: Sqlite = await import("node:sqlite" as string);
  const database = new DatabaseSync(`${folder}/quotes.db`);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE quotes (id TEXT PRIMARY KEY, quote TEXT); CREATE TABLE keys (scope TEXT, answer TEXT)");
  const insertQuote = database.prepare("INSERT INTO quotes VALUES (?, ?)");
  const insertKey = database.prepare("INSERT INTO keys VALUES (?, ?)");
  const calls = new Counter({ name: "calls_total", help: "Calls", labelNames: ["operation"] });
  const seconds = new Histogram({ name: "call_seconds", help: "Seconds of a call", labelNames: ["operation"] });

  app.get("/vehicle-classes", async (request, response) => {
    const started = performance.now();
    await limiter.consume(request.ip ?? "");
    response.set(Object.fromEntries(headers)).json(answers.list_vehicle_classes);
    finished("list_vehicle_classes", started, { requestId: randomUUID() });
  });
  app.post("/quotes", express.json(), async (request, response) => {
    response.status(201).json(await quoted(request.get("authorization"), request.body));
  });
  app.post("/mcp", express.json(), async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = mcpServer((_name, input) => quoted(request.get("authorization"), input), [createTransferQuote]);
    response.once("close", () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  });

  async function quoted(authorization: string | undefined, body: unknown): Promise<Record<string, unknown>> {
    const started = performance.now();
    const { payload } = await jwtVerify(authorization?.slice("Bearer ".length) ?? "", key);
    if (!String(payload.scope).includes(SCOPES[0])) throw new Error("scope");
    const subject = payload.sub ?? "";
    await limiter.consume(subject);
    const requestId = randomUUID();
    const input = createTransferQuote.input.parse(body);
    const { origin, destination, pickup_datetime, passengers, luggage } = input;
    const asked = { origin, destination, pickup_datetime, passengers, luggage };
    const issued = { quote_id: randomUUID(), expires_at: new Date(Date.now() + 30 * 60_000).toISOString() };
    const answer = { ...answers.create_transfer_quote, ...asked, ...issued, request_id: requestId };
    database.exec("BEGIN IMMEDIATE");
    insertQuote.run(issued.quote_id, JSON.stringify(answer));
    insertKey.run(`${subject} ${requestId}`, JSON.stringify(answer));
    database.exec("COMMIT");
    finished("create_transfer_quote", started, { requestId, subject });
    return answer;
  }

  function finished(operation: string, started: number, call: Readonly<Record<string, string>>): void {
    const milliseconds = performance.now() - started;
    calls.inc({ operation });
    seconds.observe({ operation }, milliseconds / 1_000);
    log.info({ operation, ...call, milliseconds }, "call");
  }
}

function mcpServer(
  answer: (name: string, input: unknown) => Promise<Record<string, unknown>>,
  listed: readonly (typeof tools)[number][] = tools,
): McpServer {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  for (const { name, title, description, annotations, input, output } of listed) {
    const schemas = { inputSchema: input, outputSchema: output };
    server.registerTool(name, { title, description, annotations, ...schemas }, async (sent: unknown) => {
      const structuredContent = await answer(name, sent);
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    });
  }
  return server;
}
