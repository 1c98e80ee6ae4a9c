import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { loadDevelopmentKeys } from "../../../src/adapters/identity/development/keys.ts";
import { ALL_SCOPES, aDevelopmentIssuer } from "../../support/development-issuer.ts";
import { send } from "../../support/raw-http.ts";
import { moduleUrl, runsScript } from "../../support/run-module.ts";
import { aFolder } from "../../support/temporary-folder.ts";
import { wholeFile } from "../../support/whole-file.ts";

const { issuer, publicUrl, ask } = await aDevelopmentIssuer(wholeFile);

test("serves the same metadata at every address", async () => {
  const { port } = new URL(publicUrl);
  const addresses = [
    `${issuer}/.well-known/openid-configuration`,
    `${issuer}/.well-known/oauth-authorization-server`,
    `${publicUrl}/.well-known/oauth-authorization-server/dev-auth`,
    // Where MCP 2025-03-26 looks for it.
    `${publicUrl}/.well-known/oauth-authorization-server`,
    `${publicUrl}/.well-known/openid-configuration/dev-auth?x`,
    `http://localhost:${port}/.well-known/openid-configuration/dev-auth`,
  ];
  const [first, ...others] = await Promise.all(
    addresses.map(async (url) => (await fetch(url)).json() as Promise<Record<string, unknown>>),
  );
  for (const other of others) assert.deepEqual(other, first);
  const expected = {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    authorization_endpoint: `${issuer}/authorize`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    registration_endpoint: undefined,
    client_id_metadata_document_supported: true,
    code_challenge_methods_supported: ["S256"],
    response_types_supported: ["code"],
    response_modes_supported: ["query", "fragment"],
    scopes_supported: [...ALL_SCOPES.split(" "), "openid", "offline_access"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
  };
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(first?.[name], value, name);
  const grants = ["authorization_code", "client_credentials", "refresh_token"];
  assert.deepEqual((first?.grant_types_supported as string[] | undefined)?.sort(), grants);
});

for (const path of ["reg", "oauth/register", "me", "token/revocation", "session/end", "request"]) {
  test(`has no endpoint ${path}`, async () => {
    for (const method of ["GET", "POST"]) {
      const response = await fetch(`${issuer}/${path}`, { method });
      assert.equal(response.status, 404, method);
      assert.equal(response.headers.get("content-type"), "application/problem+json");
    }
  });
}

test("allows browser requests from pages on this machine only", async () => {
  const inspector = await ask({}, true, { origin: "http://localhost:6274" });
  assert.equal(inspector.status, 200);
  assert.equal(inspector.headers.get("access-control-allow-origin"), "http://localhost:6274");
  const preflight = await fetch(`${issuer}/oauth/token`, {
    method: "OPTIONS",
    headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get("access-control-allow-origin"), "http://localhost:6274");
  const foreign = await ask({}, true, { origin: "https://else.test" });
  assert.equal(foreign.status, 400);
  assert.equal(foreign.headers.get("access-control-allow-origin"), null);
});

for (const path of [
  "/dev-auth/authorize",
  "/dev-auth/oauth/token",
  "/dev-auth/.well-known/openid-configuration",
  "/.well-known/oauth-authorization-server/dev-auth",
  "/.well-known/openid-configuration/dev-auth",
]) {
  test(`rejects every host at ${path} that is not loopback`, async () => {
    for (const Host of ["quotes.example.com", "192.168.1.10:3000", "localhost.example.com", "0.0.0.0", "a b"]) {
      const { status, body } = await send(`${publicUrl}${path}`, "GET", { Host });
      assert.deepEqual([status, body.code], [403, "INVALID_REQUEST"], Host);
    }
    for (const Host of ["localhost:1", "127.0.0.2", "[::1]:3000"])
      assert.notEqual((await send(`${publicUrl}${path}`, "GET", { Host })).status, 403, Host);
  });
}

const FILE = "development-keys.json";

suite("development keys", () => {
  test("are created once, in a folder created for them, readable by their owner only", async (t) => {
    const folder = join(aFolder(t), "deep", "down");
    const keys = await loadDevelopmentKeys(folder);
    assert.ok(keys.clientSecret.length >= 32);
    assert.deepEqual(await readdir(folder), [FILE], "no temporary file is left");
    assert.deepEqual(await loadDevelopmentKeys(folder), keys);
    if (process.platform !== "win32") assert.equal((await stat(join(folder, FILE))).mode & 0o777, 0o600);
  });

  test("are the same for processes that start together", async (t) => {
    const folder = aFolder(t);
    const module = JSON.stringify(moduleUrl("src/adapters/identity/development/keys"));
    const program = `const { loadDevelopmentKeys } = await import(${module});
      process.stdout.write(JSON.stringify(await loadDevelopmentKeys(${JSON.stringify(folder)})));`;
    const runs = [1, 2, 3].map(() => promisify(execFile)(process.execPath, runsScript(program)));
    const outputs = (await Promise.all(runs)).map(({ stdout }) => stdout);
    assert.equal(new Set(outputs).size, 1);
    assert.deepEqual(JSON.parse(outputs[0] ?? ""), await loadDevelopmentKeys(folder));
  });

  const damages: Record<string, (text: string) => string> = {
    "cut off": (text) => text.slice(0, 100),
    empty: () => "",
    "of another shape": () => '{"signingKey":{}}',
    "without its private half": (text) => text.replace(/"d": "[^"]+"/, '"d": ""'),
    "with halves of two keys": (text) => text.replace(/"d": "...../, '"d": "AAAAA'),
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(`a file that is ${name} is reported with what to do, and left as it is`, async (t) => {
      const folder = aFolder(t);
      const { clientSecret } = await loadDevelopmentKeys(folder);
      const path = join(folder, FILE);
      const damaged = damage(await readFile(path, "utf8"));
      await writeFile(path, damaged);
      await assert.rejects(loadDevelopmentKeys(folder), (error: Error) => {
        assert.ok(error.message.includes(path));
        assert.match(error.message, /[Dd]elete it/);
        assert.ok(!`${error.stack}${String(error.cause)}`.includes(clientSecret));
        return true;
      });
      assert.equal(await readFile(path, "utf8"), damaged);
    });
  }
});
