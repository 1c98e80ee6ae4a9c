import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aCatalogFolder, changeCatalog } from "../support/catalog-folder.ts";
import { aFolder } from "../support/lifetime.ts";
import { request } from "../support/service.ts";

const WAITS = { timeout: 120_000 };

test("reload and SIGHUP reach a server whose data folder has a long path, and nobody else does", WAITS, async (t) => {
  const dataDir = join(aFolder(t), "a".repeat(90));
  const catalog = aCatalogFolder(t);
  const reload = () => runBuilt(t, ["reload", "--data", dataDir]);
  const killed = await startBuiltServer(t, { TRANSFER_DATA_DIR: dataDir, TRANSFER_CATALOG_DIR: catalog });
  const control = join(dataDir, "control");
  const [file = ""] = readdirSync(control).filter((name) => name.endsWith(".json"));
  const { socket } = JSON.parse(readFileSync(join(control, file), "utf8"));
  const path = join(control, socket);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
  assert.match((await reload()).stdout, new RegExp(`^process ${killed.child.pid} uses `));
  changeCatalog(catalog, "tariff.json", (tariff) => (tariff.version = "after SIGHUP"));
  killed.child.kill("SIGHUP");
  await killed.says(/"msg":"catalog reloaded"[\s\S]*"msg":"catalog reloaded"/);
  assert.equal((await request(`${killed.publicUrl}/readyz`)).body.catalog.tariff_version, "after SIGHUP");

  await killed.stop("SIGKILL");
  const nobody = await reload();
  assert.deepEqual([nobody.code, nobody.stdout], [1, ""]);
  assert.match(nobody.stderr, /^no server uses the data folder \S+; give reload the same --data as the server\n$/);
  const again = await startBuiltServer(t, { TRANSFER_DATA_DIR: dataDir });
  const one = new RegExp(`^process ${again.child.pid} uses [^\\n]*\\n$`);
  assert.match((await reload()).stdout, one, "what the killed one left is gone");
});
