import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { packageRoot, readPackageFile } from "../../src/ops/package-root.ts";
import { moduleUrl } from "../support/run-module.ts";

const text = readFileSync(join(packageRoot, "CONTRIBUTING.md"), "utf8");
const { scripts, version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));

suite("CONTRIBUTING.md", () => {
  const rows = [...text.matchAll(/^\| (.+\.) \| `([\w./-]+\.ts)` \| `(\w+)` \|$/gm)];

  test("names the export of each sentence of the contract", async () => {
    assert.equal(rows.length, 10);
    for (const [, sentence, file = "", name = ""] of rows)
      assert.ok(name in (await import(moduleUrl(file.replace(/\.ts$/, "")))), `${sentence} ${file} ${name}`);
  });

  test("and SECURITY.md name existing files and folders only", () => {
    const documents = text + readPackageFile("SECURITY.md");
    const paths = [...documents.matchAll(/`((?:src|tools|rest-shim|test|fixtures|docs)\/[\w./-]*)`/g)];
    assert.ok(paths.length > 60, `${paths.length} paths`);
    for (const [, path = ""] of paths) assert.ok(existsSync(join(packageRoot, path)), path);
  });

  test("names existing npm scripts only", () => {
    for (const [, script = ""] of text.matchAll(/`(?:npm run )?((?:bench|dev|check|docs)(?::\w+)?)`/g))
      assert.ok(script in scripts, script);
  });
});

/** Entries that begin alike say the same: a merge brings back what was edited or moved. */
const BEGINNING = 60;
const lines = readPackageFile("CHANGELOG.md").split("\n");

suite("the changelog", () => {
  test("dates each release, the one of package.json at the top", () => {
    const heads = lines.filter((line) => line.startsWith("## "));
    for (const head of heads) assert.match(head, /^## \d+\.\d+\.\d+ – \d{4}-\d\d-\d\d$/);
    assert.ok(heads[0]?.startsWith(`## ${version} `), heads[0]);
  });

  test("has each entry, and in a version each subject, once", () => {
    const beginnings = lines.filter((line) => line.startsWith("- ")).map((line) => line.slice(0, BEGINNING));
    assert.equal(new Set(beginnings).size, beginnings.length);
    for (const section of lines.join("\n").split(/^## /m).slice(1)) {
      const subjects = [...section.matchAll(/^### (.+)$/gm)].map(([, subject]) => subject);
      assert.equal(new Set(subjects).size, subjects.length);
      assert.match(section, /^.+\n\n### /, "entries stand under a subject");
    }
  });
});

/** Whom a document is for, as its first line says, and the most words that it may have. */
const READERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "authors of agents": {
    "README.md": 700,
    "docs/connect.md": 1150,
    "docs/places.md": 450,
    "docs/rest.md": 350,
    "docs/sandbox.md": 350,
  },
  operators: {
    "CHANGELOG.md": 700,
    "SECURITY.md": 1450,
    "docs/listing.md": 550,
    "docs/routing.md": 1050,
    "docs/settings.md": 200,
    "docs/operations/README.md": 800,
    "docs/operations/availability.md": 500,
    "docs/operations/credentials.md": 500,
    "docs/operations/deployment.md": 550,
    "docs/operations/events.md": 650,
    "docs/operations/laptop.md": 150,
    "docs/operations/ledger.md": 1400,
    "docs/operations/metrics.md": 200,
    "docs/operations/one-process.md": 350,
    "docs/operations/several-processes.md": 300,
    "docs/operations/sign-in.md": 850,
    "examples/checkout/README.md": 700,
    "fixtures/catalog/README.md": 2600,
  },
  "engineers of this code": {
    "CONTRIBUTING.md": 1700,
    "DECISIONS.md": 2500,
    "docs/maintainers/capacity.md": 350,
    "docs/maintainers/clients.md": 350,
    "docs/maintainers/dependencies.md": 450,
    "docs/maintainers/embedded-store.md": 400,
    "docs/maintainers/evidence.md": 350,
    "docs/maintainers/roads.md": 500,
    "docs/maintainers/speed.md": 450,
  },
};
const MOST_WORDS = 22_000;

/** What people write: words outside of the blocks that programs write. */
function wordsOf(document: string): number {
  const written = readPackageFile(document).replaceAll(/<!-- ([\w ]+) -->\n[\s\S]*?<!-- \/\1 -->/g, "");
  return written.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

suite("the documents", () => {
  const listed = Object.values(READERS).flatMap((limits) => Object.keys(limits));

  test("are those of this table", () => {
    const folders = ["docs", "examples", "fixtures", "rest-shim", "scripts", "src", "test", "tools"];
    const inFolders = folders.flatMap((folder) =>
      readdirSync(join(packageRoot, folder), { encoding: "utf8", recursive: true }).map((path) => `${folder}/${path}`),
    );
    const all = [...readdirSync(packageRoot), ...inFolders];
    const documents = all.filter((path) => path.endsWith(".md") && !path.includes("node_modules"));
    assert.deepEqual([...listed].sort(), documents.sort());
  });

  for (const [reader, limits] of Object.entries(READERS)) {
    for (const [document, most] of Object.entries(limits)) {
      test(`${document} is for ${reader}, who has at most ${most} words to read`, () => {
        assert.match(readPackageFile(document), new RegExp(`^# .+\\n\\nFor ${reader}\\b`));
        const words = wordsOf(document);
        assert.ok(words <= most, `${words} words: cut what a table, --help or another page says`);
      });
    }
  }

  test(`have at most ${MOST_WORDS} words together`, () => {
    const words = listed.reduce((sum, document) => sum + wordsOf(document), 0);
    assert.ok(words <= MOST_WORDS, `${words} words`);
  });
});
