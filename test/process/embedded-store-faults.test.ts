import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { suite, type TestContext, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type BuiltServer, runBuilt, startBuilt, startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { aQuoteRequest, aRealJourney, asCreated } from "../support/journey-fixture.ts";
import { aFolder, until } from "../support/lifetime.ts";
import { at } from "../support/machines.ts";
import { type ApiAnswer, aService } from "../support/service.ts";
import { aSmallDisk, mount } from "../support/small-disk.ts";

const WAITS = { timeout: 120_000 };
const MOST_QUOTES = 1_000;

suite("the embedded store", { concurrency: true }, () => {
  test("a full disk rejects new quotes, keeps earlier ones and recovers when there is room", WAITS, async (t) => {
    const disk = aSmallDisk(t);
    if (!disk) return;
    const { server, quote, restarted } = await aServer(t, disk, { TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t) });
    const answered: ApiAnswer[] = [];
    for (let answer = await quote(); ; answer = await quote()) {
      if (answer.status !== 201) {
        assertUnavailable(answer);
        break;
      }
      answered.push(answer);
      assert.ok(answered.length < MOST_QUOTES, "the disk is never full");
    }
    assert.ok(answered.length > 10);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await assertReadiness(server(), [503, ["quotes"]]);
      assertUnavailable(await quote());
    }
    // Lines are written in the background.
    await until(() => server().stderr().includes("quotes cannot be saved"), "the failure is logged");
    assert.equal(server().stderr().split("quotes cannot be saved").length, 2, server().stderr());
    assert.doesNotMatch(server().stderr(), /quotes can be saved again/);
    await assertRead(server(), answered);

    mount("remount,size=4m", disk);
    answered.push(await created(quote()));
    await assertReadiness(server(), [200, []]);
    await restarted();
    await assertRead(server(), answered);
    assert.doesNotMatch(server().stderr(), /damaged/, "a full disk damages nothing");
  });

  test(
    "a read-only folder starts no server; under one it serves stored quotes, rejects new ones and recovers",
    WAITS,
    async (t) => {
      const disk = aSmallDisk(t);
      if (!disk) return;
      const startsNone = async () => {
        const mend = makeReadOnly(disk);
        const env = { TRANSFER_HTTP_PORT: "0", TRANSFER_DATA_DIR: disk };
        const { code, stdout, stderr } = await runBuilt(t, ["serve"], env);
        mend();
        assert.deepEqual([code, stdout], [2, ""], stderr);
        assert.match(
          stderr,
          /^TRANSFER_DATA_DIR is [^\n]*; it cannot be used \([^\n]*(EROFS|ENOENT)[^\n]*\); [^\n]*\n$/,
        );
      };
      await startsNone();
      const { server, quote, restarted } = await aServer(t, disk);
      const answered = [await created(quote("before"))];
      // The next quote needs its file opened again.
      await restarted();
      const mend = makeReadOnly(disk);
      assertUnavailable(await quote());
      assert.equal((await quote("before")).text, answered[0]?.text, "a replay writes nothing");
      await assertReadiness(server(), [503, ["quotes"]]);
      await assertRead(server(), answered);

      mend();
      answered.push(await created(quote()));
      await assertReadiness(server(), [200, []]);
      await restarted();
      await assertRead(server(), answered);
      await server().stop();
      await startsNone();
    },
  );

  for (const command of ["serve", "stdio"] as const) {
    test(`${command} ends with exit code 1 and logs the cause when its lock is removed`, WAITS, async (t) => {
      const dataDir = aFolder(t);
      const started = startBuilt(t, [command], { TRANSFER_DATA_DIR: dataDir, TRANSFER_HTTP_PORT: "0" });
      await started.says(/"msg":"serving/);
      rmSync(join(dataDir, "quotes", command === "serve" ? "serve" : "stdio-1", "lock"), { recursive: true });
      assert.deepEqual(await started.ended, { code: 1, signal: null });
      const [ending] = started.stderr().match(/^.*"the lock of the data folder was lost".*$/m) ?? [];
      const { level, err } = JSON.parse(ending ?? "{}");
      assert.equal(level, 50);
      assert.match(err.message, /lock.* was removed$/);
    });
  }

  test("a store at its bound answers new quotes with 503 and Retry-After, and serves what it holds", async (t) => {
    const service = await aService(t, { env: { TRANSFER_MAX_LIVE_QUOTES: "2" } });
    const token = await service.token();
    const quote = (key: string) =>
      service.api("/quotes", { token, body: aQuoteRequest(), headers: { "Idempotency-Key": key } });
    const first = await quote("first-quote");
    assert.equal(first.status, 201, first.text);
    assert.equal((await quote("second-quote")).status, 201);

    const full = await quote("third-quote");
    assert.deepEqual([full.status, full.body.code, full.body.retryable], [503, "UPSTREAM_UNAVAILABLE", true]);
    // 30 minutes and 24 hours, and a minute for the purge.
    assert.equal(Number(full.headers.get("retry-after")), 24.5 * 3600 + 60);
    assert.ok(!("retry_after_seconds" in full.body), "the body has it on RATE_LIMITED alone");
    assert.equal((await quote("first-quote")).text, first.text);
    const read = await service.api(`/quotes/${first.body.quote_id}`, { token });
    assert.deepEqual(asCreated(read.body), first.body);
  });
});

/** A server on this folder that can be replaced by another after a kill -9. */
async function aServer(t: TestContext, folder: string, more: Readonly<Record<string, string>> = {}) {
  const env = { TRANSFER_DATA_DIR: folder, ...more };
  let server = await startBuiltServer(t, env);
  const { port } = new URL(server.publicUrl);
  const body = aRealJourney();
  return {
    server: () => server,
    quote(key?: string): Promise<ApiAnswer> {
      const headers: Record<string, string> = key === undefined ? {} : { "Idempotency-Key": key };
      return at(server, "/quotes", { token: server.token, body, headers });
    },
    async restarted() {
      await server.stop("SIGKILL");
      server = await startBuiltServer(t, { ...env, TRANSFER_HTTP_PORT: port });
    },
  };
}

async function created(call: Promise<ApiAnswer>): Promise<ApiAnswer> {
  const answer = await call;
  assert.equal(answer.status, 201, answer.text);
  return answer;
}

async function assertRead(server: BuiltServer, answered: readonly ApiAnswer[]): Promise<void> {
  for (const { body } of answered) {
    const read = await at(server, `/quotes/${body.quote_id}`, { token: server.token });
    assert.deepEqual(asCreated(read.body), body);
  }
}

function assertUnavailable({ status, body, text }: ApiAnswer): void {
  assert.deepEqual([status, body?.code, body?.retryable], [503, "UPSTREAM_UNAVAILABLE", true], text);
}

/** Polls, because dependencies are probed at most once a second. */
async function assertReadiness({ publicUrl }: BuiltServer, expected: [number, string[]]): Promise<void> {
  await until(async () => {
    const response = await fetch(`${publicUrl}/readyz`);
    return isDeepStrictEqual([response.status, (await response.json()).failing], expected);
  }, `/readyz answers ${expected}`);
}

/** Makes a folder read-only for files opened from now on; returns what reverts that. */
function makeReadOnly(folder: string): () => void {
  execFileSync("mount", ["--bind", folder, folder]);
  mount("remount,bind,ro", folder);
  return () => void execFileSync("umount", [folder]);
}
