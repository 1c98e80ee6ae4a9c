import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/ops/clock.ts";
import { openStore, savedSales } from "../support/lowdb-store.ts";
import { anEntry } from "../support/quote-fixture.ts";
import { runsModule } from "../support/run-module.ts";
import { aFolder } from "../support/temporary-folder.ts";

const WRITER = runsModule("test/process/kill-writer");
const ROUNDS = 8;
/** In every fourth round the process is killed while it starts, takes over the lock or reads the files. */
const STARTING_ROUND = 4;

test("kill -9 at any moment loses no acknowledged quote and no event, and leaves a readable store", async (t) => {
  const folder = aFolder(t);
  const at = new Date().toISOString();
  const acknowledged: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = acknowledged.length;
    await writeUntilKilled(round);
    if (round % STARTING_ROUND > 0) assert.ok(acknowledged.length > before, `round ${round}`);
    const store = await openStore(t, { folder, clock: systemClock });
    for (const name of acknowledged) {
      const { quote, record } = anEntry(name, at);
      assert.deepEqual(await store.find(`quote_${name}`), quote);
      assert.deepEqual(await store.findRecord(`scope_${name}`), record);
    }
    const sold = (await savedSales(folder)).map(({ quoteId }) => quoteId);
    assert.equal(new Set(sold).size, sold.length, "no event twice");
    const lost = acknowledged.filter((name) => !name.startsWith("between") && !sold.includes(`quote_${name}`));
    assert.deepEqual(lost, []);
    await store.insert(anEntry(`between_${round}`, at));
    acknowledged.push(`between_${round}`);
    await store.close();
  }
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.includes("damaged")),
    [],
  );
  t.diagnostic(`${acknowledged.length} acknowledged in ${ROUNDS} rounds`);

  async function writeUntilKilled(round: number): Promise<void> {
    const child = spawn(process.execPath, [...WRITER, folder, String(round), at], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    t.after(() => child.kill("SIGKILL"));
    const exited = once(child, "exit");
    const lines = createInterface(child.stdout);
    const heard = once(lines, "close");
    lines.on("line", (name) => acknowledged.push(name));
    if (round % STARTING_ROUND > 0) await Promise.race([once(lines, "line"), exited]);
    await sleep(Math.random() * (round % STARTING_ROUND > 0 ? 100 : 600));
    child.kill("SIGKILL");
    assert.deepEqual(await exited, [null, "SIGKILL"]);
    await heard;
  }
});
