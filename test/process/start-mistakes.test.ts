import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runBuilt, startBuilt } from "../support/built-process.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { runCommand } from "../support/command-line.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aFolder } from "../support/temporary-folder.ts";

const SERVE = { TRANSFER_HTTP_PORT: "0" };

const catalogMistakes: readonly [string, string, (folder: string) => void, RegExp][] = [
  [
    "a number where text belongs",
    "corridors.json",
    edit("corridors.json", (file) => (file.corridors[2].origin = 7)),
    /at corridors\.2\.origin: /,
  ],
  ["an unknown field", "tariff.json", edit("tariff.json", (file) => (file.surcharge = 5)), /: .*surcharge/],
  [
    "a corridor to an unknown place",
    "corridors.json",
    edit("corridors.json", (file) => (file.corridors[0].destination = "atlantis")),
    /at zurich-airport-to-zurich: unknown place atlantis/,
  ],
  [
    "a vehicle class without a rate",
    "tariff.json",
    edit("tariff.json", (file) => delete file.rates[Object.keys(file.rates)[0] ?? ""]),
    /at rates\.\w+: missing/,
  ],
  [
    "invalid JSON",
    "policies.json",
    (folder) => writeFileSync(join(folder, "policies.json"), '{"policies": ['),
    /: invalid JSON \(/,
  ],
  ["a missing file", "luggage.json", (folder) => rmSync(join(folder, "luggage.json")), /: missing$/],
];

function edit(file: string, change: (content: Fields) => unknown): (folder: string) => void {
  return (folder) =>
    changeCatalog(folder, file, (content) => {
      change(content);
      return content;
    });
}

for (const [what, file, spoil, says] of catalogMistakes) {
  test(`${what} in the catalog exits with 2 and one line that names ${file}`, async (t) => {
    const folder = aCatalogFolder(t);
    spoil(folder);
    const { code, stdout, stderr } = await runCommand(t, ["serve"], { ...SERVE, TRANSFER_CATALOG_DIR: folder });
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
    const told = lastLine(stderr);
    assert.ok(told.startsWith(join(folder, file)), stderr);
    assert.match(told, says);
  });
}

test("a duplicate road is reported with its file", async (t) => {
  const folder = aCatalogFolder(t);
  const edges = [
    { from: "a-town", to: "b-town" },
    { from: "b-town", to: "a-town" },
  ].map((ends) => ({ ...ends, km: 10, minutes: 12, road: "main", source: "tests", checked: "2026-11" }));
  const nodes = ["a-town", "b-town"].map((id) => ({ id, name: id, lat: 47, lng: 8 }));
  writeFileSync(join(folder, "roads", "zz-extra.json"), JSON.stringify({ region: "extra", nodes, edges }));
  const { code, stderr } = await runBuilt(t, ["serve"], { ...SERVE, TRANSFER_CATALOG_DIR: folder });
  assert.equal(code, 2, stderr);
  assert.match(lastLine(stderr), /zz-extra\.json at edges\.a-town b-town: duplicate$/);
});

test("an invalid setting exits every command with 2 and one line without secrets", async (t) => {
  for (const args of [["serve"], [], ["check"], ["token"], ["prices"]]) {
    const { code, stdout, stderr } = await runBuilt(t, args, { TRANSFER_LOG_LEVEL: "loud" });
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^TRANSFER_LOG_LEVEL is "loud"; allowed: fatal, [^\n]*\n$/);
  }
  const secret = await runCommand(t, ["serve"], { ...SERVE, TRANSFER_CHECKOUT_SECRET: "hunter2" });
  assert.equal(secret.code, 2);
  assert.match(secret.stderr, /^TRANSFER_CHECKOUT_SECRET is set, but not valid; allowed: [^\n]*32[^\n]*\n$/);
});

test("a public URL exits with 2 while the development issuer would run", async (t) => {
  for (const args of [["serve"], ["check"]]) {
    const env = { ...SERVE, TRANSFER_PUBLIC_URL: "https://quotes.example.com" };
    const { code, stdout, stderr } = await runCommand(t, args, env);
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
    assert.match(stderr, /^TRANSFER_PUBLIC_URL is https:\/\/quotes\.example\.com; [^\n]*TRANSFER_AUTH_ISSUER[^\n]*\n$/);
  }
});

test("warns of an unknown variable by name and continues", async (t) => {
  const { code, stderr } = await runCommand(t, ["token"], { TRANSFER_HTTP_PROT: "80", TRANSFER_TOKEN: "x" });
  assert.equal(code, 0);
  assert.match(stderr, /^warning: unknown setting TRANSFER_HTTP_PROT; [^\n]*$/m);
  assert.match(stderr, /^warning: unknown setting TRANSFER_TOKEN; [^\n]*$/m);
});

test("an unusable data folder exits with 2 and one line", async (t) => {
  const file = join(aFolder(t), "file");
  writeFileSync(file, "");
  for (const args of [["serve"], ["stdio"]]) {
    const { code, stdout, stderr } = await runBuilt(t, args, { ...SERVE, TRANSFER_DATA_DIR: join(file, "below") });
    assert.equal(code, 2, stderr);
    assert.equal(stdout, "");
    assert.match(stderr, /^TRANSFER_DATA_DIR is [^\n]*\n$/);
  }
});

test("too few file handles exit with 2 and one line", async (t) => {
  for (const args of [["serve"], ["stdio"]]) {
    const { stdout, stderr, ended } = startBuilt(t, args, SERVE, { openFiles: 64 });
    const { code } = await ended;
    assert.equal(code, 2, stderr());
    assert.equal(stdout(), "");
    assert.match(stderr(), /^too few file handles; [^\n]*ulimit -n 1024\n$/);
  }
});

function lastLine(text: string): string {
  assert.match(text, /\n$/);
  const lines = text
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("{"));
  assert.equal(lines.length, 1, text);
  return lines[0] ?? "";
}
