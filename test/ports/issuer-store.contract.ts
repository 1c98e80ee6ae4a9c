import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type IssuerStore, StoreFull } from "../../src/adapters/identity/embedded/issuer-store.ts";
import { HOUR } from "../../src/ops/durations.ts";
import { sha256 } from "../../src/ops/ids.ts";
import { aClock } from "../support/fake-clock.ts";

/** Opens stores on one place, empty at first; they keep at most four records of a kind. */
export type OpenIssuerStore = (t: TestContext, clock: ReturnType<typeof aClock>) => Promise<() => Promise<IssuerStore>>;

const keyOf = (id: string) => sha256(id, "base64url");

export function issuerStoreContract(name: string, openOn: OpenIssuerStore): void {
  const record = (clock: ReturnType<typeof aClock>, payload: object) => ({
    payload: { ...payload },
    expiresAt: clock.now().getTime() + HOUR,
  });

  test(`${name} finds in each process what another has saved, until it expires`, async (t) => {
    const clock = aClock();
    const open = await openOn(t, clock);
    const [first, second] = [await open(), await open()];
    const key = keyOf("a");
    await first.save("Grant", key, record(clock, { clientId: "x", text: "\u0000é" }));
    const found = await second.find("Grant", key);
    assert.deepEqual(found?.payload, { clientId: "x", text: "\u0000é" });
    assert.equal(found?.isConsumed, false);
    assert.equal(await second.find("RefreshToken", key), undefined);
    await second.save("Grant", key, record(clock, { clientId: "y" }));
    assert.deepEqual(
      (await first.list("Grant")).map(({ key, payload }) => [key, payload]),
      [[key, { clientId: "y" }]],
    );
    clock.advance(HOUR);
    assert.equal(await first.find("Grant", key), undefined);
    assert.deepEqual(await first.list("Grant"), []);
    assert.equal(await first.consume("Grant", key), false);
  });

  test(`${name} keeps for ever what does not expire, and forgets what is removed`, async (t) => {
    const clock = aClock();
    const store = await (await openOn(t, clock))();
    await store.save("Client", keyOf("a"), { payload: { name: "a" }, expiresAt: undefined });
    clock.advance(10_000 * HOUR);
    assert.deepEqual((await store.find("Client", keyOf("a")))?.payload, { name: "a" });
    await store.remove("Client", keyOf("a"));
    await store.remove("Client", keyOf("a"));
    assert.equal(await store.find("Client", keyOf("a")), undefined);
  });

  test(`${name} lets one of many add a record, use it, and make the secrets`, async (t) => {
    const clock = aClock();
    const open = await openOn(t, clock);
    const stores = await Promise.all([open(), open(), open()]);
    const many = [...stores, ...stores];
    const adds = many.map((store, n) => store.add("Client", keyOf("a"), record(clock, { n })));
    assert.equal((await Promise.all(adds)).filter(Boolean).length, 1);
    await stores[0].save("AuthorizationCode", keyOf("c"), record(clock, {}));
    const uses = many.map((store) => store.consume("AuthorizationCode", keyOf("c")));
    assert.equal((await Promise.all(uses)).filter(Boolean).length, 1);
    assert.equal((await stores[1].find("AuthorizationCode", keyOf("c")))?.isConsumed, true);
    assert.equal(await stores[1].consume("AuthorizationCode", keyOf("unknown")), false);
    const secrets = await Promise.all(many.map((store, n) => store.secrets(async () => `secret ${n}`)));
    assert.equal(new Set(secrets).size, 1);
  });

  test(`${name} keeps a limited number of records of a kind`, async (t) => {
    const clock = aClock();
    const store = await (await openOn(t, clock))();
    for (const id of ["a", "b", "c", "d"]) await store.save("Interaction", keyOf(id), record(clock, { id }));
    await assert.rejects(store.save("Interaction", keyOf("e"), record(clock, {})), StoreFull);
    await store.save("Interaction", keyOf("d"), record(clock, { again: true }));
    await store.save("Grant", keyOf("e"), record(clock, {}));
    await store.remove("Interaction", keyOf("a"));
    await store.save("Interaction", keyOf("e"), record(clock, {}));
  });
}
