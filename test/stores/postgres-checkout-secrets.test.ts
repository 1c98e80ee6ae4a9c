import assert from "node:assert/strict";
import { test } from "node:test";
import { aSchema, asking, openStore, withPostgres } from "../support/postgres.ts";

const OLD = "an old secret of at least 32 characters";
const NEW = "a new secret of at least 32 characters";
const OTHER = "another secret of at least 32 characters";
const REFUSED = { name: "UnusableStorage", message: /^TRANSFER_CHECKOUT_SECRET .*allowed:[^\n]*$/ };

await withPostgres("checkout secrets of several processes", () => {
  test("a process with the others' secret starts, one with another secret is refused", async (t) => {
    const url = await aSchema(t);
    const [one, other] = await Promise.all([openStore(t, { url }), openStore(t, { url })]);
    await one.checkCheckoutSecrets([OLD]);
    await other.checkCheckoutSecrets([OLD]);
    await assert.rejects(other.checkCheckoutSecrets([OTHER]), REFUSED);
    await other.checkCheckoutSecrets([OLD]);
  });

  test("of processes that start together with different secrets one starts", async (t) => {
    const url = await aSchema(t);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(t, { url })));
    const outcomes = await Promise.allSettled(stores.map((store, n) => store.checkCheckoutSecrets([`${OTHER} ${n}`])));
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.name] : []));
    assert.deepEqual(refused, Array(3).fill("UnusableStorage"));
  });

  test("a rotation goes by way of both secrets, and then the old one is no longer enough", async (t) => {
    const store = await openStore(t, { url: await aSchema(t) });
    await store.checkCheckoutSecrets([OLD]);
    await assert.rejects(store.checkCheckoutSecrets([NEW]), REFUSED);
    await store.checkCheckoutSecrets([NEW, OLD]);
    await store.checkCheckoutSecrets([NEW]);
    await assert.rejects(store.checkCheckoutSecrets([OLD]), REFUSED);
    await store.checkCheckoutSecrets([OTHER, NEW]);
  });

  test("the database keeps no secret, and no fingerprint that a second database would share", async (t) => {
    const kept = await Promise.all(
      [1, 2].map(async () => {
        const url = await aSchema(t);
        await (await openStore(t, { url })).checkCheckoutSecrets([OLD]);
        const [row] = await asking<{ value: string }>(url, "SELECT value FROM transfer_settings");
        assert.doesNotMatch(row?.value ?? "", /secret of/);
        return (JSON.parse(row?.value ?? "") as { fingerprints: string[] }).fingerprints;
      }),
    );
    assert.notDeepEqual(kept[0], kept[1]);
  });

  test("processes that start together agree on a setting, which stays", async (t) => {
    const url = await aSchema(t);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore(t, { url })));
    const values = await Promise.all(stores.map((store, n) => store.setting("caller_hash_key", `key ${n}`)));
    assert.equal(new Set(values).size, 1);
    assert.equal(await stores[0]?.setting("caller_hash_key", "another key"), values[0]);
  });
});
