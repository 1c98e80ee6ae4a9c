import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { getToolUiResourceUri } from "@modelcontextprotocol/ext-apps/app-bridge";
import { EXTENSION_ID, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/server";
import { readBuiltFile } from "../../../src/ops/package-root.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aNewerRequest, newerOverHttp } from "../../support/mcp-messages.ts";
import { HOSTS } from "../../support/quote-card.ts";
import { service, token } from "../../support/shared-service.ts";

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
