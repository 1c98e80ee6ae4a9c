import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { suite, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";

/**
 * Who may import whom (STYLE.md, "Layout and who may import whom"): other folders of ours, then packages. A sub-folder
 * belongs to its room. Node's own modules are free, but for `tools`, `contract` and `pricing`, which reach nothing.
 */
// biome-ignore format: several fit on a line
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  tools: ["src/calls", "src/checkout", "src/contract", "src/quotes", "zod"],
  "rest-shim": ["tools", "src/calls", "src/contract", "src/http", "src/ops", "src/sandbox", "cors", "express"],
  "src/contract": ["zod", "zod-to-json-schema"],
  "src/ops": [
    "src/contract", "ipaddr.js", "lru-cache", "pino", "prom-client", "node:*", "@opentelemetry/api",
    "@opentelemetry/context-async-hooks", "@opentelemetry/core", "@opentelemetry/exporter-trace-otlp-proto",
    "@opentelemetry/resources", "@opentelemetry/sdk-trace-base",
  ],
  "src/upstream": ["src/contract", "src/ops", "undici", "cockatiel", "zod", "node:*"],
  "src/http": ["src/calls", "src/contract", "src/ops", "express", "lru-cache", "node:*"],
  "src/limits": ["src/contract", "src/ops", "rate-limiter-flexible", "ioredis", "ipaddr.js", "lru-cache", "node:*"],
  "src/identity": [
    "src/contract", "src/ops", "cors", "express", "ipaddr.js", "jose", "lru-cache", "oidc-provider", "zod", "node:*",
  ],
  "src/catalog": ["src/limits", "src/ops", "leven", "zod", "node:*"],
  "src/places": ["src/catalog", "src/contract", "src/upstream", "leven", "lru-cache", "zod", "node:*"],
  "src/routing": [
    "src/catalog", "src/contract", "src/ops", "src/places", "src/upstream", "flatqueue", "lru-cache",
    "zod", "node:*",
  ],
  "src/pricing": ["src/catalog", "src/contract", "src/ops", "date-easter"],
  "src/quotes": [
    "src/catalog", "src/contract", "src/ops", "src/places", "src/pricing", "src/routing", "src/upstream",
    "canonicalize", "node:*",
  ],
  "src/stores": ["src/contract", "src/ops", "src/pricing", "src/quotes", "lowdb", "lru-cache", "pg", "zod", "node:*"],
  "src/events": ["src/contract", "src/ops", "src/stores", "src/upstream", "standardwebhooks", "undici"],
  "src/checkout": ["src/catalog", "src/contract", "src/ops", "src/pricing", "src/quotes", "node:*"],
  "src/calls": [
    "src/catalog", "src/checkout", "src/contract", "src/identity", "src/limits", "src/ops", "src/places",
    "src/pricing", "src/quotes", "src/routing", "src/stores", "canonicalize", "leven", "zod", "node:*",
  ],
  "src/sandbox": [
    "src/calls", "src/catalog", "src/contract", "src/ops", "src/places", "src/quotes", "lru-cache",
  ],
  "src/audit": ["src/catalog", "src/ops", "src/places", "src/pricing", "src/quotes", "src/routing"],
  "src/mcp": [
    "src/calls", "src/contract", "src/http", "src/ops", "@modelcontextprotocol/server", "cors",
    "express", "zod", "node:*",
  ],
};

/** The files that put the service together may import every room. */
const COMPOSING = /^src\/(compose\/|commands\/|cli\.ts$|config\/)/;

/** Implementations of ports: nobody outside their room knows them but who composes. */
const ADAPTERS = [
  /^src\/stores\/(lowdb|postgres)\//,
  /^src\/limits\/(memory|redis)-rate-limiter\.ts$/,
  /^src\/places\/(embedded-place-finder\.ts$|geocoders\/)/,
  /^src\/routing\/(embedded-router\.ts$|engines\/)/,
  /^src\/identity\/(jwt-verifier|development\/)/,
];

const files = ["src", "tools", "rest-shim"].flatMap((folder) => filesIn(folder));
const sources = files.filter((file) => file.endsWith(".ts"));
const imports = sources.flatMap((file) => importsOf(file).map((target) => ({ file, target })));

