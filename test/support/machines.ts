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
    /** A token that each of them accepts; without a subject, of a new one. */
    token: (sub = `agent-${randomUUID()}`) => sign({ sub, scope }),
    start: (more: Readonly<Record<string, string>> = {}) => startBuiltServer(t, { ...env, ...more }),
  };
}

/**
 * Repeats `work` where it failed and Redis replied too late meanwhile: a process then counts budgets on its own, as it
 * should, and a busy machine is no fault of it.
 */
export async function whileRedisReplies(servers: readonly BuiltServer[], work: () => Promise<void>): Promise<void> {
  const outages = () => servers.map(({ stderr }) => stderr().split('"Redis is unavailable').length).join();
  for (const deadline = performance.now() + 30_000; ; ) {
    const before = outages();
    try {
      return await work();
    } catch (error) {
      // What a process logged before it answered has arrived by now.
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

/** A port that was free a moment ago, for a server that must restart on the same one. */
export async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await event(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await event(server, "close");
  return port;
}

/** A metric of the server; `name` is a regular expression, so braces are escaped. */
export async function metricOf({ publicUrl }: BuiltServer, name: string): Promise<number> {
  const response = await fetch(`${publicUrl}/metrics`);
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(await response.text())?.[1]);
}

/** The path under the REST API that opens a checkout link, as its page does. */
export function linkPath({ quote_id, checkout_url }: Fields): string {
  return `/checkout-sessions/${quote_id}${new URL(checkout_url).search}`;
}

/** From a quote to its opened link, as an agent and its traveler sell it. */
export async function sell(server: BuiltServer): Promise<{ quote: Fields; handoff: Fields }> {
  const { token } = server;
  const { body: quote } = await at(server, "/quotes", { token, body: aRealJourney() });
  const { body: handoff } = await at(server, "/checkout-sessions", { token, body: termsOf(quote) });
  assert.equal((await at(server, linkPath(handoff))).status, 200);
  return { quote, handoff };
}
