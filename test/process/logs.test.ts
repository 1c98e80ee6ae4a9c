import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { geocoders } from "../../src/adapters/geocoders/geocoders.ts";
import { BIN, callLines, runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aFakeEngine, type Behavior, json } from "../support/fake-engine.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { anMcpClient, type Fields } from "../support/mcp-client.ts";
import { type ApiOptions, request } from "../support/service.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { roadEngineWires } from "../support/wires/road-engine-wires.ts";

/** Turns a process that does not answer or end into a failure. */
const WAITS = { timeout: 60_000 };
const SECRET = "a-checkout-secret-of-the-tests-0123456789";
/** What a call must not leave in the log: texts of addresses and of persons, tokens and signatures. */
const ADDRESS = "Chalet Edelweiss, Dorfstrasse 7";
const PERSON = "erika.muster@example.org";

/** The development issuer's library prints one line on Node 20, which it no longer supports. */
const OLD_NODE = /^oidc-provider WARNING: Unsupported runtime.*\n/m;

test("twenty mixed calls make twenty lines, which hold no secret and no text of a caller", WAITS, async (t) => {
  const env = { TRANSFER_LOG_LEVEL: "trace", TRANSFER_CHECKOUT_SECRET: SECRET };
  const server = await startBuiltServer(t, env);
  const { publicUrl, token, stderr, stop, welcome } = server;
  const answers: { readonly status: number; readonly id: string; readonly body: Fields }[] = [];
  const send = async (path: string, options: ApiOptions = {}) => {
    const { status, headers, body, text } = await request(`${publicUrl}${path}`, options);
    answers.push({ status, id: headers.get("x-request-id") ?? "", body: body ?? text });
    return body;
  };
  const api = (path: string, options?: ApiOptions) => send(`/api/public/v1${path}`, options);
  const quote = await api("/quotes", { token, body: aRealJourney() });
  const { quote_id, options } = quote;
  const { fleet_id } = options.find(({ on_request }: Fields) => !on_request);
  const handoff = await api("/checkout-sessions", { token, body: { quote_id, fleet_id, traveler_approval: true } });
  const { searchParams } = new URL(handoff.checkout_url);
  const sig = searchParams.get("sig") ?? "";
  await api(`/checkout-sessions/${quote_id}?fleet_id=${fleet_id}&sig=${sig}`);
  await api(`/checkout-sessions/${quote_id}?fleet_id=${fleet_id}&sig=${"x".repeat(43)}`);
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
  assert.equal(lines.length, 20);
  assert.equal(answers.length, 15);
  for (const { id, status, body } of answers) {
    const [line, ...others] = lines.filter(({ request_id }) => request_id === id);
    assert.deepEqual(others, [], id);
    assert.equal(line?.status, status);
    assert.equal(line.code, body.code ?? (status < 400 ? "OK" : "INVALID_REQUEST"));
    assert.ok(line.milliseconds >= 0);
  }
  for (const { request_id, code } of problems) {
    assert.deepEqual(
      lines.filter((line) => line.request_id === request_id).map((line) => [line.surface, line.code]),
      [["mcp", code]],
    );
  }
  const cheapest = (each: Fields) => Math.min(...each.options.map(({ total_price }: Fields) => total_price));
  for (const sample of [
    `transfer_calls_total{operation="create_transfer_quote",surface="rest",code="OK"} 1`,
    `transfer_calls_total{operation="create_transfer_quote",surface="mcp",code="INVALID_LOCATION"} 1`,
    `transfer_rejected_requests_total{surface="mcp",status="401",code="AUTHENTICATION_REQUIRED"} 1`,
    `transfer_sales_total{step="quote"} 2`,
    `transfer_sales_total{step="handoff"} 1`,
    `transfer_sales_total{step="opening"} 1`,
    `transfer_sales_chf_total{step="quote"} ${cheapest(quote) + cheapest(overMcp)}`,
    `transfer_sales_chf_total{step="handoff"} ${handoff.total_price}`,
    `transfer_sales_chf_total{step="opening"} ${handoff.total_price}`,
  ]) {
    assert.ok(metrics.includes(`\n${sample}\n`), sample);
  }
  const page = answers.find(({ body }) => typeof body === "string");
  assert.ok(page?.body.includes(page.id), "the page shows the id");
  const [first] = lines;
  assert.deepEqual([first.surface, first.operation, first.quote_id], ["rest", "create_transfer_quote", quote_id]);
  assert.match(first.subject, /^[\w-]{11}$/);
  const callers = lines.filter(({ subject }) => subject !== null);
  assert.deepEqual([...new Set(callers.map(({ subject }) => subject))], [first.subject]);
  assert.equal(lines.find(({ quote_id: id }) => id === overMcp.quote_id)?.surface, "mcp");
  const [, clientSecret = assert.fail(welcome)] = /client_secret (\S+)/.exec(welcome) ?? [];
  const secrets = [...token.split("."), sig, SECRET, clientSecret];
  for (const text of [...secrets, ADDRESS, "Edelweiss", PERSON, "erika", "local-developer"]) {
    assert.ok(!stderr().includes(text), `${text.slice(0, 30)} is in the log`);
  }
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

const MESSAGE = "Villa Mustermann is not on the map";
const STREET = "Dorfstrasse 7, Wengen";
const JOURNEY = { origin: "Zürich", destination: "Zermatt" };
/** Nothing of a journey, and nothing that an engine wrote. */
const PRIVATE = /zürich|zermatt|täsch|dorfstrasse|wengen|mustermann/i;

const odd: readonly Behavior[] = [
  json({ code: "NoRoute", message: MESSAGE }, 400),
  json({ code: "NoSegment", message: MESSAGE }, 400),
  json({ code: MESSAGE, message: MESSAGE }, 400),
  json({ error_code: 442, error: MESSAGE }, 400),
  json({ error_code: 171, error: MESSAGE }, 400),
  json({ error_code: 125, error: MESSAGE }, 400),
  json({ [MESSAGE]: MESSAGE }),
  json({ features: [{ [MESSAGE]: MESSAGE }] }),
  json([{ lat: MESSAGE, lon: MESSAGE, display_name: MESSAGE }]),
  json({ code: "Ok", routes: [{ legs: MESSAGE }], data_version: "1" }),
  (response) => void response.end(`${MESSAGE} {`),
  json({ error: MESSAGE }, 500),
];

suite("the log of a service with foreign engines", { concurrency: 2 }, () => {
  const [engines, names] = [Object.entries(roadEngineWires), Object.keys(geocoders)];
  assert.ok(names.length <= engines.length, "each geocoder is beside an engine");
  for (const [n, [router, wire]] of engines.entries()) {
    const geocoder = names[n % names.length] ?? "";
    test(`names no stop and quotes no message of ${router} and ${geocoder}`, WAITS, async (t) => {
      const tooFast = wire.speaks([{ km: 2, minutes: 1 }]);
      const [roads, places] = [await aFakeEngine(t, tooFast), await aFakeEngine(t, json([]))];
      const { publicUrl, stderr, stop } = await startBuiltServer(t, {
        ...{ TRANSFER_ROUTER: router, TRANSFER_ROUTER_URL: roads.url, TRANSFER_LOG_LEVEL: "debug" },
        ...{ TRANSFER_GEOCODER: geocoder, TRANSFER_GEOCODER_URL: places.url },
      });
      const refuses = async (journey: Fields) => {
        const body = aRealJourney(journey);
        const { status, text } = await request(`${publicUrl}/api/public/v1/quote-intents`, { body });
        assert.ok(status >= 400, text);
      };
      await refuses(JOURNEY);
      for (const behavior of odd) {
        roads.behave(behavior);
        places.behave(behavior);
        await refuses(JOURNEY);
        await refuses({ ...JOURNEY, destination: STREET });
      }
      await stop();
      assert.match(stderr(), /"reason":"leg 0: 2\.0 km in 1 min/);
      assert.match(stderr(), /has HTTP status 200 and an unexpected body/);
      assert.doesNotMatch(stderr(), PRIVATE);
    });
  }
});
