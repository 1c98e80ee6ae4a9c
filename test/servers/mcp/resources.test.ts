import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Client as NewerClient, StreamableHTTPClientTransport as NewerHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewerStdio } from "@modelcontextprotocol/client/stdio";
import { getToolUiResourceUri } from "@modelcontextprotocol/ext-apps/app-bridge";
import { EXTENSION_ID, RESOURCE_MIME_TYPE } from "@modelcontextprotocol/ext-apps/server";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { packageRoot } from "../../../src/ops/package-root.ts";
import { BIN, cleanEnvironment, startBuiltServer } from "../../support/built-process.ts";
import { compiledSchemas, newerCompiledSchemas } from "../../support/compiled-schemas.ts";
import { aRealJourney } from "../../support/journey-fixture.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aNewerRequest, NEWER, newerOverHttp } from "../../support/mcp-messages.ts";
import { aRateLimiter } from "../../support/rate-limiter.ts";
import { aService } from "../../support/service.ts";
import { aFolder } from "../../support/temporary-folder.ts";
import { wholeFile } from "../../support/whole-file.ts";

const INFO = { name: "tests", version: "1.0.0" };
const CARD = "ui://transfer-quote/card";
const PAGE = readFileSync(join(packageRoot, "dist", "quote-card.html"), "utf8");

const server = await startBuiltServer(wholeFile);
const endpoint = new URL(`${server.publicUrl}/mcp`);
const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
const stdio = () => ({
  command: process.execPath,
  args: [BIN],
  env: cleanEnvironment({ TRANSFER_DATA_DIR: aFolder(wholeFile), TRANSFER_LOG_LEVEL: "silent" }),
});
const older = { jsonSchemaValidator: compiledSchemas };
const newest = { versionNegotiation: { mode: { pin: NEWER } }, jsonSchemaValidator: newerCompiledSchemas };

/** What both packages' clients have; they differ in their types. */
type AnyClient = Pick<Client, "close"> &
  Record<"connect" | "callTool" | "request", (...args: never[]) => Promise<Fields>> &
  Record<"listTools" | "listResources" | "listResourceTemplates", () => Promise<Fields>> & {
    readResource(params: { uri: string }): Promise<Fields>;
    getServerCapabilities(): Fields;
  };

// biome-ignore format: a table reads by its columns
const CONNECTIONS: readonly [name: string, client: () => unknown, transport: () => unknown][] = [
  ["the older revisions over HTTP", () => new Client(INFO, older), () => new StreamableHTTPClientTransport(endpoint, { requestInit })],
  ["the older revisions over stdio", () => new Client(INFO, older), () => new StdioClientTransport(stdio())],
  [`${NEWER} over HTTP`, () => new NewerClient(INFO, newest), () => new NewerHttp(endpoint, { requestInit })],
  [`${NEWER} over stdio`, () => new NewerClient(INFO, newest), () => new NewerStdio(stdio())],
];

for (const [name, make, transport] of CONNECTIONS) {
  suite(`resources in ${name}`, { timeout: 60_000 }, async () => {
    const client = make() as AnyClient;
    await client.connect(transport() as never);
    wholeFile.after(() => client.close());

    test("are declared with the extension", () => {
      const { resources, extensions } = client.getServerCapabilities();
      assert.deepEqual(resources, {});
      assert.deepEqual(extensions, { [EXTENSION_ID]: {} });
    });

    test("list the card, which the quote tools name", async () => {
      const { resources } = await client.listResources();
      assert.deepEqual(
        resources.map(({ uri, mimeType }: Fields) => [uri, mimeType]),
        [[CARD, RESOURCE_MIME_TYPE]],
      );
      const { tools } = await client.listTools();
      const named = tools.filter((tool: Fields) => getToolUiResourceUri(tool) === CARD);
      assert.deepEqual(
        named.map((tool: Fields) => tool.name),
        ["estimate_transfer_quote", "create_transfer_quote", "get_transfer_quote"],
      );
      for (const tool of tools) if (!named.includes(tool)) assert.equal(tool._meta, undefined, tool.name);
    });

    test("return the page with its policy", async () => {
      const { contents } = await client.readResource({ uri: CARD });
      assert.equal(contents.length, 1);
      const [{ uri, mimeType, text, _meta }] = contents;
      assert.deepEqual([uri, mimeType], [CARD, RESOURCE_MIME_TYPE]);
      const [before = "", after = ""] = PAGE.split(/(?<=id="catalog">)/);
      assert.ok(text.startsWith(before) && text.endsWith(after));
      assert.ok(text.length < 90_000, `${text.length} bytes`);
      const [, packed = ""] = /id="catalog">(.*?)<\/script>/.exec(text) ?? [];
      const { translations, vehicleTypes } = JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString());
      assert.equal(translations[vehicleTypes.estate].de, "Kombi, z. B. Škoda Superb Combi");
      assert.deepEqual(_meta.ui.csp, { connectDomains: [], resourceDomains: [] });
    });

    test("are not in the response of a tool, which hosts without cards read", async () => {
      assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
      const call = { name: "create_transfer_quote", arguments: aRealJourney() };
      const result = await client.callTool(call as never);
      assert.deepEqual(
        Object.keys(result).filter((key) => key !== "resultType" && key !== "_meta"),
        ["content", "structuredContent"],
      );
      assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
      assert.doesNotMatch(JSON.stringify(result), /ui:\/\//);
    });

    test("report an unknown address", async () => {
      for (const uri of ["ui://transfer-quote/other", "file:///etc/passwd", "transfer-quote://quotes/q_unknown", ""]) {
        await assert.rejects(client.readResource({ uri }), { code: -32602 }, uri);
      }
    });
  });
}

suite("resources", async () => {
  const service = await aService(wholeFile, { limiter: aRateLimiter() });
  test("are the same for everyone", async () => {
    const post = newerOverHttp(service.publicUrl, await service.token());
    const scopeOf = async (method: string, uri?: string) => {
      const { body } = await post(aNewerRequest(1, method, uri ? { uri } : {}), { "Mcp-Name": uri });
      return body.result.cacheScope;
    };
    assert.equal(await scopeOf("resources/list"), "public");
    assert.equal(await scopeOf("resources/templates/list"), "public");
    assert.equal(await scopeOf("resources/read", CARD), "public");
  });

  test("the page is one document that loads nothing", () => {
    assert.match(PAGE, /^<!doctype html>/);
    assert.match(PAGE, /default-src 'none'/);
    assert.doesNotMatch(
      PAGE,
      /<link|<script[^>]* src|@import|url\(|\b(fetch|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\b|innerHTML|insertAdjacentHTML|https?:\/\/(?!www\.w3\.org)/,
    );
    assert.ok(Buffer.byteLength(PAGE) < 100_000, `${Buffer.byteLength(PAGE)} bytes`);
  });
});
