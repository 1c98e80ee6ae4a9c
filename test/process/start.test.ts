import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";

/** What a start over stdio loads. Any other package is for HTTP, a database or an engine, and slows every start. */
// biome-ignore format: several fit on a line
const PACKAGES = [
  "", "@modelcontextprotocol/core", "@modelcontextprotocol/core-internal", "@modelcontextprotocol/server", "@pinojs/redact",
  "ajv", "ajv-formats", "atomic-sleep", "canonicalize", "close-with-grace", "commander", "content-type", "date-easter",
  "env-paths", "fast-deep-equal", "fast-uri", "flatqueue", "ipaddr.js", "is-safe-filename", "json-schema-traverse",
  "jsonc-parser", "leven", "lowdb", "lru-cache", "on-exit-leak-free", "pino", "pino-std-serializers",
  "quick-format-unescaped", "safe-stable-stringify", "sonic-boom", "thread-stream", "zod", "zod-to-json-schema",
];
const MOST_BYTES = 1_650_000;
/** Packages of one path each, which a server loads when that path is taken: OAuth, traces, foreign services, stores. */
const LATER = ["oidc-provider", "@opentelemetry/sdk-trace-base", "undici", "pg", "ioredis"];

test("a start over stdio loads no more code until its first quote than these packages have", async (t) => {
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

  const bytes = codeBytes(loadedFiles(coverage));
  assert.deepEqual([...bytes.keys()].sort(), PACKAGES);
  const total = [...bytes.values()].reduce((sum, each) => sum + each, 0);
  assert.ok(total <= MOST_BYTES, `${total} bytes`);
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
