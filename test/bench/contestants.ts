import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { SCOPES } from "../../src/calls/operation.ts";
import { mintOffline } from "../../src/compose/compose-identity.ts";
import { readConfig } from "../../src/config/config.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { request } from "../support/service.ts";
import { aFolder } from "../support/temporary-folder.ts";

/** A server under load, and what it is sent in turn. */
export interface Contestant {
  readonly port: number;
  readonly pid: number;
  readonly requests: readonly string[];
}

interface Row {
  readonly path: string;
  /** A peer of `peers.mjs`. */
  readonly peer: string;
  readonly goal: number;
}

export const rows: readonly Row[] = [
  { path: "GET /vehicle-classes", peer: "express", goal: 2 },
  { path: "POST /quotes", peer: "express", goal: 1 },
  { path: "tools/call create_transfer_quote", peer: "stateless", goal: 4 },
  { path: "tools/call create_transfer_quote", peer: "fastmcp", goal: 4 },
  { path: "tools/call get_quote_requirements", peer: "stateful", goal: 3 },
  { path: "tools/list", peer: "described", goal: 20 },
];

const JOURNEYS = 1_120;
const TOKENS = 64;
const API = "/api/public/v1";

/** Starts the built server: its answers for the peers, and the requests of a row with many tokens and journeys in turn. */
export async function service(t: Pick<TestContext, "after">, env: Readonly<Record<string, string>> = {}) {
  const endless = { points: 1_000_000_000, seconds: 60 };
  const tiers = Object.keys(JSON.parse(readFileSync(join(packageRoot, "fixtures/catalog/budgets.json"), "utf8")));
  const budgets = Object.fromEntries(tiers.map((tier) => [tier, endless]));
  const dataDir = aFolder(t);
  const server = await startBuiltServer(t, {
    TRANSFER_DATA_DIR: dataDir,
    TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t, budgets),
    TRANSFER_LOG_LEVEL: "info",
    ...env,
  });
  const { publicUrl, child, token } = server;
  const { host, port } = new URL(publicUrl);
  const { mint } = await mintOffline(readConfig({ TRANSFER_DATA_DIR: dataDir }), publicUrl);
  const tokens = await Promise.all(Array.from({ length: TOKENS }, (_, n) => mint(`agent-${n}`, SCOPES, 3600)));
  const { services } = (await request(`${publicUrl}${API}/services/transfers`)).body;
  journeys.splice(0, journeys.length, ...priceable(services));

  return {
    server,
    contestant(row: Row): Contestant {
      const headers = (n: number) => ({ Host: host, Authorization: `Bearer ${tokens[n % TOKENS]}` });
      return { port: Number(port), pid: child.pid ?? 0, requests: requestsOf(row, API, headers) };
    },
    async answers() {
      const of = async (path: string, body?: unknown) =>
        (await request(`${publicUrl}${API}${path}`, { token, body })).body;
      return {
        vehicleClasses: await of("/vehicle-classes"),
        get_quote_requirements: await of("/quote-requirements"),
        create_transfer_quote: await of("/quotes", journeys[0]),
      };
    },
  };
}

/** A peer; with sessions where it has them. */
export async function framework(row: Row, port: number, pid: number): Promise<Contestant> {
  const clientInfo = { name: "bench", version: "1.0.0" };
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo };
  const sessions: string[] = [];
  const hasSessions = row.peer === "stateful" || row.peer === "described";
  while (hasSessions && sessions.length < TOKENS) {
    const { headers } = await request(`http://127.0.0.1:${port}/mcp`, {
      body: { jsonrpc: "2.0", id: 0, method: "initialize", params },
      headers: MCP_HEADERS,
    });
    sessions.push(headers.get("mcp-session-id") ?? "");
  }
  const headers = (n: number): Record<string, string> => ({
    Host: `127.0.0.1:${port}`,
    ...(hasSessions && { "Mcp-Session-Id": sessions[n % TOKENS] ?? "" }),
  });
  return { port, pid, requests: requestsOf(row, "", headers) };
}

const REVISION = "2025-06-18";
const MCP_HEADERS = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": REVISION };
const journeys: object[] = [];

/** Journeys between the ends of published corridors, at different hours. */
function priceable(services: readonly { origin: string; destination: string }[]): readonly object[] {
  const { pickup_datetime: noon } = aRealJourney() as { pickup_datetime: string };
  return Array.from({ length: JOURNEYS }, (_, n) => {
    const { origin = "", destination = "" } = services[n % services.length] ?? {};
    const hour = String(8 + Math.floor(n / services.length)).padStart(2, "0");
    const passengers = 1 + (n % 4);
    return { origin, destination, pickup_datetime: noon.replace("T12", `T${hour}`), passengers, luggage: n % 3 };
  });
}

function requestsOf({ path }: Row, api: string, headersOf: (n: number) => Record<string, string>): readonly string[] {
  const [method = "", name] = path.split(" ");
  return journeys.map((journey, n) => {
    if (method === "GET") return textOf(`GET ${api}${name}`, headersOf(n));
    if (method === "POST") return textOf(`POST ${api}${name}`, headersOf(n), journey);
    const params = name === undefined ? {} : { name, arguments: name === "create_transfer_quote" ? journey : {} };
    const message = { jsonrpc: "2.0", id: n, method, params };
    return textOf("POST /mcp", { ...MCP_HEADERS, ...headersOf(n) }, message);
  });
}

function textOf(line: string, headers: Readonly<Record<string, string>>, body?: object): string {
  const text = body ? JSON.stringify(body) : "";
  const all = {
    ...headers,
    ...(body && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(text)) }),
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n${text}`;
}
