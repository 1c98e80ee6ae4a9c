import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openIssuerFiles } from "../../../src/adapters/stores/lowdb/issuer-files.ts";
import { openPostgresIssuerStore } from "../../../src/adapters/stores/postgres/postgres-issuer-store.ts";
import { HOUR } from "../../../src/ops/durations.ts";
import { sha256 } from "../../../src/ops/ids.ts";
import { silentLog } from "../../../src/ops/log.ts";
import { issuerStoreContract } from "../../ports/issuer-store.contract.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aFolder } from "../../support/lifetime.ts";
import { aSchema, asking, purge, withPostgres } from "../../support/postgres.ts";

issuerStoreContract("the data folder", async (t, clock) => {
  const folder = join(aFolder(t), "issuer");
  return () => openIssuerFiles({ folder, clock, mostOfAKind: 4 });
});

const KEY = sha256("a", "base64url");

test("a process that was killed while it wrote leaves no record", async (t) => {
  const folder = aFolder(t);
  const store = await openIssuerFiles({ folder, clock: aClock() });
  await store.save("Grant", KEY, { payload: { clientId: "x" }, expiresAt: undefined });
  const other = sha256("b", "base64url");
  writeFileSync(join(folder, "Grant", `${other}.json.draft`), '{"payload":');
  const again = await openIssuerFiles({ folder, clock: aClock() });
  assert.deepEqual(
    (await again.list("Grant")).map(({ key }) => key),
    [KEY],
  );
  await again.save("Grant", other, { payload: {}, expiresAt: undefined });
  assert.equal((await again.list("Grant")).length, 2);
});

test("reads alone create nothing, and only the owner can read what is written", async (t) => {
  const folder = join(aFolder(t), "issuer");
  const store = await openIssuerFiles({ folder, clock: aClock() });
  assert.deepEqual(await store.list("Client"), []);
  assert.equal(await store.find("Client", KEY), undefined);
  assert.ok(!existsSync(folder));
  await store.add("Client", KEY, { payload: {}, expiresAt: undefined });
  await store.secrets(async () => "secret");
  const files = [join(folder, "Client", `${KEY}.json`), join(folder, "secrets.json")];
  assert.deepEqual(
    files.map((file) => statSync(file).mode & 0o077),
    [0, 0],
  );
});

test("the server deletes what has expired, with the marks of its use", async (t) => {
  const [folder, clock] = [aFolder(t), aClock()];
  const store = await openIssuerFiles({ folder, clock });
  await store.save("RefreshToken", KEY, { payload: {}, expiresAt: clock.now().getTime() + HOUR });
  assert.ok(await store.consume("RefreshToken", KEY));
  assert.equal(readdirSync(join(folder, "RefreshToken")).length, 2);
  clock.advance(HOUR);
  const server = await openIssuerFiles({ folder, clock, purgeLog: silentLog });
  await server.close();
  assert.deepEqual(readdirSync(join(folder, "RefreshToken")), []);
});

test("a key that is no hash is never a path", async (t) => {
  const store = await openIssuerFiles({ folder: aFolder(t), clock: aClock() });
  await assert.rejects(store.find("Client", "../secrets"), /no key/);
});

await withPostgres("the embedded issuer on PostgreSQL", () => {
  issuerStoreContract("PostgreSQL", async (t, clock) => {
    const url = await aSchema(t);
    return async () => {
      const store = await openPostgresIssuerStore(url, { clock, log: silentLog, mostOfAKind: 4 });
      t.after(() => store.close());
      return store;
    };
  });

  test("the store of quotes deletes what has expired, and no credential", async (t) => {
    const [url, clock] = [await aSchema(t), aClock()];
    const store = await openPostgresIssuerStore(url, { clock, log: silentLog });
    t.after(() => store.close());
    const key = sha256("a", "base64url");
    await store.save("RefreshToken", key, { payload: {}, expiresAt: clock.now().getTime() + HOUR });
    await store.save("Client", key, { payload: {}, expiresAt: undefined });
    clock.advance(HOUR);
    await purge(url, { clock });
    assert.deepEqual(await asking(url, "SELECT kind FROM transfer_issuer_records"), [{ kind: "Client" }]);
  });
});
