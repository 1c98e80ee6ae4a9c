import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
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
  const { mcpName, homepage, repository } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  /** Until somebody publishes it under a name of their own. */
  const placeholders = [mcpName, repository.url, homepage].filter((value) => /\bexample\b/.test(value));

  test("holds every file that its documents link to", () => {
    const documents = [...paths].filter((path) => path.endsWith(".md"));
    assert.ok(documents.includes("README.md") && documents.includes(LISTING));
    const missing = documents.flatMap((document) =>
      linksOf(readFileSync(join(packageRoot, document), "utf8"))
        .map((link) => normalize(join(dirname(document), link)))
        .filter(
          (path) => !paths.has(path) && ![...paths].some((each) => each.startsWith(`${path.replace(/\/$/, "")}/`)),
        )
        .map((path) => `${document}: ${path}${existsSync(join(packageRoot, path)) ? "" : ", which does not exist"}`),
    );
    assert.deepEqual(missing, []);
    const headless = documents.flatMap((document) =>
      [...readFileSync(join(packageRoot, document), "utf8").matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
        .filter(
          ([, file = "", heading = ""]) =>
            !headingsOf(file ? join(dirname(document), file) : document).includes(heading),
        )
        .map(([link]) => `${document}: ${link}`),
    );
    assert.deepEqual(headless, []);
  });

  test("names its placeholders before it is packed", () => {
    const { stderr } = spawnSync(process.execPath, [join(packageRoot, "scripts/placeholders.mjs")], {
      encoding: "utf8",
    });
    for (const value of placeholders) assert.ok(stderr.includes(`(${value}); set your own`));
  });

  test("has no placeholder but those that docs/listing.md tells to replace", () => {
    const listing = readFileSync(join(packageRoot, LISTING), "utf8");
    for (const value of placeholders) assert.ok(listing.includes(`| \`${value}\` |`), `${LISTING}: ${value}`);
    const left = [...paths]
      .filter((path) => !/\.(png|map)$/.test(path))
      .flatMap((path) => {
        const text = readFileSync(join(packageRoot, path), "utf8").replaceAll(MEANT_AS_EXAMPLES, "");
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

/** Relative addresses of links and images, without their fragments. */
function linksOf(markdown: string): readonly string[] {
  const addresses = /(?:\]\(|src=")(?!https?:|mailto:|#)([^)"#\s]+)/g;
  return [...markdown.matchAll(addresses)].map(([, address = ""]) => address);
}

/** The fragments of a document's headings. */
function headingsOf(document: string): readonly string[] {
  const headings = readFileSync(join(packageRoot, document), "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

const { dependencies, devDependencies } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
const document = readFileSync(join(packageRoot, "docs/maintainers/dependencies.md"), "utf8");

suite("docs/maintainers/dependencies.md", () => {
  for (const [heading, packages] of [
    ["## Installed with the package", dependencies],
    ["## For development", devDependencies],
  ] as const) {
    test(`lists every package, its license and a reason under "${heading}"`, () => {
      const section = document.slice(document.indexOf(heading)).split("\n## ", 2)[0] ?? "";
      const rows = [...section.matchAll(/^\| `([^`]+)` \| (.+?) \| (.+?) \|$/gm)].map(([, ...cells]) => cells);
      assert.deepEqual(
        rows.map(([name]) => name).sort(),
        Object.keys(packages).sort(),
        "a package is added or removed together with its row in docs/maintainers/dependencies.md",
      );
      for (const [name = "", license, reason = ""] of rows) {
        const manifest = join(packageRoot, "node_modules", name, "package.json");
        assert.equal(license, JSON.parse(readFileSync(manifest, "utf8")).license, name);
        assert.ok(reason.length >= 5, name);
      }
    });
  }
});

const read = (file: string) => readFileSync(join(packageRoot, file), "utf8");

test("the systemd unit goes on starting the server until PostgreSQL accepts connections", () => {
  const [unit = "", service = ""] = read("docs/operations/transfer-quote.service").split("[Service]");
  assert.match(service, /^Restart=on-failure$/m);
  assert.match(unit, /^StartLimitIntervalSec=0$/m, "by default the fifth failure within ten seconds is the last");
  assert.match(service, /^RestartSec=2$/m);
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
    assert.deepEqual(own, [
      "fixtures/catalog",
      "docs/operations/keycloak-realm.json",
      "docs/operations/prometheus-rules.yml",
      "docs/operations/grafana-dashboard.json",
    ]);
    for (const path of own) assert.ok(existsSync(join(packageRoot, path)), path);
  });

  test("starts osrm-routed with limits that it accepts: -1, or more than 2", () => {
    const [, options = ""] = /command: \[osrm-routed,([^\]]*)\]/.exec(read("compose.yaml")) ?? [];
    assert.match(options, /\/maps\/[\w.-]+\.osrm$/);
    for (const [option, , limit] of options.matchAll(/--max-([\w-]+)(?:, |=)"?(-?\d+)/g))
      assert.ok(Number(limit) === -1 || Number(limit) > 2, option);
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
