import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { suite, test } from "node:test";
import { assertAfterCrash, assertShows, openStore } from "../support/lowdb-store.ts";
import { anEntry } from "../support/quote-fixture.ts";
import { aRecordingLog } from "../support/recording-log.ts";
import { aSmallDisk, mount } from "../support/small-disk.ts";

const UNAVAILABLE = { name: "PublicError", code: "UPSTREAM_UNAVAILABLE" };

suite("the embedded store on a disk", () => {
  test("that is full", async (t) => {
    const folder = aSmallDisk(t);
    if (!folder) return;
    const { log, records } = aRecordingLog();
    const store = await openStore(t, { folder, log });
    const stored: string[] = [];
    await store.ping();
    for (let n = 0; ; n += 1) {
      const failed = await store.insert(anEntry(`n${n}`)).then(() => undefined, String);
      if (failed) break;
      stored.push(`n${n}`);
    }
    assert.ok(stored.length > 20);
    for (const attempt of [1, 2, 3]) {
      await assert.rejects(store.ping(), UNAVAILABLE, `ping ${attempt} reports the full disk`);
      await assert.rejects(store.insert(anEntry("more")), UNAVAILABLE);
    }
    await assertAfterCrash(t, folder, { shown: stored, hidden: [`n${stored.length}`, "more"] });

    mount("remount,size=1m", folder);
    await store.ping();
    const messages = () => records.map(({ message }) => message);
    assert.deepEqual(messages(), ["quotes cannot be stored"], "a ping stores no quote");
    await store.insert(anEntry("later"));
    assert.deepEqual(messages(), ["quotes cannot be stored", "quotes are stored again"]);
    assert.ok(!(await readdir(folder)).includes("probe"));
    await assertAfterCrash(t, folder, { shown: [...stored, "later"], hidden: [`n${stored.length}`, "more"] });
  });

  test("that is read-only, at the start and later", async (t) => {
    const folder = aSmallDisk(t);
    if (!folder) return;
    const first = await openStore(t, { folder });
    await first.insert(anEntry("a"));
    await first.close();
    mount("remount,ro", folder);
    const store = await openStore(t, { folder });
    await assertShows(store, { shown: ["a"] });
    await assert.rejects(store.insert(anEntry("b")), UNAVAILABLE);
    await assert.rejects(store.ping(), UNAVAILABLE);
    mount("remount,rw", folder);
    await store.ping();
    await store.insert(anEntry("c"));
    await assertAfterCrash(t, folder, { shown: ["a", "c"], hidden: ["b"] });
  });
});
