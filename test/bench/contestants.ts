import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { mintOffline } from "../../src/operate/compose/compose-identity.ts";
import { readConfig } from "../../src/operate/config/config.ts";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/lifetime.ts";
import { runsModule } from "../support/run-module.ts";
import { request } from "../support/service.ts";
import type { LoadReport } from "./load-client.ts";

/** A server under load, and what it is sent in turn. */
export interface Contestant {
  readonly port: number;
  readonly pid: number;
  readonly requests: readonly string[];
}

type HeadersOf = (n: number) => Readonly<Record<string, string>>;

const CLIENT = runsModule("test/bench/load-client");
const JOURNEYS = 1_120;
const TOKENS = 64;
const REVISION = "2025-06-18";
const MCP_HEADERS = { Accept: "application/json, text/event-stream", "MCP-Protocol-Version": REVISION };
const API = "/api/public/v1";
/** Headers that Node and Express set themselves. */
const OWN_HEADERS = new Set(["connection", "content-length", "date", "etag", "keep-alive", "transfer-encoding"]);
const journeys: object[] = [];

/** Starts the built server with endless budgets, and learns the journeys and answers that every contestant gets. */
export async function service(t: Pick<TestContext, "after">) {
  const dataDir = aFolder(t);
  const { publicUrl, child, token } = await startBuiltServer(t, {
    TRANSFER_DATA_DIR: dataDir,
    TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t),
    TRANSFER_LOG_LEVEL: "info",
  });
  const { mint, issuer } = await mintOffline(readConfig({ TRANSFER_DATA_DIR: dataDir }), publicUrl);
  const tokens = await Promise.all(Array.from({ length: TOKENS }, (_, n) => mint(`agent-${n}`, SCOPES, 3600)));
  const of = async (path: string) => (await request(`${publicUrl}${API}${path}`, { token })).body;
  journeys.splice(0, journeys.length, ...journeysBetween((await of("/services/transfers")).services));
  const { host, port } = new URL(publicUrl);
  return {
    api: API,
    address: { port: Number(port), pid: child.pid ?? 0 },
    headers: (n: number) => ({ Host: host, Authorization: `Bearer ${tokens[n % TOKENS]}` }),
    async forPeers() {
      const { keys } = (await request(`${issuer}/.well-known/jwks.json`)).body;
      const answers = {
        list_vehicle_classes: await of("/vehicle-classes"),
        get_quote_requirements: await of("/quote-requirements"),
        create_transfer_quote: (await request(`${publicUrl}${API}/quotes`, { token, body: journeys[0] })).body,
      };
      const { headers: sent } = await request(`${publicUrl}${API}/vehicle-classes`, { token });
      const headers = [...sent].filter(([name]) => !OWN_HEADERS.has(name));
      return { answers, publicKey: keys[0], headers };
    },
  };
}

/** A peer that listens; with sessions where it has them. */
export async function contestantOf(
  path: string,
  peer: string,
  port: number,
  pid: number,
  headersOf: HeadersOf,
): Promise<Contestant> {
  const sessions: string[] = [];
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } };
  while (peer === "sdk" && sessions.length < TOKENS) {
    const body = { jsonrpc: "2.0", id: 0, method: "initialize", params };
    const { headers } = await request(`http://127.0.0.1:${port}/mcp`, { body, headers: MCP_HEADERS });
    sessions.push(headers.get("mcp-session-id") ?? "");
  }
  const headers = (n: number) => ({
    ...headersOf(n),
    Host: `127.0.0.1:${port}`,
    ...(peer === "sdk" && { "Mcp-Session-Id": sessions[n % TOKENS] ?? "" }),
  });
  return { port, pid, requests: requestsOf(path, "", headers) };
}

/** The same calls for every contestant, with many tokens and journeys in turn. */
export function requestsOf(path: string, api: string, headersOf: HeadersOf): readonly string[] {
  const [method = "", name] = path.split(" ");
  return journeys.map((journey, n) => {
    // Discovery needs no token.
    if (method === "GET") return textOf(`GET ${api}${name}`, { Host: headersOf(n).Host ?? "" });
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

/** Between the ends of published corridors, at different hours. */
export function journeysBetween(services: readonly { origin: string; destination: string }[]): readonly object[] {
  const { pickup_datetime: noon } = aRealJourney() as { pickup_datetime: string };
  return Array.from({ length: JOURNEYS }, (_, n) => {
    const { origin = "", destination = "" } = services[n % services.length] ?? {};
    const hour = String(8 + Math.floor(n / services.length)).padStart(2, "0");
    const passengers = 1 + (n % 4);
    return { origin, destination, pickup_datetime: noon.replace("T12", `T${hour}`), passengers, luggage: n % 3 };
  });
}

interface RawLoad {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Milliseconds before times count. */
  readonly settleMs: number;
  /** Sent in turn. */
  readonly requests: readonly string[];
}

/** Sends requests over many connections, from a process that measures only the server. */
export async function sendLoad(t: Pick<TestContext, "after">, load: RawLoad): Promise<LoadReport> {
  const args = [load.port, load.connections, load.milliseconds, load.settleMs].map(String);
  const child = spawn(process.execPath, [...CLIENT, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  child.stdin.end(JSON.stringify(load.requests));
  return JSON.parse(await text(child.stdout));
}
