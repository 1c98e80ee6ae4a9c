import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { getToolUiResourceUri } from "@modelcontextprotocol/ext-apps/app-bridge";
import { EXTENSION_ID, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { extensionManifest } from "../../../scripts/docs/listing.ts";
import { packageRoot, readBuiltFile } from "../../../src/ops/package-root.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aNewerRequest, newerOverHttp } from "../../support/mcp-messages.ts";
import { HOSTS } from "../../support/quote-card.ts";
import { send } from "../../support/raw-http.ts";
import { request } from "../../support/service.ts";
import { mcp, service, token } from "../../support/shared-service.ts";

const CATALOG = "/.well-known/ai-catalog.json";
const CARD_TYPE = "application/mcp-server-card+json";
const registered = JSON.parse(readFileSync(join(packageRoot, "server.json"), "utf8"));

const schemaIn = (file: string) => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
const SCHEMAS = { card: schemaIn("server-card.schema.json"), catalog: schemaIn("ai-catalog.schema.json") };

/** The document, which matches the schema that its specification publishes, and has no field besides. */
function valid(name: keyof typeof SCHEMAS, document: Fields, definition: string): Fields {
  const { data, errorMessage } = new AjvJsonSchemaValidator().getValidator<Fields>(SCHEMAS[name])(document);
  const { properties } = SCHEMAS[name].$defs[definition];
  const others = Object.keys(document).filter((field) => !(field in properties));
  assert.deepEqual([errorMessage, others], [undefined, []]);
  return data;
}

test("a client that knows only the host finds the catalog, the card and the server", async () => {
  const catalog = await request(`${service.publicUrl}${CATALOG}`);
  assert.equal(catalog.headers.get("content-type"), "application/ai-catalog+json");
  const { specVersion, entries } = valid("catalog", catalog.body, "AICatalog");
  const [{ identifier, type, url, ...rest }, ...others] = entries;
  assert.deepEqual([specVersion, type, others], ["1.0", CARD_TYPE, []]);
  assert.match(identifier, /^urn:air:[a-z0-9.-]+:mcp:transfer-quote-mcp$/);
  // A card has its own name.
  for (const field of ["displayName", "description", "version"]) assert.ok(!(field in rest), field);
  const card = await request(url, { headers: { Accept: CARD_TYPE } });
  assert.equal(card.headers.get("content-type"), CARD_TYPE);
  const { remotes, $schema: _schema, ...described } = valid("card", card.body, "ServerCard");
  const [{ url: endpoint, supportedProtocolVersions }] = remotes;
  assert.equal(endpoint, `${service.publicUrl}/mcp`);
  const { description: inFull = "", ...running } = mcp.client.getServerVersion() ?? assert.fail("no serverInfo");
  const { title, description } = described;
  assert.deepEqual({ ...running, title, description }, described);
  assert.ok(inFull.startsWith(`${described.description} Operator: `), inFull);
  const discovered = await newerOverHttp(service.publicUrl, token)(aNewerRequest(1, "server/discover"));
  for (const revision of discovered.body.result.supportedVersions)
    assert.ok(supportedProtocolVersions.includes(revision));
  for (const revision of supportedProtocolVersions.slice(1)) {
    const headers = { Authorization: `Bearer ${token}`, "MCP-Protocol-Version": revision };
    assert.equal((await request(endpoint, { headers, body: { jsonrpc: "2.0", id: 1, method: "ping" } })).status, 200);
  }
  assert.doesNotMatch(card.text, /create_transfer_quote|Bearer/);
});

test("card, server.json, extension, OpenAPI document and llms.txt describe one server", async () => {
  const { body: card } = await request(`${service.publicUrl}/mcp/server-card`);
  const { body: openapi } = await request(`${service.publicUrl}/openapi.json`);
  const { text: llms } = await request(`${service.publicUrl}/llms.txt`);
  const manifest = extensionManifest();
  for (const { version } of [registered, manifest, openapi.info]) assert.equal(version, card.version);
  assert.equal(registered.name, card.name);
  assert.deepEqual([registered.title, manifest.display_name], [card.title, card.title]);
  assert.deepEqual([registered.description, manifest.description], [card.description, card.description]);
  assert.ok(llms.startsWith(`# ${card.title}\n\n> ${card.description}\n`));
  for (const url of [card.remotes[0].url, `${service.publicUrl}/mcp/server-card`, `${service.publicUrl}/openapi.json`])
    assert.ok(llms.includes(`: ${url}\n`), url);
  const { tools } = await mcp.client.listTools();
  assert.deepEqual(
    manifest.tools.map(({ name }) => name),
    tools.map(({ name }) => name),
  );
});

for (const path of [CATALOG, "/mcp/server-card"]) {
  test(`${path} is public, readable by every origin, and revalidated by its ETag`, async () => {
    const url = `${service.publicUrl}${path}`;
    const { status, headers } = await send(url, "GET", { Origin: "https://anywhere.example", Host: "other.example" });
    assert.equal(status, 200);
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.match(String(headers["access-control-expose-headers"]), /ETag/);
    assert.equal(headers["cache-control"], "public, max-age=3600");
    const etag = String(headers.etag);
    assert.match(etag, /^"[\w-]{43}"$/);
    assert.equal((await send(url, "GET", { "If-None-Match": etag })).status, 304);
    const preflight = await send(url, "OPTIONS", {
      Origin: "https://anywhere.example",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "if-none-match",
    });
    assert.equal(preflight.status, 204);
    assert.match(String(preflight.headers["access-control-allow-headers"]), /If-None-Match/i);
    assert.equal((await send(url, "POST", {})).status, 405);
  });
}

test("the documents name the server as the client does, and other paths below /mcp are unknown", async () => {
  const { port } = new URL(service.publicUrl);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
    const { body } = await send(`${service.publicUrl}/mcp/server-card`, "GET", { Host: host });
    assert.equal(body.remotes[0].url, `http://${host}/mcp`);
  }
  assert.equal((await send(`${service.publicUrl}/mcp/other`, "GET", {})).status, 404);
});

