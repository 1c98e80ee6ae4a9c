import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { packagedCatalog } from "../../src/ops/package-root.ts";
import { runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/lifetime.ts";

/** kB of each package that a start over stdio loads. Any other is for HTTP, a database or an engine, and slows every start. */
// biome-ignore format: several fit on a line
const CODE_KB: Readonly<Record<string, number>> = {
  "": 520, "@modelcontextprotocol/core": 32, "@modelcontextprotocol/core-internal": 176,
  "@modelcontextprotocol/server": 114, "@pinojs/redact": 10, ajv: 179, "ajv-formats": 13, "atomic-sleep": 1,
  canonicalize: 2, "close-with-grace": 4, commander: 60, "content-type": 2, "date-easter": 2, "env-paths": 2, "fast-deep-equal": 1,
  "fast-uri": 29, flatqueue: 2, "ipaddr.js": 18, "is-safe-filename": 1, "json-schema-traverse": 2, "jsonc-parser": 18, leven: 3, lowdb: 2,
  "lru-cache": 19, "on-exit-leak-free": 2, pino: 39, "pino-std-serializers": 8, "quick-format-unescaped": 2,
  "safe-stable-stringify": 14, "sonic-boom": 12, "thread-stream": 15, zod: 249, "zod-to-json-schema": 30,
};
/** kB of the files of the catalog, which a start reads and parses. */
const CATALOG_KB = 1_047;
/** Packages of one path each, which a server loads when that path is taken: OAuth, traces, foreign services, stores. */
const LATER = ["oidc-provider", "@opentelemetry/sdk-trace-base", "undici", "pg", "ioredis"];

suite("a start over stdio", () => {
  test("loads these packages until its first quote, and so many bytes of each", async (t) => {
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

    assertAtMost(CODE_KB, codeBytes(loadedFiles(coverage)));
    const kb = catalogBytes() / 1000;
    assert.ok(kb > CATALOG_KB * 0.6 && kb <= CATALOG_KB * 1.1, `${kb} kB`);
  });
});

test("a server loads no package of OAuth, traces, a database or a foreign service until it is used", async (t) => {
  const coverage = aFolder(t);
  const server = await startBuiltServer(t, { NODE_V8_COVERAGE: coverage });
  await server.stop();
  const packages = [...codeBytes(loadedFiles(coverage)).keys()];
  assert.ok(packages.includes("express"), packages.join());
  assert.deepEqual(
    packages.filter((name) => LATER.includes(name)),
    [],
  );
});

/** The files whose code Node has loaded. */
function loadedFiles(coverage: string): readonly string[] {
  const reports = readdirSync(coverage).map((file) => JSON.parse(readFileSync(join(coverage, file), "utf8")));
  const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url));
  return [...new Set(urls.filter((url) => url.startsWith("file:")))].map((url) => fileURLToPath(url));
}

/** Columns between two looks into a source map. */
const STEP = 8;

/** Bytes of each package in these files, by their source maps; our own code and the bundler's is "". */
function codeBytes(files: readonly string[]): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>();
  for (const file of files) {
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
    for (const [line, { length }] of readFileSync(file, "utf8").split("\n").entries())
      for (let column = 0; column < length; column += STEP) {
        const entry = map.findEntry(line, column);
        const source = "originalSource" in entry ? entry.originalSource : "";
        const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? "";
        bytes.set(name, (bytes.get(name) ?? 0) + Math.min(STEP, length - column));
      }
  }
  return bytes;
}

function catalogBytes(): number {
  const files = readdirSync(packagedCatalog, { recursive: true, encoding: "utf8" });
  const read = files.filter((file) => file.endsWith(".json") && !file.startsWith("schemas"));
  return read.reduce((sum, file) => sum + statSync(join(packagedCatalog, file)).size, 0);
}

/** Each is in the table, within a third below or a tenth above. */
function assertAtMost(table: Readonly<Record<string, number>>, found: ReadonlyMap<string, number>): void {
  const inKb = Object.fromEntries(
    [...found].sort().map(([name, bytes]) => [name, Math.max(1, Math.ceil(bytes / 1000))]),
  );
  assert.deepEqual(Object.keys(inKb), Object.keys(table), JSON.stringify(inKb));
  for (const [name, kb] of Object.entries(table)) {
    const actual = inKb[name] ?? 0;
    assert.ok(actual > kb * 0.6 - 1 && actual <= kb * 1.1 + 1, `${name}: ${actual} kB instead of ${kb}`);
  }
}