suite("imports", () => {
  test("are found", () => {
    assert.ok(sources.length > 80, `${sources.length} files`);
    assert.ok(imports.length > 300, `${imports.length} imports`);
    const composed = new Set(
      imports.filter(({ file }) => roomOf(file) === "src/compose").map(({ target }) => roomOf(target)),
    );
    for (const room of ["tools", "rest-shim", "src/quotes", "src/routing"]) assert.ok(composed.has(room), room);
  });

  test("have one list for each folder", () => {
    const folders = new Set(sources.filter((file) => !COMPOSING.test(file)).map(roomOf));
    assert.deepEqual([...folders].sort(), Object.keys(ALLOWED).sort());
  });

  for (const [room, allowed] of Object.entries(ALLOWED)) {
    test(`of ${room} stay within its list`, () => {
      const strays = imports.filter(({ file, target }) => roomOf(file) === room && !mayImport(room, allowed, target));
      assert.deepEqual(strays, []);
    });
  }

  test("of adapters appear only in their own folder, in src/compose and in the settings", () => {
    const strays = imports.filter(
      ({ file, target }) =>
        ADAPTERS.some((adapter) => adapter.test(target)) &&
        roomOf(file) !== roomOf(target) &&
        (!COMPOSING.test(file) || roomOf(file) === "src/commands"),
    );
    assert.deepEqual(strays, []);
    for (const adapter of ADAPTERS)
      assert.ok(
        imports.some(({ target }) => adapter.test(target)),
        `${adapter} is nothing`,
      );
  });

  test("form no cycle between rooms", () => {
    const uses = new Map<string, Set<string>>();
    for (const { file, target } of imports) {
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from !== to && /^(src|tools|rest-shim)\b/.test(to)) uses.set(from, (uses.get(from) ?? new Set()).add(to));
    }
    // Rooms whose imports have all been removed can be on no cycle; what remains is one, or leads to one.
    for (let removed = true; removed; ) {
      const leaves = [...uses].filter(([, targets]) => ![...targets].some((target) => uses.has(target)));
      for (const [room] of leaves) uses.delete(room);
      removed = leaves.length > 0;
    }
    assert.deepEqual([...uses.keys()], []);
  });

  test("of tools and rest-shim in src appear only in src/compose", () => {
    const strays = imports.filter(
      ({ file, target }) =>
        file.startsWith("src/") && !file.startsWith("src/compose/") && /^(tools|rest-shim)$/.test(roomOf(target)),
    );
    assert.deepEqual(strays, []);
  });

  test("at a start over stdio are of no package that only other modes need", () => {
    const loaded = new Set(["src/cli.ts", "src/commands/main.ts", "src/commands/stdio.ts"]);
    for (const file of loaded) if (file.endsWith(".ts")) for (const target of loadedBy(file)) loaded.add(target);
    assert.ok(loaded.has("src/mcp/stdio.ts") && loaded.has("src/compose/compose.ts"));
    const others = ["express", "cors", "oidc-provider", "pg", "ioredis", "prom-client", "undici", "standardwebhooks"];
    assert.deepEqual(
      [...loaded].filter((target) => others.includes(packageOf(target))),
      [],
    );
  });

  test("of Zod are of its version 3 interface, which the JSON Schema generator reads", () => {
    assert.deepEqual(
      new Set(imports.map(({ target }) => target).filter((target) => packageOf(target) === "zod")),
      new Set(["zod/v3"]),
    );
  });
});

suite("files", () => {
  const read = (file: string) => readFileSync(join(packageRoot, file), "utf8");

  test("have at most 300 lines", () => {
    const long = files.filter((file) => /\.(ts|m?js)$/.test(file) && read(file).trimEnd().split("\n").length > 300);
    assert.deepEqual(long, []);
  });

  test("write to stdout only where a person at a terminal or the protocol is meant", () => {
    const writers = sources.filter((file) => /\bstdout\b/.test(read(file).replace(/^\s*(\/\/|\*|\/\*).*$/gm, "")));
    assert.deepEqual(
      writers.filter((file) => !/^src\/(commands\/|cli\.ts$|mcp\/stdio\.ts$)/.test(file)),
      [],
    );
  });

  test("are named in kebab-case after what they hold, none after a kind of code", () => {
    for (const file of [...files, ...filesIn("test")]) {
      const name = file.split("/").at(-1) ?? "";
      assert.doesNotMatch(name, /^(utils?|helpers?|common|types?|misc)\.[a-z]+$/, file);
    }
    for (const file of sources) assert.match(file, /^[a-z0-9-]+(\/[a-z0-9-]+)*(\.d)?\.ts$/);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(packageRoot, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join("/"),
    );
}

/** What a file imports: a path from the package's root for files of ours, the specifier otherwise. */
function importsOf(file: string): readonly string[] {
  return importsIn(readFileSync(join(packageRoot, file), "utf8"), file);
}

function importsIn(text: string, file: string): readonly string[] {
  const patterns = [/^(?:import|export)\s[^;"]*?\sfrom "([^"]+)"/gm, /^import "([^"]+)"/gm, /\bimport\("([^"]+)"\)/g];
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)].map(([, specifier = ""]) => specifier))
    .map((specifier) => (specifier.startsWith(".") ? join(dirname(file), specifier).split(sep).join("/") : specifier));
}

/** What Node loads together with a file of ours: its imports without types and those at run time. */
function loadedBy(file: string): readonly string[] {
  const text = readFileSync(join(packageRoot, file), "utf8");
  const withoutTypes = text.replace(/^import type\s[^;]*;/gm, "").replace(/\bimport\("[^"]+"\)/g, "");
  return importsIn(withoutTypes, file);
}

/** `tools`, `rest-shim` or `src/<room>`; a file of `src` itself, or a package, stands for itself. */
function roomOf(path: string): string {
  const [first = "", second = "", ...rest] = path.split("/");
  if (first === "tools" || first === "rest-shim") return first;
  return first === "src" && rest.length > 0 ? `${first}/${second}` : path;
}

function packageOf(specifier: string): string {
  const [scope = "", name = ""] = specifier.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

function mayImport(room: string, allowed: readonly string[], target: string): boolean {
  if (target.startsWith("node:")) return allowed.includes("node:*");
  return roomOf(target) === room || allowed.includes(roomOf(target)) || allowed.includes(packageOf(target));
}
