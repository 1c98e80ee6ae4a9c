import { randomUUID } from "node:crypto";
import { once as event } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type BuiltServer, startBuiltServer } from "./built-process.ts";
import { startIssuer, type TestIssuer } from "./issuer.ts";
import { aQuoteRequest } from "./journey-fixture.ts";
import { type ApiAnswer, type ApiOptions, request } from "./service.ts";

export const SECRET = "a-checkout-secret-of-the-tests-0123456789";

/** What several processes have in common. */
export interface Machines {
  readonly env: Readonly<Record<string, string>>;
  /** A token that each of them accepts, of a subject that no other test has unless one is named. */
  token(subject?: string): Promise<string>;
  start(more?: Readonly<Record<string, string>>): Promise<BuiltServer>;
}

export interface MachinesOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly catalogDir: string;
}

/** Built processes on one database, one Redis and one identity provider. */
export async function machines(t: Pick<TestContext, "after">, options: MachinesOptions): Promise<Machines> {
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
    token: (sub = `agent-${randomUUID()}`) => sign({ sub, scope }),
    start: (more = {}) => startBuiltServer(t, { ...env, ...more }),
  };
}

/**
 * A call of the REST API of one process, sent again where that has too much to do: on a small machine that runs other
 * tests too, a process may be right to say so.
 */
export async function at(server: BuiltServer, path: string, options?: ApiOptions): Promise<ApiAnswer> {
  for (const deadline = performance.now() + 30_000; ; await pause(50)) {
    const answer = await once(server, path, options);
    if (!isShed(answer) || performance.now() > deadline) return answer;
  }
}

/** The same, sent once. */
export function once({ publicUrl }: BuiltServer, path: string, options?: ApiOptions): Promise<ApiAnswer> {
  return request(`${publicUrl}/api/public/v1${path}`, options);
}

/** Whether the process had too much to do. */
export function isShed({ status, headers }: ApiAnswer): boolean {
  return status === 503 && headers.has("retry-after");
}

/** A journey a week from now: real processes have the real date. */
export function aRealJourney(overrides: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const pickup_datetime = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString();
  return aQuoteRequest({ pickup_datetime, ...overrides });
}

/** Of an agent who hands over the first option of a quote. */
export function termsOf(quote: ApiAnswer["body"]): Record<string, unknown> {
  return { quote_id: quote.quote_id, fleet_id: quote.options[0].fleet_id, traveler_approval: true };
}

/** A port that was free a moment ago, for a server that must come back under the same one. */
export async function aFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await event(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await event(server, "close");
  return port;
}
