import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import type { BuiltServer } from "./built-process.ts";
import { aRealJourney } from "./journey-fixture.ts";
import type { LoadReport } from "./load-client.ts";
import { runsModule } from "./run-module.ts";

const CLIENT = runsModule("test/support/load-client");
/** The first burst is served by design, and code gets compiled. */
const SETTLE_MS = 2_000;

/** Posts the same journey over many connections for some milliseconds. */
export async function loadOf(
  t: Pick<TestContext, "after">,
  server: BuiltServer,
  path: string,
  connections: number,
  milliseconds: number,
): Promise<LoadReport> {
  const { host, port } = new URL(server.publicUrl);
  const body = JSON.stringify(aRealJourney());
  const head = [
    `POST /api/public/v1${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${server.token}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  const requests = [`${head.join("\r\n")}\r\n\r\n${body}`];
  return sendLoad(t, { port: Number(port), connections, milliseconds, settleMs: SETTLE_MS, requests });
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

/** A metric of the server; `name` is a regular expression, so braces are escaped. */
export async function metricOf({ publicUrl }: BuiltServer, name: string): Promise<number> {
  const response = await fetch(`${publicUrl}/metrics`);
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await response.text())?.[1]);
}
