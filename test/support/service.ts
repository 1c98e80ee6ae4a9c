import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { answersOf, startServer } from "../../src/operate/commands/serve.ts";
import type { Overrides } from "../../src/operate/compose/compose.ts";
import { readConfig } from "../../src/operate/config/config.ts";
import { errorFacts } from "../../src/ops/log.ts";
import { API_BASE } from "../../src/servers/http/request.ts";
import { SCOPES, type Scope } from "../../src/service/calls/operation.ts";
import { assertDeclared } from "./assert-declared.ts";
import { aClock, type FakeClock } from "./fake-clock.ts";
import { aFolder } from "./lifetime.ts";
import type { Fields } from "./mcp-client.ts";
import { patientFetch } from "./patient-fetch.ts";
import { aRateLimiter } from "./rate-limiter.ts";
import { aRecordingLog } from "./recording-log.ts";

export type TestService = Awaited<ReturnType<typeof aService>>;

export interface ApiOptions {
  readonly method?: string;
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, of any shape. */
  readonly body: Fields;
}

export interface ServiceOptions extends Overrides {
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: FakeClock;
  /** Whether the budgets of its catalog apply. Default: no test exceeds any. */
  readonly hasBudgets?: boolean;
}

/**
 * The whole service in this process, on a free loopback port, with an empty data folder and a fixed clock. The test
 * fails if the log contains private texts, tokens or signatures.
 */
export async function aService(t: Pick<TestContext, "after">, options: ServiceOptions = {}) {
  const { env = {}, clock = aClock(), log, hasBudgets = false, ...overrides } = options;
  const watched = aWatchedLog();
  let close = async () => {};
  // Registered before the removal of the folder, so that it runs first: a service that loses its lock ends the process.
  t.after(async () => {
    await close();
    watched.assertClean();
  });
  const dataDir = env.TRANSFER_DATA_DIR ?? aFolder(t);
  const config = readConfig({
    TRANSFER_HTTP_PORT: "0",
    TRANSFER_DRAIN_SECONDS: "0",
    TRANSFER_DATA_DIR: dataDir,
    ...env,
  });
  const server = await startServer(config, {
    ...(!hasBudgets && { limiter: aRateLimiter() }),
    ...overrides,
    ...{ clock, log: log ?? watched.log },
  });
  let closed: Promise<void> | undefined;
  close = () => {
    closed ??= server.close();
    return closed;
  };
  const { mint } = server.service.identity;

  return {
    publicUrl: server.publicUrl,
    dataDir,
    /** What the commands `reload` and `confirm` ask of it. */
    answer: answersOf(server.service),
    clock,
    close: () => close(),
    /** A token of the development issuer. */
    async token({
      subject = "agent-1",
      scopes = SCOPES,
      lifetimeSeconds = 3600,
    }: {
      subject?: string;
      scopes?: readonly Scope[];
      lifetimeSeconds?: number;
    } = {}): Promise<string> {
      if (!mint) throw new Error("this service has an identity provider of its own");
      return mint(subject, scopes, lifetimeSeconds);
    },
    /** A call of the REST API; `path` is relative to its base. */
    async api(path: string, apiOptions?: ApiOptions): Promise<ApiAnswer> {
      const { body, text, token } = apiOptions ?? {};
      const method = apiOptions?.method ?? (body === undefined && text === undefined ? "GET" : "POST");
      const answer = await request(`${server.publicUrl}${API_BASE}${path}`, apiOptions);
      for (const each of [body, answer.body, { access_token: token }]) watched.hide(each);
      assertDeclared(method, path, answer);
      return answer;
    },
  };
}

/** One request, repeated while the server sheds load. */
export async function request(
  url: string,
  { method, token, body, text, headers = {} }: ApiOptions = {},
): Promise<ApiAnswer> {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await patientFetch(url, {
    method: method ?? (sent === undefined ? "GET" : "POST"),
    headers: {
      ...(sent !== undefined && { "Content-Type": "application/json" }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, body: parsed(answer) };
}

/** The text parsed as JSON; `undefined` where it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Fields of requests and answers with places, personal data or secrets. */
const PRIVATE = /^(origin|destination|name|address|phone|email|notes|sig|checkout_url|access_token|idempotency_key)$/;
const TOKEN = /eyJ[\w-]+\.[\w-]+|[?&]sig=/;
/** Shorter texts may occur in identifiers and hashes by chance. */
const SHORTEST = 8;

/** A log whose lines must contain nothing private. */
function aWatchedLog() {
  const { log, records } = aRecordingLog();
  const hidden = new Set<string>();
  return {
    log,
    /** Collects private texts of a request or an answer, which no line may contain. */
    hide(value: unknown) {
      JSON.stringify(value, (field, each) => {
        if (PRIVATE.test(field) && typeof each === "string" && each.length >= SHORTEST) hidden.add(each);
        return each;
      });
    },
    /** Fails where a line contains a private text, a token or a signature. */
    assertClean() {
      for (const { facts, message } of records) {
        const line = JSON.stringify({ ...facts, ...(facts.err ? { err: errorFacts(facts.err) } : {}), message });
        assert.doesNotMatch(line, TOKEN);
        for (const text of hidden)
          assert.ok(!line.includes(JSON.stringify(text).slice(1, -1)), `${text} is in the log: ${line}`);
      }
    },
  };
}
