import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BIN, callLines, runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder, until } from "../support/lifetime.ts";
import { linkPath, termsOf } from "../support/machines.ts";
import { anMcpClient, type Fields } from "../support/mcp-client.ts";
import { type ApiOptions, request } from "../support/service.ts";

/** Turns a process that does not answer or end into a failure. */
const WAITS = { timeout: 60_000 };
const SECRET = "a-checkout-secret-of-the-tests-0123456789";
/** What a call must not leave in the log: texts of addresses and of persons, tokens and signatures. */
const ADDRESS = "Chalet Edelweiss, Dorfstrasse 7";
const PERSON = "erika.muster@example.org";

/** The development issuer's library prints one line on Node 20, which it no longer supports. */
const OLD_NODE = /^oidc-provider WARNING: Unsupported runtime.*\n/m;

test("each of twenty mixed calls makes one line, which holds no secret and no text of a caller", WAITS, async (t) => {
  const env = { TRANSFER_LOG_LEVEL: "trace", TRANSFER_CHECKOUT_SECRET: SECRET };
  const { publicUrl, token, stderr, stop, welcome } = await startBuiltServer(t, env);
  const answers: { readonly status: number; readonly id: string; readonly body: Fields }[] = [];
  const send = async (path: string, options: ApiOptions = {}) => {
    const { status, headers, body, text } = await request(`${publicUrl}${path}`, options);
    answers.push({ status, id: headers.get("x-request-id") ?? "", body: body ?? text });
    return body;
  };
  const api = (path: string, options?: ApiOptions) => send(`/api/public/v1${path}`, options);
  const quote = await api("/quotes", { token, body: aRealJourney() });
  const { quote_id } = quote;
  const handoff = await api("/checkout-sessions", { token, body: termsOf(quote) });
  const sig = new URL(handoff.checkout_url).searchParams.get("sig") ?? "";
  await api(linkPath(handoff));
  await api(linkPath(handoff).replace(sig, "x".repeat(43)));
  await api(`/quotes/${quote_id}`, { token });
  await api(`/quotes/${quote_id}`, { token: `${token}x` });
  await api(`/quotes/${encodeURIComponent(PERSON)}`, { token });
  await api("/quote-intents", { body: aRealJourney() });
  await api("/quote-intents", { body: aRealJourney({ destination: ADDRESS }) });
  await api("/quote-intents", { body: aRealJourney({ [PERSON]: ADDRESS }) });
  await api("/quote-intents", { text: `{"origin": "${ADDRESS}` });
  await api("/vehicle-classes", { headers: { "User-Agent": PERSON } });
  await send(`/${encodeURIComponent(ADDRESS)}?sig=${sig}`, { headers: { Accept: "text/html" } });
  await send("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
  await send("/mcp", { headers: { Origin: `https://${PERSON}` }, body: {} });
  // It asks for a stream once, by GET, which is answered 405.
  const mcp = await anMcpClient(t, publicUrl, token);
  const overMcp = await mcp.value("create_transfer_quote", aRealJourney());
  await mcp.value("get_transfer_quote", { quote_id: overMcp.quote_id });
  const problems = [
    await mcp.problem("create_transfer_quote", aRealJourney({ origin: ADDRESS })),
    await mcp.problem("get_transfer_quote", { quote_id: PERSON }),
  ];
  const { text: metrics } = await request(`${publicUrl}/metrics`);
  await until(() => callLines(stderr()).length >= 20, "twenty lines");
  await stop();

  for (const line of stderr().replace(OLD_NODE, "").trimEnd().split("\n"))
    assert.equal(typeof JSON.parse(line).level, "number", line);
  const lines = callLines(stderr());
  const linesOf = (id: string) => lines.filter(({ request_id }) => request_id === id);
  assert.equal(lines.length, 20);
  for (const { id, status, body } of answers) {
    const code = body.code ?? (status < 400 ? "OK" : "INVALID_REQUEST");
    assert.deepEqual(
      linesOf(id).map((line) => [line.status, line.code]),
      [[status, code]],
    );
  }
  for (const { request_id, code } of problems)
    assert.deepEqual(
      linesOf(request_id).map((line) => [line.surface, line.code]),
      [["mcp", code]],
    );
  const cheapest = (each: Fields) => Math.min(...each.options.map(({ total_price }: Fields) => total_price));
  for (const sample of [
    `transfer_calls_total{operation="create_transfer_quote",surface="mcp",code="INVALID_LOCATION"} 1`,
    `transfer_rejected_requests_total{surface="mcp",status="401",code="AUTHENTICATION_REQUIRED"} 1`,
    `transfer_sales_total{step="quote"} 2`,
    `transfer_sales_chf_total{step="quote"} ${cheapest(quote) + cheapest(overMcp)}`,
    `transfer_sales_chf_total{step="handoff"} ${handoff.total_price}`,
    `transfer_sales_chf_total{step="opening"} ${handoff.total_price}`,
  ])
    assert.ok(metrics.includes(`\n${sample}\n`), sample);
  const [first] = lines;
  assert.deepEqual([first?.surface, first?.operation, first?.quote_id], ["rest", "create_transfer_quote", quote_id]);
  assert.match(first?.subject, /^[\w-]{11}$/);
  assert.deepEqual(new Set(lines.flatMap(({ subject }) => subject ?? [])), new Set([first?.subject]));
  const [, clientSecret = assert.fail(welcome)] = /client_secret (\S+)/.exec(welcome) ?? [];
  const secrets = [...token.split("."), sig, SECRET, clientSecret];
  for (const text of [...secrets, "Edelweiss", "erika", "local-developer"])
    assert.ok(!stderr().includes(text), `${text.slice(0, 30)} is in the log`);
  assert.doesNotMatch(stderr(), /sig=|sig%3D|Bearer /);
});

/** The line of a call over stdio. */
function aCall(id: number, args: object): string {
  const params = { name: "create_transfer_quote", arguments: args };
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
}

test("a call over stdio makes a line on stderr, and stdout has the protocol alone", WAITS, async (t) => {
  const input = aCall(1, aRealJourney()) + aCall(2, aRealJourney({ destination: ADDRESS }));
  const { stdout, stderr } = await runBuilt(t, ["stdio"], { TRANSFER_LOG_LEVEL: "trace" }, input);
  const results = stdout.trimEnd().split("\n");
  assert.deepEqual(
    results.map((line) => JSON.parse(line).jsonrpc),
    ["2.0", "2.0"],
  );
  const lines = callLines(stderr).sort((a, b) => a.status - b.status);
  assert.deepEqual(
    lines.map(({ surface, operation, status, code }) => [surface, operation, status, code]),
    [
      ["stdio", "create_transfer_quote", 200, "OK"],
      ["stdio", "create_transfer_quote", 422, "INVALID_LOCATION"],
    ],
  );
  assert.ok(!stderr.includes(ADDRESS));
  // What waits in memory is written when the process ends.
  assert.match(stderr, /shutting down/);
});

test("settings, warnings and an error that nothing catches are lines of JSON too", WAITS, async (t) => {
  const cwd = aFolder(t);
  writeFileSync(join(cwd, ".env"), "TRANSFER_LOG_LEVEL=info\nTRANSFER_HTTP_PROT=1\n");
  const planted =
    'process.on("SIGUSR2", () => { process.emitWarning("planted"); setTimeout(() => { throw new Error("uncaught") }, 50) })';
  const program = ["--import", `data:text/javascript,${encodeURIComponent(planted)}`, BIN];
  const { child, stderr, ended } = await startBuiltServer(t, {}, { cwd, program });
  child.kill("SIGUSR2");
  assert.equal((await ended).code, 1);
  const lines = stderr().replace(OLD_NODE, "").trimEnd().split("\n");
  const texts = lines
    .map((line) => JSON.parse(line))
    .map(({ msg, err }) => [msg, err?.message].filter(Boolean).join(": "))
    // A busy machine makes the event loop late.
    .filter((text) => !text.startsWith("overloaded: "));
  assert.match(texts[0] ?? "", /^settings of .*: TRANSFER_HTTP_PROT, TRANSFER_LOG_LEVEL$/);
  assert.match(texts[1] ?? "", /^unknown setting TRANSFER_HTTP_PROT; did you mean TRANSFER_HTTP_PORT\?$/);
  assert.deepEqual(texts.slice(-2), [
    "a warning of Node: planted",
    "an error that nothing caught: the process ends: uncaught",
  ]);
});
