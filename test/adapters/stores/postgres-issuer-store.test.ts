import assert from "node:assert/strict";
import { test } from "node:test";
import { openPostgresIssuerStore } from "../../../src/adapters/stores/postgres/postgres-issuer-store.ts";
import { HOUR } from "../../../src/ops/durations.ts";
import { sha256 } from "../../../src/ops/ids.ts";
import { silentLog } from "../../../src/ops/log.ts";
import { issuerStoreContract } from "../../ports/issuer-store.contract.ts";
import { aClock } from "../../support/fake-clock.ts";
import { aSchema, asking, purge, withPostgres } from "../../support/postgres.ts";

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
