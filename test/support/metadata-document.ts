import dns from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export interface MetadataDocument {
  /** The client id: an https address that leads to a loopback server for the time of the test. */
  readonly url: string;
  /** How often it was fetched. */
  fetches(): number;
}

let documents = 0;

/**
 * A client's metadata document on a loopback server. Only TLS and what its name resolves to are made up: a public address,
 * unless `addresses` gives others.
 */
export async function aMetadataDocument(
  t: TestContext,
  fields: Readonly<Record<string, unknown>>,
  addresses: readonly string[] = ["93.184.215.14"],
): Promise<MetadataDocument> {
  documents += 1;
  const url = `https://client-${documents}.test/oauth/metadata.json`;
  const document = {
    client_id: url,
    client_name: "A client",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...fields,
  };
  let fetches = 0;
  const server = createServer((_request, response) => {
    fetches += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(document));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const lookUp = dns.lookup;
  t.mock.method(dns, "lookup", async (name: string, options: object) =>
    name === new URL(url).hostname ? addresses.map((address) => ({ address })) : lookUp(name, options),
  );
  const real = globalThis.fetch;
  t.mock.method(globalThis, "fetch", (input: string | URL | Request, init?: RequestInit) => {
    if (String(input) !== url) return real(input, init);
    const { method, headers, signal, redirect } = init ?? {};
    return real(`http://127.0.0.1:${port}/`, { method, headers, signal, redirect } as RequestInit);
  });
  return { url, fetches: () => fetches };
}
