import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { referenceOf } from "../../src/contract/notice-formats.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { at, SECRET, termsOf } from "../support/machines.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aFolder } from "../support/temporary-folder.ts";

const WAITS = { timeout: 120_000 };

suite("find", () => {
  test("finds what people read out, on the embedded store", WAITS, (t) => findsAll(t, {}));
});

await withPostgres("find", () => {
  test("finds what people read out, on PostgreSQL", WAITS, async (t) =>
    findsAll(t, { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET }),
  );
});

async function findsAll(t: TestContext, settings: Readonly<Record<string, string>>): Promise<void> {
  const env = { TRANSFER_DATA_DIR: aFolder(t), ...settings };
  const server = await startBuiltServer(t, env);
  const { token } = server;
  const { body: quote } = await at(server, "/quotes", { token, body: aRealJourney() });
  await at(server, "/checkout-sessions", { token, body: termsOf(quote) });
  const found = (id: string) => runCommand(t, ["find", id], env);

  const reference = referenceOf(quote.quote_id);
  assert.match(reference, /^[A-Z0-9]{6}$/);
  for (const written of [reference, reference.toLowerCase(), ` ${reference} `]) {
    const { code, stdout, stderr } = await found(written);
    assert.deepEqual([code, stderr], [0, ""], written);
    assert.match(stdout, new RegExp(`^quote_id +${quote.quote_id}$`, "m"));
    assert.match(stdout, new RegExp(`^reference +${reference}$`, "m"));
    assert.match(stdout, /^expires_at +\S+T\d\d:\d\d:\d\d[+Z]/m);
    assert.doesNotMatch(stdout, /^\S+ *$/m, "every row of the table has a value");
  }
  const { stdout: json } = await runCommand(t, ["find", quote.quote_id, "--json"], env);
  const eventIds: string[] = JSON.parse(json).events.map(({ event_id }: Fields) => event_id);
  assert.equal(eventIds.length, 2);
  for (const id of eventIds) assert.match((await found(id)).stdout, new RegExp(`^quote_id +${quote.quote_id}$`, "m"));

  await server.stop("SIGKILL");
  assert.equal((await found(eventIds[0] ?? "")).code, 0, "also after the server was killed");
  for (const id of ["req_unknown", "q_unknown", "ZZZZZZ"]) {
    const { code, stdout, stderr } = await found(id);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(stderr, `nothing is kept of "${id}"\n`);
  }
}
