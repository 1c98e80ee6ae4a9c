import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once as event } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type BuiltServer, startBuiltServer } from "./built-process.ts";
import { startIssuer, type TestIssuer } from "./issuer.ts";
import { aRealJourney } from "./journey-fixture.ts";
import type { Fields } from "./mcp-client.ts";
import { type ApiAnswer, type ApiOptions, request } from "./service.ts";

export const SECRET = "a-checkout-secret-of-the-tests-0123456789";

/** Built processes on one database, one Redis and one identity provider. */
export async function machines(
  t: Pick<TestContext, "after">,
  options: { readonly databaseUrl: string; readonly redisUrl: string; readonly catalogDir: string },
) {
  const { issuer, audience, jwksUrl, sign }: TestIssuer = await startIssuer(t);
  const env = {
    TRANSFER_DATABASE_URL: options.databaseUrl,
    TRANSFER_REDIS_URL: options.redisUrl,
    TRANSFER_CATALOG_DIR: options.catalogDir,
    TRANSFER_CHECKOUT_SECRET: SECRET,
    TRANSFER_AUTH_ISSUER: issuer,
    TRANSFER_AUTH_AUDIENCE: audience,
    TRANSFER_AUTH_JWKS_URL: jwksUrl,
  };
  const scope = "quote:create quote:read-own checkout:prepare discovery";
  return {
    env,
    /** A token that all processes accept; by default of a new subject. */
    token: (sub = `agent-${randomUUID()}`) => sign({ sub, scope }),
    start: (more: Readonly<Record<string, string>> = {}) => startBuiltServer(t, { ...env, ...more }),
  };
}

/**
 * Repeats `work` if it fails and a process logs that Redis or PostgreSQL is unavailable: on a busy machine they may
 * reply too late, and the process then counts budgets in its own memory or answers 503, as intended.
 */
export async function whileServicesReply(servers: readonly BuiltServer[], work: () => Promise<void>): Promise<void> {
  const outages = () =>
    servers.map(({ stderr }) => stderr().split(/"Redis is unavailable|"quotes cannot be/).length).join();
  for (const deadline = performance.now() + 30_000; ; ) {
    const before = outages();
    try {
      return await work();
    } catch (error) {
      // Waits for log lines that were written before the answer.
      await pause(100);
      if (outages() === before || performance.now() > deadline) throw error;
    }
  }
}

/** A call of the REST API of one process. */
export function at({ publicUrl }: BuiltServer, path: string, options?: ApiOptions): Promise<ApiAnswer> {
  return request(`${publicUrl}/api/public/v1${path}`, options);
}

/** The handoff request for the first option of a quote. */
export function termsOf(quote: ApiAnswer["body"]): Record<string, unknown> {
  return { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
}

/** A free port, for a server that has to restart on the same port. */
export async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await event(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await event(server, "close");
  return port;
}

/** The value of a metric. `name` is a regular expression: escape braces. */
export async function metricOf({ publicUrl }: BuiltServer, name: string): Promise<number> {
  const response = await fetch(`${publicUrl}/metrics`);
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await response.text())?.[1]);
}

/** The path under the REST API that opens a checkout link, as its page does. */
export function linkPath({ quote_id, checkout_url }: Fields): string {
  return `/checkout-sessions/${quote_id}${new URL(checkout_url).search}`;
}

/** A whole sale: creates a quote and a handoff, and opens the link. */
export async function sell(server: BuiltServer, journey = aRealJourney()) {
  const { token } = server;
  const { body: quote } = await at(server, "/quotes", { token, body: journey });
  const { body: handoff } = await at(server, "/checkout-sessions", { token, body: termsOf(quote) });
  const { status, body: resolved } = await at(server, linkPath(handoff));
  assert.equal(status, 200);
  return { quote, handoff, resolved };
}
