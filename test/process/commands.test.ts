import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { commands } from "../../src/commands/commands.ts";
import { settings } from "../../src/config/settings.ts";
import { packageVersion } from "../../src/ops/package-root.ts";
import { runBuilt } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/temporary-folder.ts";

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

test("help lists every command and --version prints the version", async (t) => {
  for (const word of ["help", "--help", "-h"]) {
    const { code, stdout, stderr } = await runBuilt(t, [word]);
    assert.equal(code, 0);
    assert.equal(stderr, "");
    for (const { usage } of Object.values(commands)) assert.ok(stdout.includes(`  ${usage}`), usage);
    assertNarrow(stdout);
  }
  assert.deepEqual(await runBuilt(t, ["--version"]), { code: 0, stdout: `${packageVersion}\n`, stderr: "" });
});

test("each command has a help that fits 80 columns, and that of serve lists every setting", async (t) => {
  for (const [name, { usage }] of Object.entries(commands)) {
    const { code, stdout, stderr } = await runBuilt(t, [name, "--port", "x", "--help"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(stdout.startsWith(`Usage: transfer-quote-mcp ${usage} [OPTIONS]\n`), stdout);
    assertNarrow(stdout);
    assert.equal((await runBuilt(t, ["help", name])).stdout, stdout);
  }
  const { stdout } = await runBuilt(t, ["serve", "-h"]);
  for (const { variable, kind, shown } of Object.values(settings)) {
    for (const part of [variable, kind.allowed, shown.replaceAll("`", "")])
      assert.ok(stdout.replaceAll(/\s+/g, " ").includes(part), part);
  }
});

for (const [args, says] of [
  [["book"], /^unknown command: book; see transfer-quote-mcp help\n$/],
  [["constructor"], /^unknown command: constructor; see /],
  [["help", "constructor"], /^unknown command: constructor; see /],
  [["qoute"], /^unknown command: qoute; did you mean quote\? See transfer-quote-mcp help\n$/],
  [["serve", "--prot", "1"], /^unknown option of serve: --prot; did you mean --port\? See .* serve --help\n$/],
  [["serve", "--http-port", "1"], /^unknown option of serve: --http-port; did you mean --port\? /],
  [["--level", "warn"], /^unknown option of stdio: --level; did you mean --log-level\? /],
  [["token", "-s"], /^unknown option of token: -s; see transfer-quote-mcp token --help\n$/],
  [["token", "--scope"], /^Option '--scope <value>' argument missing; see transfer-quote-mcp token --help\n$/],
  [["serve", "--port", "eighty"], /^TRANSFER_HTTP_PORT \(--port\) is "eighty"; allowed: an integer from 0 to 65535\n$/],
  [["serve", "now"], /^Expected no operands, got 1: now; see transfer-quote-mcp serve --help\n$/],
  [["token", "--scope", "admin"], /^--scope is "admin"; allowed: quote:create, .*discovery\n$/],
  [["token", "--scope", " "], /^--scope is " "; allowed: /],
  [["quote", "Bern"], /^Expected ORIGIN and DESTINATION, got 1: Bern; see transfer-quote-mcp quote --help\n$/],
  [["quote", "Bern", "Chur", "--passengers", "0"], /^--passengers is "0"; allowed: 1 to 50\n$/],
  [["quote", "Bern", "Chur", "--passengers", "51"], /^--passengers is "51"; allowed: 1 to 50\n$/],
  [["quote", "Bern", "Chur", "--at", "tomorrow"], /^--at is "tomorrow"; allowed: an RFC 3339 date-time such as .*\n$/],
  [["quote", "Bern", "Chur", "--at", "2027-06-01T10:00:00"], /^--at is "2027-06-01T10:00:00"; allowed: /],
] as const) {
  test(`rejects "${args.join(" ")}" with exit code 2`, async (t) => {
    const { code, stdout, stderr } = await runBuilt(t, args);
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /\n +at /, "a stack is shown");
  });
}

function assertNarrow(text: string): void {
  for (const line of text.split("\n")) assert.ok(line.length <= 80, line);
}

test("token issues a token with the requested scopes and subject, by default with all scopes", async (t) => {
  const env = { TRANSFER_DATA_DIR: aFolder(t), TRANSFER_HTTP_PORT: "3999" };
  const all = await runBuilt(t, ["token"], env);
  assert.equal(all.code, 0);
  assert.match(all.stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  assert.equal(claimsOf(all.stdout).iss, "http://127.0.0.1:3999/dev-auth");
  assert.equal(claimsOf(all.stdout).scope, "quote:create quote:read-own checkout:prepare discovery");
  const one = await runBuilt(t, ["token", "--scope", "quote:create,discovery", "--subject", "agent-7"], env);
  assert.equal(claimsOf(one.stdout).scope, "quote:create discovery");
  assert.equal(claimsOf(one.stdout).sub, "agent-7");
});

test("token is rejected when an identity provider is configured", async (t) => {
  const env = { TRANSFER_AUTH_ISSUER: "https://id.example/", TRANSFER_AUTH_AUDIENCE: "x" };
  const { code, stdout, stderr } = await runBuilt(t, ["token"], env);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /^TRANSFER_AUTH_ISSUER is https:\/\/id\.example\/; [^\n]*\n$/);
});

test("check exits with 0 when everything works and with 1 when a dependency fails", async (t) => {
  const right = await runBuilt(t, ["check"]);
  assert.equal(right.code, 0, right.stderr);
  for (const name of ["configuration", "catalog", "quotes", "router", "identity"]) {
    assert.match(right.stdout, new RegExp(`${name} +│ ok `));
  }
  const env = { TRANSFER_AUTH_ISSUER: "http://127.0.0.1:1/", TRANSFER_AUTH_AUDIENCE: "x" };
  const wrong = await runBuilt(t, ["check"], env);
  assert.equal(wrong.code, 1, wrong.stderr);
  assert.match(wrong.stdout, /identity +│ FAULT/);
  assert.match(wrong.stdout, /sign-in: metadata +│ missing/);
  assert.doesNotMatch(right.stdout, /sign-in/);
  const noGeocoder = { TRANSFER_GEOCODER: "photon", TRANSFER_GEOCODER_URL: "http://127.0.0.1:1/" };
  const impaired = await runBuilt(t, ["check"], noGeocoder);
  assert.equal(impaired.code, 1, impaired.stderr);
  assert.match(impaired.stdout, /geocoder +│ FAULT/);
});

test("quote prints the price of a journey and stores nothing", async (t) => {
  const TRANSFER_DATA_DIR = join(aFolder(t), "untouched");
  const args = [
    "quote",
    "Zurich Airport",
    "Bern",
    "--at",
    String(aRealJourney().pickup_datetime),
    "--via",
    "Olten",
    "--via",
    "Solothurn",
    "--passengers",
    "5",
  ];
  const { code, stdout, stderr } = await runBuilt(t, args, { TRANSFER_DATA_DIR });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Zurich Airport – Olten – Solothurn – Bern, /);
  assert.match(stdout, /\d+(\.\d)? km, \d+ min \(EMBEDDED_ROAD_NETWORK/);
  assert.match(stdout, /│ +\d+\.[0-9][05] │/);
  assert.throws(() => readdirSync(TRANSFER_DATA_DIR), { code: "ENOENT" });
});

test("commands that do not listen run without an issuer on any host", async (t) => {
  const env = { TRANSFER_HTTP_HOST: "0.0.0.0" };
  for (const args of [["prices"], ["quote", "Bern", "Chur"], ["token"]]) {
    const { code, stderr } = await runBuilt(t, args, { ...env, TRANSFER_DATA_DIR: aFolder(t) });
    assert.equal(code, 0, `${args[0]}: ${stderr}`);
  }
  const { code, stderr } = await runBuilt(t, ["check"], env);
  assert.equal(code, 2);
  assert.match(stderr, /^TRANSFER_HTTP_HOST is 0\.0\.0\.0; [^\n]*TRANSFER_AUTH_ISSUER/);
});

test("quote without --at prices a pickup tomorrow and reports an error in one line", async (t) => {
  assert.equal((await runBuilt(t, ["quote", "Bern", "Chur"])).code, 0);
  const { code, stdout, stderr } = await runBuilt(t, ["quote", "Nowhere at all", "Chur"]);
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /^INVALID_LOCATION: [^\n]*\n$/);
});

test("prices shows every corridor, as a table and as CSV with the same numbers", async (t) => {
  const [table, csv] = await Promise.all([runBuilt(t, ["prices"]), runBuilt(t, ["prices", "--csv"])]);
  assert.equal(table.code, 0, table.stderr);
  assert.equal(csv.code, 0, csv.stderr);
  const [head = "", ...rows] = csv.stdout.trimEnd().split("\n");
  assert.match(head, /^route_key,km,min,[a-z_]+(,[a-z_]+){5,}$/);
  assert.ok(rows.length >= 25);
  for (const row of rows) assert.match(row, /^[a-z-]+,\d+(\.\d)?,\d+(,\d+\.\d[05])+$/);
  for (const row of rows) {
    const cells = row.split(",").map((cell) => cell.replaceAll(".", "\\."));
    assert.match(table.stdout, new RegExp(cells.join("[ │]+")));
  }
});
