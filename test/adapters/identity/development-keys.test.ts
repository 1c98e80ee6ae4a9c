import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { loadDevelopmentKeys } from "../../../src/adapters/identity/development/keys.ts";
import { aFolder } from "../../support/lifetime.ts";
import { moduleUrl, runsScript } from "../../support/run-module.ts";

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
