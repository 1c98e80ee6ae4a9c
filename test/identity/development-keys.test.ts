import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { createMint, developmentKeySet, loadDevelopmentKeys } from "../../src/identity/development/keys.ts";
import { createJwtVerifier } from "../../src/identity/jwt-verifier.ts";
import { moduleUrl, runsScript } from "../support/run-module.ts";

const FILE = "development-keys.json";
const clock = { now: () => new Date("2026-03-01T12:00:00.500Z") };
const issuer = "http://127.0.0.1:3000/dev-auth";
const audience = "https://api.transfer.test/";

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "development-keys-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

suite("development keys", () => {
  test("are created once, in a folder created for them, readable by their owner only", async (t) => {
    const folder = join(await emptyFolder(t), "deep", "down");
    const keys = await loadDevelopmentKeys(folder);
    assert.ok(keys.clientSecret.length >= 32);
    assert.deepEqual(await readdir(folder), [FILE], "no temporary file is left");
    assert.deepEqual(await loadDevelopmentKeys(folder), keys);
    if (process.platform !== "win32") assert.equal((await stat(join(folder, FILE))).mode & 0o777, 0o600);
  });

  test("differ between folders", async (t) => {
    const [a, b] = [await emptyFolder(t), await emptyFolder(t)];
    const [left, right] = [await loadDevelopmentKeys(a), await loadDevelopmentKeys(b)];
    assert.notEqual(left.clientSecret, right.clientSecret);
    assert.notEqual(left.signingKey.kid, right.signingKey.kid);
  });

  test("are the same for concurrent calls", async (t) => {
    const folder = await emptyFolder(t);
    const calls = Array.from({ length: 40 }, async (_, n) => {
      await sleep(n / 4);
      return loadDevelopmentKeys(folder);
    });
    const all = await Promise.all(calls);
    for (const keys of all) assert.deepEqual(keys, all[0]);
    assert.deepEqual(await readdir(folder), [FILE]);
  });

  test("are the same for processes that start together", async (t) => {
    const folder = await emptyFolder(t);
    const module = JSON.stringify(moduleUrl("src/identity/development/keys"));
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
      const folder = await emptyFolder(t);
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

  test("a data folder that is a file is reported by its name", async (t) => {
    const path = join(await emptyFolder(t), "file");
    await writeFile(path, "");
    await assert.rejects(loadDevelopmentKeys(path), (error: Error) => error.message.includes(path));
  });
});

suite("development token", () => {
  test("is accepted by the verifier, with its subject and scopes, until it expires", async (t) => {
    const keys = await loadDevelopmentKeys(await emptyFolder(t));
    const scopes = ["quote:create", "discovery"];
    const subject = "local-developer";
    const token = await createMint(keys, issuer, audience, clock)(subject, scopes, 60);

    const at = (time: string) =>
      createJwtVerifier({ issuer, audience, keys: developmentKeySet(keys), clock: { now: () => new Date(time) } });
    const principal = { subject, client: "demo", scopes: new Set(scopes) };
    assert.deepEqual(await at("2026-03-01T12:00:59Z").verify(token), principal);
    assert.equal(await at("2026-03-01T12:01:06Z").verify(token), undefined);
    assert.equal(decodeProtectedHeader(token).kid, keys.signingKey.kid);
    assert.equal(decodeJwt(token).iat, Date.parse("2026-03-01T12:00:00Z") / 1000);
  });

  test("is never the same twice", async (t) => {
    const keys = await loadDevelopmentKeys(await emptyFolder(t));
    const mint = createMint(keys, issuer, audience, clock);
    assert.notEqual(await mint("s", [], 60), await mint("s", [], 60));
  });

  test("the verifier's key set has no private key", async (t) => {
    const keys = await loadDevelopmentKeys(await emptyFolder(t));
    const published = (developmentKeySet(keys) as unknown as { jwks(): unknown }).jwks();
    assert.doesNotMatch(JSON.stringify(published), /"d"/);
  });
});
