import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { suite, test } from "node:test";
import { registryEntry } from "../../scripts/docs/listing.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { SCOPES } from "../../src/service/calls/operation.ts";
import type { Fields } from "../support/mcp-client.ts";

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

const read = (file: string) => readFileSync(join(packageRoot, file), "utf8");
const LISTING = "docs/listing.md";
/** Files whose placeholders a publisher replaces, in package.json, or that `npm run docs` and a build write from it. */
const FROM_MANIFEST = ["package.json", "dist/package.json", "server.json", LISTING];
/** Hosts under `.example`, which belong to nobody; those under `.example.com` are of documents. */
const PLACEHOLDERS = /[\w.-]+\.example(?![\w.-]*\w)[\w/.-]*|\bexample\.transfer-quote[\w/.-]*/g;
/** Of the example operator, and of the development issuer's tokens. */
const MEANT_AS_EXAMPLES = /\btransfers\.example\b|https:\/\/transfer-quote\.example\/api\b/g;

suite("the npm package", () => {
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    encoding: "utf8",
    cwd: packageRoot,
  });
  const paths = new Set((JSON.parse(output) as readonly [Packed])[0].files.map(({ path }) => path));
  const { mcpName, homepage, repository } = JSON.parse(read("package.json"));
  /** Until somebody publishes it under a name of their own. */
  const placeholders = [mcpName, repository.url, homepage].filter((value) => /\bexample\b/.test(value));

  test("holds every file and heading that its documents link to", () => {
    const documents = [...paths].filter((path) => path.endsWith(".md"));
    assert.ok(documents.includes("README.md") && documents.includes(LISTING));
    const isPacked = (path: string) =>
      paths.has(path) || [...paths].some((each) => each.startsWith(`${path.replace(/\/$/, "")}/`));
    const broken = documents.flatMap((document) =>
      linksOf(read(document)).flatMap(({ address, heading }) => {
        const path = address === "" ? document : normalize(join(dirname(document), address));
        if (!isPacked(path)) return [`${document}: ${path}`];
        return heading && !headingsOf(path).includes(heading) ? [`${document}: ${path}#${heading}`] : [];
      }),
    );
    assert.deepEqual(broken, []);
  });

  test("has no placeholder but those that docs/listing.md tells to replace", () => {
    const listing = read(LISTING);
    for (const value of placeholders) assert.ok(listing.includes(`| \`${value}\` |`), `${LISTING}: ${value}`);
    const left = [...paths]
      .filter((path) => !/\.(png|map)$/.test(path))
      .flatMap((path) => {
        const text = read(path).replaceAll(MEANT_AS_EXAMPLES, "");
        const replaced = FROM_MANIFEST.includes(path) ? placeholders : [];
        const unnamed = replaced.reduce((rest, value) => rest.replaceAll(value, ""), text);
        return [...unnamed.matchAll(PLACEHOLDERS)].map(([value]) => `${path}: ${value}`);
      });
    assert.deepEqual(left, []);
  });

  test("has an entry whose texts and versions the MCP registry accepts", () => {
    const { name, title, description, version, icons, packages }: Fields = registryEntry();
    assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    for (const text of [title, description]) assert.ok(text.length >= 1 && text.length <= 100, text);
    for (const each of [version, packages[0].version]) assert.match(each, /^\d+\.\d+\.\d+(-[\w.]+)?$/);
    for (const { src } of icons) assert.ok(src.startsWith("https://") && src.length <= 255, src);
    for (const { name, description } of packages[0].environmentVariables) assert.ok(name && description, name);
  });
});

/** Relative addresses of links and images, and the headings that they name. */
function linksOf(markdown: string) {
  const links = /(?:\]\(|src=")(?!https?:|mailto:)([^)"#\s]*)(?:#([^)"\s]+))?/g;
  return [...markdown.matchAll(links)].map(([, address = "", heading]) => ({ address, heading }));
}

/** The fragments of a document's headings. */
function headingsOf(document: string): readonly string[] {
  const headings = [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => text.toLowerCase());
  return headings.map((text) =>
    text
      .replace(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

const { dependencies, devDependencies } = JSON.parse(read("package.json"));
const document = read("docs/maintainers/dependencies.md");

suite("docs/maintainers/dependencies.md", () => {
  for (const [heading, packages] of [
    ["## Installed with the package", dependencies],
    ["## For development", devDependencies],
  ] as const) {
    test(`lists every package, its license and a reason under "${heading}"`, () => {
      const section = document.slice(document.indexOf(heading)).split("\n## ", 2)[0] ?? "";
      const rows = [...section.matchAll(/^\| `([^`]+)` \| (.+?) \| .{5,}? \|$/gm)].map(([, name = "", license]) => [
        name,
        license,
      ]);
      const licensed = Object.keys(packages).map((name) => [
        name,
        JSON.parse(read(`node_modules/${name}/package.json`)).license,
      ]);
      assert.deepEqual(rows.toSorted(), licensed.toSorted());
    });
  }
});

suite("compose.yaml", () => {
  test("passes on every setting of docs/settings.md, but for those that the image sets", () => {
    const listed = [...read("docs/settings.md").matchAll(/^\| `(TRANSFER_\w+)` \|/gm)].map(([, name = ""]) => name);
    assert.ok(listed.length > 30, String(listed.length));
    const image = [...read("Dockerfile").matchAll(/\b(TRANSFER_\w+)=/g)].map(([, name = ""]) => name);
    const [, server = ""] = /^x-server:.*\n((?: .*\n)+)/m.exec(read("compose.yaml")) ?? [];
    const passed = [...server.matchAll(/^ {4}(TRANSFER_\w+):/gm)].map(([, name = ""]) => name);
    assert.deepEqual([...image, ...passed].sort(), [...listed].sort());
  });

  test("mounts files and folders that exist, but for those of the maps", () => {
    const mounted = [...read("compose.yaml").matchAll(/^ +- (?:\$\{\w+:-)?\.\/([^:}]+)\}?:\//gm)].map(
      ([, path = ""]) => path,
    );
    const own = mounted.filter((path) => path !== "maps");
    assert.ok(own.length >= 4, own.join());
    for (const path of own) assert.ok(existsSync(join(packageRoot, path)), path);
  });

  test("has a realm with every scope, and the audience of /mcp in every token", () => {
    const { clientScopes, clients }: Fields = JSON.parse(read("docs/operations/keycloak-realm.json"));
    const [required, ...scopes] = clientScopes;
    assert.deepEqual(scopes.map(({ name }: Fields) => name).sort(), [...SCOPES].sort());
    const config = required.protocolMappers.map((mapper: Fields) => mapper.config["included.custom.audience"]);
    assert.deepEqual(config, ["$" + "{TRANSFER_PUBLIC_URL}/mcp", undefined]);
    for (const { defaultClientScopes, optionalClientScopes } of clients) {
      assert.deepEqual(defaultClientScopes, [required.name]);
      assert.deepEqual([...optionalClientScopes].sort(), [...SCOPES].sort());
    }
  });
});
