import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { referenceOf } from "../../src/operate/commands/find.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { at, linkPath, SECRET, termsOf } from "../support/machines.ts";
import type { Fields } from "../support/mcp-client.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";

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
  const { body: handoff } = await at(server, "/checkout-sessions", { token, body: termsOf(quote) });
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

  const refused = await at(
    server,
    linkPath(handoff).replace(/sig=./, (first) => (first === "sig=_" ? "sig=-" : "sig=_")),
  );
  const unknown = await at(server, "/quote-intents", { body: aRealJourney({ destination: "Nowhere that is known" }) });
  const estimate = await at(server, "/quote-intents", { body: aRealJourney() });
  const ids = [refused, unknown, estimate].map(({ headers }) => headers.get("X-Request-Id") ?? "");
  assert.equal(refused.status, 404);
  await until(async () => (await found(ids[2] ?? "")).code === 0, "the calls are kept");
  const [ofLink, ofUnknown, ofEstimate] = await Promise.all(ids.map(found));
  assert.match(ofLink?.stdout ?? "", /^operation +resolve_checkout_handoff$/m);
  assert.match(ofLink?.stdout ?? "", /^code +QUOTE_NOT_FOUND$/m);
  assert.match(
    ofLink?.stdout ?? "",
    new RegExp(`^quote_id +${quote.quote_id}$`, "m"),
    "with what is kept of its quote",
  );
  assert.match(ofUnknown?.stdout ?? "", /^code +INVALID_LOCATION$/m);
  assert.match(ofEstimate?.stdout ?? "", /^code +OK$/m);
  assert.doesNotMatch(ofUnknown?.stdout ?? "", /Nowhere/);
  const call = JSON.parse((await runCommand(t, ["find", ids[0] ?? "", "--json"], env)).stdout);
  assert.deepEqual([call.call.code, call.call.request_id, call.quote_id], ["QUOTE_NOT_FOUND", ids[0], quote.quote_id]);

  await server.stop("SIGKILL");
  assert.equal((await found(ids[0] ?? "")).code, 0, "also after the server was killed");
  for (const id of ["req_unknown", "q_unknown", "ZZZZZZ"]) {
    const { code, stdout, stderr } = await found(id);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(stderr, `nothing is kept of "${id}"\n`);
  }
}
