import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { issueCredential, type NewCredential } from "../../src/adapters/identity/embedded/credentials.ts";
import { openIssuerStore } from "../../src/operate/compose/compose-embedded-issuer.ts";
import { readConfig } from "../../src/operate/config/config.ts";
import { API_BASE } from "../../src/servers/http/request.ts";
import { browse, type CookieJar } from "./browser.ts";
import { type Fields, REDIRECT, withoutEmpty } from "./development-issuer.ts";
import { aClock } from "./fake-clock.ts";
import { aFreePort } from "./machines.ts";
import { type ApiOptions, aService } from "./service.ts";

/** The public address, behind a proxy that ends TLS. */
export const PUBLIC_URL = "https://quotes.example.com";
export const ISSUER = `${PUBLIC_URL}/auth`;
const EMBEDDED = {
  ...{ TRANSFER_ISSUER: "embedded", TRANSFER_PUBLIC_URL: PUBLIC_URL, TRANSFER_TRUST_PROXY: "loopback" },
  // The packaged catalog is the fault.
  TRANSFER_ACCEPT_FAULTS: "true",
};

/** Sends what goes to the public address to a process, as the proxy does. Further headers are those of the caller. */
function proxyTo(port: number, forwarded: Fields = { "x-forwarded-proto": "https" }, address?: () => string) {
  return (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== PUBLIC_URL) return fetch(input, init);
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(forwarded)) headers.set(name, value);
    if (address) headers.set("x-forwarded-for", address());
    return fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, { ...init, headers });
  };
}

/** The service with the embedded issuer in this process, and requests to it through its proxy. */
export async function anEmbeddedIssuer(
  t: Pick<TestContext, "after">,
  env: Fields = {},
  { address, hasBudgets = false }: { readonly address?: () => string; readonly hasBudgets?: boolean } = {},
) {
  const port = await aFreePort();
  const given = { TRANSFER_HTTP_PORT: String(port), ...EMBEDDED, ...env };
  // Node's fetch keeps no Host header.
  const allowed = { TRANSFER_ALLOWED_HOSTS: `127.0.0.1:${port}` };
  const service = await aService(t, { env: { ...given, ...allowed }, clock: aClock(new Date()), hasBudgets });
  const settings = { ...given, TRANSFER_DATA_DIR: service.dataDir };
  return {
    ...service,
    port,
    settings,
    ...issuerAt(port, undefined, address),
    issue: (name: string, asked: NewCredential) => issue(settings, name, asked),
  };
}

/** Issues a credential as the command does; the secret of a machine. */
export async function issue(env: Fields, name: string, asked: NewCredential): Promise<string> {
  const store = await openIssuerStore(readConfig(env));
  const issued = await issueCredential(store, name, asked, new Date()).finally(store.close);
  assert.ok(issued, `${name} is new`);
  return issued.secret ?? "";
}

/** Requests to the issuer of the process at this port. */
export function issuerAt(port: number, forwarded?: Fields, address?: () => string) {
  const send = proxyTo(port, forwarded, address);
  return { send, token, consent, signIn, code, api };

  /** POSTs a form to the token endpoint; a field given as "" is omitted. */
  async function token(fields: Fields, headers: Fields = {}) {
    const body = new URLSearchParams(withoutEmpty(fields));
    const response = await send(`${ISSUER}/oauth/token`, { method: "POST", body, headers });
    return {
      status: response.status,
      body: (await response.json()) as Record<string, string>,
      headers: response.headers,
    };
  }

  /** A call of the REST API; `path` is relative to its base. */
  async function api(path: string, { token, body }: Pick<ApiOptions, "token" | "body">) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = { headers, ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }) };
    const response = await send(`${PUBLIC_URL}${API_BASE}${path}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  /** The page that asks the person. */
  function consent(url: URL, jar: CookieJar = new Map()) {
    return browse(url, jar, send);
  }

  /** Signs in as a person does, up to where the client is called back. */
  async function signIn(url: URL, answer = "allow") {
    const jar: CookieJar = new Map();
    const page = await consent(url, jar);
    if (page.location || page.status !== 200) return page;
    return browse(page.url, jar, send, `answer=${answer}`);
  }

  /** A code, and what redeems it. */
  async function code(client: string, changes: Fields = {}) {
    const { url, verifier } = authorizeUrl(client, changes);
    const { location, text } = await signIn(url);
    const code = location?.searchParams.get("code") ?? assert.fail(location?.href ?? text);
    const redirect_uri = changes.redirect_uri ?? REDIRECT;
    return { grant_type: "authorization_code", client_id: client, code, redirect_uri, code_verifier: verifier };
  }
}

/** The address where a client sends a person, with these changes; a field given as "" is omitted. */
export function authorizeUrl(client: string, changes: Fields = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const fields = {
    response_type: "code",
    client_id: client,
    redirect_uri: REDIRECT,
    resource: `${PUBLIC_URL}/mcp`,
    scope: "quote:create quote:read-own discovery",
    state: "as it was",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...changes,
  };
  return { url: new URL(`${ISSUER}/authorize?${new URLSearchParams(withoutEmpty(fields))}`), verifier };
}
