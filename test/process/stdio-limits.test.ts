import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanEnvironment, runBuilt, startBuilt } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

const WAITS = { timeout: 300_000 };
const MIB = 1024 * 1024;
const aRequest = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

suite("a line over stdio", () => {
  const tooLarge = "Invalid request: the line is larger than 64 KiB";
  const tooDeep = "Invalid request: Lists and objects are nested more than 64 levels deep";
  const deep = `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`;
  const aDeepRequest = aRequest(1, "initialize", { capabilities: "DEEP" }).replace('"DEEP"', deep);
  test("that is too large or too deep is answered with an error, and the next one as usual", WAITS, async (t) => {
    const lines = [
      [`${"x".repeat(11 * MIB)}\n`, null, tooLarge],
      [aRequest(1, "tools/call", { padding: "x".repeat(65 * 1024) }), null, tooLarge],
      // A message that was read is answered under its id.
      [aDeepRequest, 1, tooDeep],
    ] as const;
    const input = lines.map(([line], n) => line + aRequest(2 + n, "ping")).join("");
    const { stdout, stderr, code } = await runBuilt(t, [], {}, input);
    assert.equal(code, 0);
    const answers = stdout.trimEnd().split("\n");
    const parsed = answers.map((each) => JSON.parse(each));
    assert.deepEqual(
      parsed.flatMap(({ id, error }) => (error ? [[id, error.code, error.message]] : [])),
      lines.map(([, id, refusal]) => [id, -32600, refusal]),
    );
    assert.deepEqual(
      parsed.flatMap(({ id, error }) => (error ? [] : [id])),
      [2, 3, 4],
    );
    assert.doesNotMatch(stderr, /the host has disconnected[\s\S]*"status":400/);
  });

  test("may come in pieces, and the last one without its end", WAITS, async (t) => {
    const { child, stdout, ended } = startBuilt(t, []);
    const text = aRequest(1, "ping", { text: "é".repeat(100) });
    const bytes = Buffer.from(text);
    // Within a character of two bytes.
    const middle = bytes.indexOf("é") + 1;
    child.stdin.write(bytes.subarray(0, middle));
    await sleep(50);
    child.stdin.write(bytes.subarray(middle));
    await until(() => stdout().includes('"id":1'), "the ping is answered");
    child.stdin.end('{"jsonrpc"');
    assert.equal((await ended).code, 0);
  });
});

const skip = process.platform === "linux" ? false : "reads /proc";

test("a host that does not read leaves memory bounded, and gets every answer once it reads", {
  ...WAITS,
  skip,
}, async (t) => {
  const requests = 6_000;
  const env = { TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t), TRANSFER_DATA_DIR: aFolder(t) };
  const { child, ended } = startBuilt(t, [], cleanEnvironment(env));
  const memory = () =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
  child.stdin.write(aRequest(0, "tools/list"));
  await once(child.stdout, "data");
  child.stdout.pause();
  const before = memory();
  for (let id = 1; id <= requests; id += 1) child.stdin.write(aRequest(id, "tools/list"));
  let most = 0;
  for (let look = 0; look < 30; look += 1) {
    await sleep(100);
    most = Math.max(most, memory() - before);
  }
  // 6,000 answers have 140 MiB; those that were not made belong to requests that were not read.
  assert.ok(child.stdin.writableLength > 0, "every request was read");
  assert.ok(most < 64, `${Math.round(most)} MiB more`);
  let bytes = 0;
  child.stdout
    .removeAllListeners("data")
    .setEncoding("utf8")
    .on("data", (text: string) => {
      bytes += text.split("\n").length - 1;
    });
  child.stdout.resume();
  await until(() => bytes >= requests, `${requests} answers`, 180_000);
  child.stdin.end();
  assert.equal((await ended).code, 0);
});