const CARD = "ui://transfer-quote/card";
const PAGE = readBuiltFile("quote-card.html");

for (const [host, { client: make, http }] of Object.entries(HOSTS))
  test(`the card is declared, listed, named by the quote tools and read by ${host}`, async (t) => {
    const client = make();
    await client.connect(http(new URL(`${service.publicUrl}/mcp`), { headers: { Authorization: `Bearer ${token}` } }));
    t.after(() => client.close());
    const { resources: declared, extensions } = client.getServerCapabilities();
    assert.deepEqual([declared, extensions], [{}, { [EXTENSION_ID]: {} }]);
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ uri, mimeType }: Fields) => [uri, mimeType]),
      [[CARD, RESOURCE_MIME_TYPE]],
    );
    assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
    const { tools } = await client.listTools();
    const named = tools.filter((tool: Fields) => getToolUiResourceUri(tool) === CARD);
    assert.deepEqual(
      named.map((tool: Fields) => tool.name),
      ["estimate_transfer_quote", "create_transfer_quote", "get_transfer_quote"],
    );
    for (const tool of tools) if (!named.includes(tool)) assert.equal(tool._meta, undefined, tool.name);

    const { contents } = await client.readResource({ uri: CARD });
    const [{ uri, mimeType, text, _meta }, ...others] = contents;
    assert.deepEqual([uri, mimeType, others], [CARD, RESOURCE_MIME_TYPE, []]);
    const [before = "", after = ""] = PAGE.split(/(?<=id="catalog">)/);
    assert.ok(text.startsWith(before) && text.endsWith(after) && text.length < 90_000, `${text.length} bytes`);
    const [, packed = ""] = /id="catalog">(.*?)<\/script>/.exec(text) ?? [];
    const { translations, vehicleTypes } = JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString());
    assert.equal(translations[vehicleTypes.estate].de, "Kombi, z. B. Škoda Superb Combi");
    assert.deepEqual(_meta.ui.csp, { connectDomains: [], resourceDomains: [] });

    const call = { name: "create_transfer_quote", arguments: aQuoteRequest() };
    const result = await client.callTool(call);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    assert.doesNotMatch(JSON.stringify(result), /ui:\/\//, "hosts without cards read the response of a tool");
    for (const uri of ["ui://transfer-quote/other", "file:///etc/passwd", "transfer-quote://quotes/q_unknown", ""])
      await assert.rejects(client.readResource({ uri }), { code: -32602 }, uri);
  });

test("resources are the same for everyone", async () => {
  const post = newerOverHttp(service.publicUrl, token);
  for (const [method, uri] of [["resources/list"], ["resources/templates/list"], ["resources/read", CARD]] as const) {
    const { body } = await post(aNewerRequest(1, method, uri ? { uri } : {}), { "Mcp-Name": uri });
    assert.equal(body.result.cacheScope, "public", method);
  }
});

test("the page is one document that loads nothing", () => {
  assert.match(PAGE, /^<!doctype html>[\s\S]*default-src 'none'/);
  assert.doesNotMatch(
    PAGE,
    /<link|<script[^>]* src|@import|url\(|\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\b|innerHTML|insertAdjacentHTML|https?:\/\/(?!www\.w3\.org)/,
  );
});
