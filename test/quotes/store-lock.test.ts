import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { FolderInUse, lockFolder, lockFreeSlot } from "../../src/quotes/lowdb/store-lock.ts";
import { aFolder } from "../support/temporary-folder.ts";

const LOCK_MODULE = new URL("../../src/quotes/lowdb/store-lock.ts", import.meta.url).href;

test("refuses a folder in use with a line that names the first", async (t) => {
  const folder = aFolder(t);
  const release = await lockFolder(folder, "serve on http://127.0.0.1:3000");
  const refused = await lockFolder(folder, "serve on http://127.0.0.1:3001").catch((error) => error);
  assert.ok(refused instanceof FolderInUse);
  const since = /since (\d{4}-\d\d-\d\dT[\d:.]+Z)/.exec(refused.message)?.[1];
  assert.equal(
    refused.message,
    `data folder ${folder} is in use by process ${process.pid} (serve on http://127.0.0.1:3000, since ${since}); ` +
      "stop it or set TRANSFER_DATA_DIR",
  );
  await release();
  await (await lockFolder(folder, "serve"))();
});

test("makes the folder, and leaves nothing in it when released", async (t) => {
  const folder = join(aFolder(t), "quotes", "serve");
  await (await lockFolder(folder, "serve"))();
  assert.deepEqual(await readdir(folder), []);
});

test("refuses a folder that another process has, also where that process hangs", async (t) => {
  const folder = aFolder(t);
  const holder = await aHolder(t, folder);
  holder.kill("SIGSTOP");
  // As if it had not been refreshed for an hour: its owner is known to run all the same.
  await utimes(
    join(folder, "store.lock"),
    new Date(Date.now() - 3_600_000),
    new Date(Date.now() - 3_600_000),
  );
  const named = new RegExp(`in use by process ${holder.pid} \\(holder, since`);
  await assert.rejects(lockFolder(folder, "second"), { name: "FolderInUse", message: named });
});

test("takes the lock of a killed process over at once", async (t) => {
  const folder = aFolder(t);
  const holder = await aHolder(t, folder);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  assert.ok((await readdir(folder)).includes("store.lock"), "left behind");
  const started = Date.now();
  const release = await lockFolder(folder, "next");
  assert.ok(Date.now() - started < 2_000, `${Date.now() - started} ms`);
  await assert.rejects(lockFolder(folder, "third"), FolderInUse);
  await release();
});

test("gives the lock of a killed process to exactly one of many", async (t) => {
  const folder = aFolder(t);
  const holder = await aHolder(t, folder);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const owner = await readFile(join(folder, "store.owner.json"));
  for (let round = 0; round < 10; round += 1) {
    // Close together, but not in step: each may come upon any state that the others pass through.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => sleep(n).then(() => lockFolder(folder, `next ${n}`))),
    );
    const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
    for (const outcome of outcomes) {
      if (outcome.status === "rejected")
        assert.ok(outcome.reason instanceof FolderInUse, String(outcome.reason));
    }
    assert.equal(won.length, 1);
    await won[0]?.value();
    await writeFile(join(folder, "store.owner.json"), owner);
    await mkdir(join(folder, "store.lock"));
  }
});

test("is not misled by a pid that is used again", { skip: process.platform !== "linux" }, async (t) => {
  const folder = aFolder(t);
  const holder = await aHolder(t, folder);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  // The dead owner's pid now is that of a process that runs: this one.
  const ownerFile = join(folder, "store.owner.json");
  const owner = JSON.parse(await readFile(ownerFile, "utf8"));
  await writeFile(ownerFile, JSON.stringify({ ...owner, pid: process.pid }));
  await (await lockFolder(folder, "next"))();
});

test("waits for what another machine left behind, and takes it when it is stale", async (t) => {
  const folder = aFolder(t);
  const holder = await aHolder(t, folder);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const ownerFile = join(folder, "store.owner.json");
  const owner = JSON.parse(await readFile(ownerFile, "utf8"));
  await writeFile(ownerFile, JSON.stringify({ ...owner, place: "elsewhere" }));
  const next = lockFolder(folder, "next");
  assert.equal(await Promise.race([next, sleep(1_000, "waits")]), "waits");
  await utimes(join(folder, "store.lock"), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
  await (await next)();
});

test("tells who asked where the lock is lost, and does not throw", { timeout: 20_000 }, async (t) => {
  const folder = aFolder(t);
  let tell: (cause: Error) => void = () => undefined;
  const told = new Promise<Error>((resolve) => {
    tell = resolve;
  });
  const release = await lockFolder(folder, "serve", { onCompromised: tell });
  await utimes(join(folder, "store.lock"), new Date(0), new Date(0));
  // The timer that looks after the lock does not keep a process alive.
  const alive = setInterval(() => undefined, 1_000);
  t.after(() => clearInterval(alive));
  assert.match(String(await told), /Unable to update lock/);
  await release();
});

test("takes the first free slot", async (t) => {
  const parent = aFolder(t);
  const first = await lockFreeSlot(parent, "stdio", "stdio");
  const second = await lockFreeSlot(parent, "stdio", "stdio");
  assert.deepEqual([first.folder, second.folder], [join(parent, "stdio-1"), join(parent, "stdio-2")]);
  await first.release();
  const third = await lockFreeSlot(parent, "stdio", "stdio");
  assert.equal(third.folder, join(parent, "stdio-1"));
  await Promise.all([second.release(), third.release()]);
});

test("gives many that start together a slot each", async (t) => {
  const parent = aFolder(t);
  const slots = await Promise.all(Array.from({ length: 8 }, () => lockFreeSlot(parent, "stdio", "stdio")));
  assert.equal(new Set(slots.map(({ folder }) => folder)).size, 8);
  await Promise.all(slots.map(({ release }) => release()));
});

/** Another process that holds the folder until the test ends; rejects where it was refused. */
async function aHolder(t: TestContext, folder: string): Promise<ChildProcess> {
  const script = `
    import { lockFolder } from ${JSON.stringify(LOCK_MODULE)};
    await lockFolder(process.env.FOLDER, "holder");
    process.stdout.write("locked");
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    env: { ...process.env, FOLDER: folder },
    stdio: ["ignore", "pipe", "ignore"],
  });
  t.after(() => child.kill("SIGKILL"));
  const outcome = await Promise.race([
    once(child.stdout, "data").then(() => "locked"),
    once(child, "exit").then(() => "refused"),
  ]);
  if (outcome === "refused") throw new Error("refused");
  return child;
}
