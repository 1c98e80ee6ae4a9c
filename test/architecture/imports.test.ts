import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { suite, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";

/**
 * The wings of the house: what files of each may import besides their own wing. `tools` and `rest-shim` stand beside
 * `src`; `operate` puts everything together and may import all of them.
 */
const WINGS: Readonly<Record<string, readonly string[]>> = {
  "src/contract": [],
  "src/ops": ["src/contract"],
  "src/domain": ["src/contract", "src/ops"],
  "src/service": ["src/contract", "src/domain", "src/ops"],
  "src/adapters": ["src/contract", "src/domain", "src/service", "src/ops"],
  "src/servers": ["src/contract", "src/service", "src/ops"],
  tools: ["src/contract", "src/domain", "src/service"],
  "rest-shim": ["src/contract", "src/service", "src/servers", "src/ops", "tools"],
};

/** Of `ops` the domain knows what reaches nothing outside, and the log as a type. */
const isOutside = (wing: string, target: string) =>
  wing === "src/domain" &&
  wingOf(target) === "src/ops" &&
  !/^src\/ops\/(clock|durations|ids|local-time|log|package-root)\.ts$/.test(target);

/** The packages of each room. Node's own modules are free, but for those without `node:*`, which reach nothing. */
// biome-ignore format: several fit on a line
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  tools: ["zod"],
  "rest-shim": ["cors", "express"],
  "src/contract": ["zod", "zod-to-json-schema"],
  "src/ops": [
    "ipaddr.js", "lru-cache", "pino", "prom-client", "node:*", "@opentelemetry/api",
    "@opentelemetry/context-async-hooks", "@opentelemetry/core", "@opentelemetry/exporter-trace-otlp-proto",
    "@opentelemetry/resources", "@opentelemetry/sdk-trace-base",
  ],
  "src/domain/catalog": ["jsonc-parser", "leven", "zod", "node:*"],
  "src/domain/places": ["leven"],
  "src/domain/routing": ["flatqueue", "lru-cache"],
  "src/domain/pricing": ["date-easter"],
  "src/domain/quotes": ["node:*"],
  "src/domain/sales": ["canonicalize"],
  "src/service/calls": ["canonicalize", "ipaddr.js", "zod", "node:*"],
  "src/service/checkout": ["node:*"],
  "src/service/sandbox": ["lru-cache"],
  "src/adapters/availability": ["ical.js", "node:*"],
  "src/adapters/engines": ["lru-cache", "zod"],
  "src/adapters/events": ["standardwebhooks", "undici"],
  "src/adapters/geocoders": ["lru-cache", "zod"],
  "src/adapters/identity": ["cors", "express", "ipaddr.js", "jose", "lru-cache", "oidc-provider", "zod", "node:*"],
  "src/adapters/limits": ["rate-limiter-flexible", "ioredis", "lru-cache"],
  "src/adapters/stores": ["lowdb", "pg", "node:*"],
  "src/adapters/upstream": ["undici", "cockatiel", "zod", "node:*"],
  "src/servers/http": ["express", "lru-cache", "node:*"],
  "src/servers/mcp": ["@modelcontextprotocol/server", "cors", "express", "zod", "node:*"],
};

/** The files that put the service together may import everything. */
const COMPOSING = /^src\/(operate\/|cli\.ts$)/;

const files = ["src", "tools", "rest-shim"].flatMap((folder) => filesIn(folder));
const sources = files.filter((file) => file.endsWith(".ts"));
const imports = sources.flatMap((file) => importsOf(file).map((target) => ({ file, target })));

suite("imports", () => {
  test("are found, and have one list for each wing and each room", () => {
    assert.ok(sources.length > 80 && imports.length > 300, `${sources.length} files, ${imports.length} imports`);
    const others = sources.filter((file) => !COMPOSING.test(file));
    assert.deepEqual([...new Set(others.map(wingOf))].sort(), Object.keys(WINGS).sort());
    assert.deepEqual([...new Set(others.map(roomOf))].sort(), Object.keys(PACKAGES).sort());
  });

  for (const [wing, allowed] of Object.entries(WINGS)) {
    test(`of ${wing} reach the wings of its list alone`, () => {
      const strays = imports.filter(
        ({ file, target }) =>
          wingOf(file) === wing &&
          isOurs(target) &&
          wingOf(target) !== wing &&
          (!allowed.includes(wingOf(target)) || isOutside(wing, target)),
      );
      assert.deepEqual(strays, []);
    });
  }

  for (const [room, allowed] of Object.entries(PACKAGES)) {
    test(`of ${room} name the packages of its list alone`, () => {
      const named = imports
        .filter(({ file, target }) => roomOf(file) === room && !isOurs(target))
        .map(({ target }) => (target.startsWith("node:") ? "node:*" : packageOf(target)));
      assert.deepEqual([...new Set(named)].sort(), [...allowed].sort());
    });
  }

  test("form no cycle between rooms", () => {
    const uses = new Map<string, Set<string>>();
    for (const { file, target } of imports) {
      const [from, to] = [roomOf(file), roomOf(target)];
      if (from !== to && isOurs(to)) uses.set(from, (uses.get(from) ?? new Set()).add(to));
    }
    // Rooms whose imports have all been removed can be on no cycle; what remains is one, or leads to one.
    for (let removed = true; removed; ) {
      const leaves = [...uses].filter(([, targets]) => ![...targets].some((target) => uses.has(target)));
      for (const [room] of leaves) uses.delete(room);
      removed = leaves.length > 0;
    }
    assert.deepEqual([...uses.keys()], []);
  });

  test("of Zod are of its version 3 interface, which the JSON Schema generator reads", () => {
    const others = imports.filter(({ target }) => packageOf(target) === "zod" && target !== "zod/v3");
    assert.deepEqual(others, []);
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
      writers.filter((file) => !/^src\/(operate\/commands\/|cli\.ts$|servers\/mcp\/stdio\.ts$)/.test(file)),
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

/** `tools`, `rest-shim`, `src/contract`, `src/ops` or `src/<wing>/<room>`; a file of a wing itself stands for the wing. */
function roomOf(path: string): string {
  const [first = "", second = "", third = "", ...rest] = path.split("/");
  if (first === "tools" || first === "rest-shim") return first;
  if (first !== "src" || third === "") return path;
  return rest.length > 0 ? `${first}/${second}/${third}` : `${first}/${second}`;
}

function wingOf(path: string): string {
  return roomOf(path).split("/").slice(0, 2).join("/");
}

function isOurs(target: string): boolean {
  return /^(src|tools|rest-shim)\//.test(target) || target === "tools" || target === "rest-shim";
}

function packageOf(specifier: string): string {
  const [scope = "", name = ""] = specifier.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}
