import { randomUUID } from "node:crypto";
import { once as event } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type BuiltServer, startBuiltServer } from "./built-process.ts";
import { startIssuer, type TestIssuer } from "./issuer.ts";
import { type ApiAnswer, type ApiOptions, request } from "./service.ts";

export const SECRET = "a-checkout-secret-of-the-tests-0123456789";

/** What several processes share. */
export interface Machines {
  readonly env: Readonly<Record<string, string>>;
  /** A token that each of them accepts; without a subject, of a new one. */
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

/** A call of the REST API of one process, retried while the process sheds load. */
export function at(server: BuiltServer, path: string, options?: ApiOptions): Promise<ApiAnswer> {
  return untilServed(() => once(server, path, options));
}

/** Retries while the server sheds load, at most 30 s: beside other tests a small machine may be overloaded. */
export async function untilServed<A extends Pick<ApiAnswer, "status" | "headers">>(send: () => Promise<A>): Promise<A> {
  for (const deadline = performance.now() + 30_000; ; await pause(50)) {
    const answer = await send();
    if (!isShed(answer) || performance.now() > deadline) return answer;
  }
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

/** The same without retries. */
export function once({ publicUrl }: BuiltServer, path: string, options?: ApiOptions): Promise<ApiAnswer> {
  return request(`${publicUrl}/api/public/v1${path}`, options);
}

/** Whether the process rejected the call to shed load. */
function isShed({ status, headers }: Pick<ApiAnswer, "status" | "headers">): boolean {
  return status === 503 && headers.has("retry-after");
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
