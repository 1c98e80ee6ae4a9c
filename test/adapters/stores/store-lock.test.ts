import assert from "node:assert/strict";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { FolderInUse, lockFolder, lockFreeSlot } from "../../../src/adapters/stores/lowdb/store-lock.ts";
import { type RunningProgram, startProgram } from "../../support/built-process.ts";
import { aFolder } from "../../support/lifetime.ts";
import { moduleUrl, runsScript } from "../../support/run-module.ts";

const LOCK_MODULE = moduleUrl("src/adapters/stores/lowdb/store-lock");
const IN_USE = { name: "FolderInUse" };

test("refuses a folder in use with a line that names the owner", async (t) => {
  const folder = aFolder(t);
  const release = await lockFolder(folder, "serve on http://127.0.0.1:3000", assert.fail);
  const since = `${process.pid} \\(serve on http://127\\.0\\.0\\.1:3000, since \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\\)`;
  const message = new RegExp(`^data folder ${folder} is in use by process ${since}; stop it or set TRANSFER_DATA_DIR$`);
  await assert.rejects(lockFolder(folder, "another", assert.fail), { name: "FolderInUse", message });
  release();
  (await lockFolder(folder, "serve", assert.fail))();
});

test("creates the folder, and leaves nothing that locks it when released", async (t) => {
  const folder = join(aFolder(t), "quotes", "serve");
  for (let turn = 0; turn < 2; turn += 1) {
    const release = await lockFolder(folder, "serve", assert.fail);
    release();
    assert.deepEqual(readdirSync(folder), ["lock", "owner.txt"]);
    assert.equal(readdirSync(join(folder, "lock")).length, 1);
  }
});

test("refuses a folder whose owner hangs, however often it is asked", async (t) => {
  const folder = aFolder(t);
  const { child: holder } = await aHolder(t, folder);
  holder.kill("SIGSTOP");
  const message = new RegExp(`in use by process ${holder.pid} \\(holder, since`);
  // More than the queue of a socket holds.
  for (let attempt = 0; attempt < 600; attempt += 1) {
    await assert.rejects(lockFolder(folder, "second", assert.fail), { name: "FolderInUse", message });
  }
  assert.deepEqual(readdirSync(folder), ["lock", "owner.txt"]);
});

test("takes over from a killed process at once and removes what it left behind", async (t) => {
  const folder = aFolder(t);
  await aKilledHolder(t, folder);
  const left = readdirSync(join(folder, "lock"));
  const release = await lockFolder(folder, "next", assert.fail);
  t.after(release);
  assert.deepEqual(readdirSync(folder), ["lock", "owner.txt"]);
  const [socket, ...others] = readdirSync(join(folder, "lock"));
  assert.deepEqual([left.length, left.includes(socket ?? ""), others], [1, false, []]);
  await assert.rejects(lockFolder(folder, "third", assert.fail), IN_USE);
});

test("finds the owner at a path that is too long for a socket, by a symbolic link, and with a damaged name", async (t) => {
  const parent = aFolder(t);
  const folder = join(parent, "long".repeat(40));
  const release = await lockFolder(folder, "serve", assert.fail);
  const link = join(parent, "link");
  symlinkSync(folder, link);
  for (const path of [folder, link]) await assert.rejects(lockFolder(path, "second", assert.fail), IN_USE);
  writeFileSync(join(folder, "owner.txt"), Buffer.from([0xff, 0x00]));
  await assert.rejects(lockFolder(folder, "second", assert.fail), IN_USE);
  rmSync(join(folder, "owner.txt"));
  const message = /is in use by another process; stop it/;
  await assert.rejects(lockFolder(folder, "second", assert.fail), { ...IN_USE, message });
  release();
  (await lockFolder(link, "second", assert.fail))();
});

test("a file and a folder that are no sockets lock nothing", async (t) => {
  const folder = aFolder(t);
  writeFileSync(join(folder, "lock-9"), "");
  mkdirSync(join(folder, "lock"));
  writeFileSync(join(folder, "lock", "notes.txt"), "");
  const release = await lockFolder(folder, "serve", assert.fail);
  await assert.rejects(lockFolder(folder, "second", assert.fail), IN_USE);
  release();
});

test("gives the folder of a killed process to exactly one of many", async (t) => {
  const folder = aFolder(t);
  await aKilledHolder(t, folder);
  for (let round = 0; round < 20; round += 1) {
    // Close together, but not in step: each may come upon any state that the others pass through.
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, async (_, n) => {
        await sleep(n % 3);
        return lockFolder(folder, `next ${n}`, assert.fail);
      }),
    );
    const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
    assert.equal(won.length, 1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") assert.ok(outcome.reason instanceof FolderInUse, String(outcome.reason));
    won[0]?.value();
  }
});

test("finds the owner where the folder is mounted under another path", async (t) => {
  const parent = aFolder(t);
  const release = await lockFolder(join(parent, "here"), "serve", assert.fail);
  t.after(release);
  renameSync(join(parent, "here"), join(parent, "there"));
  await assert.rejects(lockFolder(join(parent, "there"), "second", assert.fail), IN_USE);
});

test("reports a lost lock when its socket is removed", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = aFolder(t);
  const causes: string[] = [];
  await lockFolder(folder, "serve", ({ message }) => causes.push(message));
  t.mock.timers.tick(5_000);
  assert.deepEqual(causes, []);
  const [socket = ""] = readdirSync(join(folder, "lock"));
  rmSync(join(folder, "lock"), { recursive: true });
  t.mock.timers.tick(5_000);
  assert.deepEqual(causes, [`${join(folder, "lock", socket)} was removed`]);
});

test("takes the first free slot", async (t) => {
  const parent = aFolder(t);
  const first = await lockFreeSlot(parent, "stdio", assert.fail);
  const second = await lockFreeSlot(parent, "stdio", assert.fail);
  assert.deepEqual([first.folder, second.folder], [join(parent, "stdio-1"), join(parent, "stdio-2")]);
  first.release();
  const third = await lockFreeSlot(parent, "stdio", assert.fail);
  assert.equal(third.folder, join(parent, "stdio-1"));
  second.release();
  third.release();
});

async function aKilledHolder(t: TestContext, folder: string): Promise<void> {
  await (await aHolder(t, folder)).kill();
}

/** Another process that holds the folder until the test ends; rejects if it was refused. */
async function aHolder(t: TestContext, folder: string): Promise<RunningProgram> {
  const script = `
    import { lockFolder } from ${JSON.stringify(LOCK_MODULE)};
    await lockFolder(process.env.FOLDER, "holder", () => process.exit(1));
    process.stdout.write("locked");
    setInterval(() => {}, 1000);
  `;
  const env = { ...process.env, FOLDER: folder };
  const holder = startProgram([process.execPath, ...runsScript(script)], { env });
  t.after(() => holder.kill());
  await holder.says(/locked/);
  return holder;
}
