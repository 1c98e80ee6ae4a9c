import type { TestContext } from "node:test";
import type { BuiltServer } from "../support/built-process.ts";
import type { LoadReport } from "../support/load-client.ts";
import { loadOf, sendLoad } from "../support/raw-load.ts";

interface Beside {
  readonly path: string;
  readonly aloneBefore: number;
  readonly beside: number;
  readonly aloneAfter: number;
  /** Of the other path. */
  readonly others: LoadReport;
}

const QUOTE_CONNECTIONS = 16;
const OTHER_CONNECTIONS = 48;
const PATHS = ["/metrics", "/openapi.json", "/readyz", "/docs", "/llms.txt", "/healthz", "/nothing"];

/** Quotes a second alone, and beside 48 connections that ask for another path without a pause. */
export async function besideOthers(
  t: Pick<TestContext, "after">,
  server: BuiltServer,
  seconds: number,
): Promise<readonly Beside[]> {
  const { host, port } = new URL(server.publicUrl);
  const rows: Beside[] = [];
  const quotes = async () => (await loadOf(t, server, "/quotes", QUOTE_CONNECTIONS, seconds * 1_000)).perSecond;
  let aloneBefore = await quotes();
  for (const path of PATHS) {
    const requests = [`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`];
    const load = {
      port: Number(port),
      connections: OTHER_CONNECTIONS,
      milliseconds: (seconds + 1) * 1_000,
      settleMs: 0,
    };
    const [beside, others] = await Promise.all([quotes(), sendLoad(t, { ...load, requests })]);
    const aloneAfter = await quotes();
    rows.push({ path, aloneBefore, beside, aloneAfter, others });
    aloneBefore = aloneAfter;
  }
  return rows;
}
