const TIMEOUT_MS = 3_000;
const MAX_BYTES = 256 * 1024;

/**
 * What the metadata of the identity provider `issuer` say about each need of MCP clients that ask for a token for
 * `resource`, and what follows where it is not met. Tokens may name any of `audiences`. Never rejects: missing metadata
 * are a finding.
 */
export async function inspectIssuer(issuer: string, resource: string, audiences: readonly string[]) {
  const metadata = await metadataOf(issuer, AbortSignal.timeout(TIMEOUT_MS));
  if (!metadata) {
    const consequence = `no metadata with this issuer at ${metadataUrls(issuer).join(" or ")}: MCP clients cannot sign in`;
    return [{ need: "metadata", state: "missing", consequence } as const];
  }
  const others = audiences.filter((each) => each !== resource);
  const lists = (name: string, ...values: readonly string[]) => {
    const list = metadata[name];
    if (!Array.isArray(list)) return "not stated";
    return values.some((value) => list.includes(value)) ? "ok" : "missing";
  };
  const hasDocuments = metadata.client_id_metadata_document_supported === true;
  // biome-ignore format: a table reads by its columns
  const found = [
    ["S256", lists("code_challenge_methods_supported", "S256"), "MCP clients refuse a provider that does not list S256"],
    ["public clients", lists("token_endpoint_auth_methods_supported", "none"), "hosts on a desktop need a client with a secret"],
    ["client ID metadata documents", hasDocuments ? "ok" : "missing", "every host needs a client that you register with the provider"],
    ["audience", lists("protected_resources", resource, ...others), `make sure that requests with resource=${resource} get tokens for ${["it", ...others].join(" or ")}`],
  ] as const;
  return found.map(([need, state, consequence]) => ({ need, state, consequence: state === "ok" ? "" : consequence }));
}

/**
 * Where the provider publishes its keys: `jwks_uri` of its metadata, or `<issuer>/.well-known/jwks.json` where it has no
 * metadata. Never rejects. With an https issuer, a `jwks_uri` without https is ignored.
 */
export async function keySetUrlOf(issuer: string, signal: AbortSignal): Promise<string> {
  const uri = (await metadataOf(issuer, signal))?.jwks_uri;
  const protocols = new URL(issuer).protocol === "https:" ? ["https:"] : ["https:", "http:"];
  if (typeof uri === "string" && URL.canParse(uri) && protocols.includes(new URL(uri).protocol)) return uri;
  return `${issuer.replace(/\/+$/, "")}/.well-known/jwks.json`;
}

/** The first document that names this issuer, at the addresses where MCP clients look for it. */
async function metadataOf(issuer: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>> | undefined> {
  for (const url of metadataUrls(issuer)) {
    const document = await fetchJson(url, signal).catch(() => undefined);
    if ((document as { issuer?: unknown } | null | undefined)?.issuer === issuer)
      return document as Record<string, unknown>;
  }
  return undefined;
}

/** RFC 8414, section 3, and OpenID Connect Discovery. */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(urls)];
}

/** The JSON at `url`. Rejects on any status but 200, on more than 256 KiB and on anything that is not JSON. */
export async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, headers: { accept: "application/json" } });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`HTTP status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`the document is longer than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}
