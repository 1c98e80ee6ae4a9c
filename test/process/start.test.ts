import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { runBuilt } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";

/** The packages that a start over stdio loads. Any other is for HTTP, a database or an engine, and slows every start. */
const PACKAGES = [
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/core-internal",
  "@modelcontextprotocol/server",
  "@pinojs/redact",
  "ajv",
  "ajv-formats",
  "atomic-sleep",
  "canonicalize",
  "close-with-grace",
  "content-type",
  "date-easter",
  "env-paths",
  "fast-deep-equal",
  "fast-uri",
  "flatqueue",
  "ipaddr.js",
  "is-safe-filename",
  "jose",
  "json-schema-traverse",
  "leven",
  "lowdb",
  "lru-cache",
  "on-exit-leak-free",
  "pino",
  "pino-std-serializers",
  "quick-format-unescaped",
  "safe-stable-stringify",
  "sonic-boom",
  "steno",
  "thread-stream",
  "zod",
  "zod-to-json-schema",
];
const MOST_CODE_BYTES = 1_550_000;
const MOST_CATALOG_BYTES = 1_000_000;

suite("a start over stdio", () => {
  test("loads the packages of this list until its first quote, and so many bytes", async (t) => {
    const coverage = aFolder(t);
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const call = { name: "create_transfer_quote", arguments: aRealJourney() };
    const messages = [
      { id: 1, method: "initialize", params },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: call },
    ];
    const input = messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })).join("\n");
    const { stdout } = await runBuilt(t, ["stdio"], { NODE_V8_COVERAGE: coverage }, input);
    assert.match(stdout, /"quote_id"/);

    const files = loadedFiles(coverage);
    assert.deepEqual(packagesIn(files), PACKAGES);
    assertAtMost(MOST_CODE_BYTES, bytesOf(files));
    assertAtMost(MOST_CATALOG_BYTES, bytesOf(catalogFiles()));
  });
});

/** The files whose code Node has loaded. */
function loadedFiles(coverage: string): readonly string[] {
  const reports = readdirSync(coverage).map((file) => JSON.parse(readFileSync(join(coverage, file), "utf8")));
  const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url));
  return [...new Set(urls.filter((url) => url.startsWith("file:")))].map((url) => fileURLToPath(url));
}

/** The packages that were bundled into these files, by their source maps. */
function packagesIn(files: readonly string[]): readonly string[] {
  const sources: string[] = files.flatMap((file) => JSON.parse(readFileSync(`${file}.map`, "utf8")).sources);
  const names = sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** The files of the catalog that a start reads and parses. */
function catalogFiles(): readonly string[] {
  return ["", "places", "roads"].flatMap((folder) =>
    readdirSync(join(packagedCatalog, folder))
      .filter((file) => file.endsWith(".json"))
      .map((file) => join(packagedCatalog, folder, file)),
  );
}

function bytesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}

function assertAtMost(most: number, found: number): void {
  assert.ok(found > most / 2 && found <= most, `${found} bytes, of at most ${most}`);
}
