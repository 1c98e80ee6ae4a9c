import assert from "node:assert/strict";
import { test } from "node:test";
import { startBuiltServer } from "../support/built-process.ts";
import { buildImage } from "../support/image.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { anMcpHost } from "../support/mcp-client.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { wholeFile } from "../support/whole-file.ts";

/** There is no Docker where tests run: the lines of the Dockerfile are followed without it. */
const WAITS = { timeout: 120_000 };
const image = buildImage(aFolder(wholeFile));
const own = { TRANSFER_HTTP_HOST: "127.0.0.1", TRANSFER_HTTP_PORT: "0", TRANSFER_DATA_DIR: aFolder(wholeFile) };

test("the image serves every page, and what the pages load", WAITS, async (t) => {
  assert.deepEqual(image.args, ["serve"]);
  const server = await startBuiltServer(t, { ...image.env, ...own }, { program: [image.program] });
  const seen = new Set<string>();
  const left = ["/", "/docs", "/docs/errors", "/docs/sandbox", "/privacy", "/support", "/checkout/", "/favicon.ico"];
  for (let path = left.pop(); path !== undefined && seen.size < 100; path = left.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const { status, url, text } = await opened(server.publicUrl + path);
    assert.equal(status, 200, path);
    const links = [/\b(?:href|src)="([^"#:]+)[#"]/g, /(?:\bfrom |\bimport )"(\.\.?\/[^"]+)"/g];
    for (const [, address = ""] of links.flatMap((link) => [...text.matchAll(link)]))
      left.push(new URL(address, url).pathname);
  }
  for (const path of ["/docs/reference.js", "/site.css", "/logo", "/openapi.json"])
    assert.ok(seen.has(path), `${path} of ${[...seen]}`);
  const page = await opened(`${server.publicUrl}/checkout`);
  const [, script = ""] = /src="(\/checkout\/page-\w+\.js)"/.exec(page.text) ?? [];
  assert.equal((await fetch(server.publicUrl + script)).status, 200, page.text);
});

test("the image quotes over stdio", WAITS, async (t) => {
  const { client, value } = await anMcpHost(t, { ...image.env, ...own, TRANSFER_DATA_DIR: aFolder(t) }, [
    image.program,
    "stdio",
  ]);
  assert.equal((await value("create_transfer_quote", aRealJourney())).status, "open");
  const { contents } = await client.readResource({ uri: "ui://transfer-quote/card" });
  assert.ok(contents.length > 0);
});

async function opened(address: string) {
  const response = await fetch(address);
  return { status: response.status, url: response.url, text: await response.text() };
}
