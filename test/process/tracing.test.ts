import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { suite, type TestContext, test } from "node:test";
import { type BuiltServer, callLines, runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aFakeEngine } from "../support/fake-engine.ts";
import { speaksPhoton } from "../support/fake-geocoders.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { until } from "../support/lifetime.ts";
import { aLoopbackServer } from "../support/loopback-server.ts";
import { request } from "../support/service.ts";
import { speaksOsrm } from "../support/wires/osrm.ts";

const WAITS = { timeout: 90_000 };
const CALLER = { traceparent: `00-${"a1".repeat(16)}-${"b2".repeat(8)}-01`, tracestate: "caller=1" };
const MESSAGE = { traceparent: `00-${"c3".repeat(16)}-${"d4".repeat(8)}-01` };
const ADDRESS = "Dorfstrasse 7, Wengen";
const PERSON = "erika.muster@example.org";
const API = "/api/public/v1";
const traceIdOf = ({ traceparent }: { traceparent: string }) => traceparent.split("-")[1];
const spanIdOf = ({ traceparent }: { traceparent: string }) => traceparent.split("-")[2];

/** Sends spans at once, so that a test need not wait. */
const tracingTo = (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: "50" });

/** Of the line of the call. Lines are written in the background, so it can be there after the response. */
async function loggedTraceId({ stderr }: BuiltServer, { headers }: { headers: Headers }): Promise<unknown> {
  const line = () => callLines(stderr()).find(({ request_id }) => request_id === headers.get("x-request-id"));
  await until(() => line() !== undefined, "the line of the call");
  return line()?.trace_id;
}

async function aTracedServer(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const collector = await aCollector(t);
  return { collector, server: await startBuiltServer(t, { ...tracingTo(collector.url), ...env }) };
}

function callTool({ publicUrl, token }: BuiltServer, name: string, args: object, meta: object, headers = {}) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta: meta } };
  const accept = { Accept: "application/json, text/event-stream" };
  return request(`${publicUrl}/mcp`, { token, body: message, headers: { ...accept, ...headers } });
}

suite("traces", { concurrency: true }, () => {
  test("continue the caller's, with a span of the call and one of each stage", WAITS, async (t) => {
    const router = await aFakeEngine(t, speaksOsrm());
    const geocoder = await aFakeEngine(t, speaksPhoton([]));
    const { collector, server } = await aTracedServer(t, {
      ...{ TRANSFER_ROUTER: "osrm", TRANSFER_ROUTER_URL: router.url },
      ...{ TRANSFER_GEOCODER: "photon", TRANSFER_GEOCODER_URL: geocoder.url },
      ...{ OTEL_SERVICE_NAME: "quotes-of-the-tests", OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test" },
    });
    const { publicUrl, token } = server;
    const send = (path: string, body: object) =>
      request(`${publicUrl}${API}${path}`, { token, body, headers: { ...CALLER, "User-Agent": PERSON } });
    const quote = await send("/quotes", aRealJourney());
    assert.equal(quote.status, 201, quote.text);
    await send("/quote-intents", aRealJourney({ destination: ADDRESS, [PERSON]: undefined }));
    const route = new URLSearchParams({ origin: "Bern", destination: "Dorfstrasse 9, Wengen" });
    await request(`${publicUrl}${API}/routes?${route}`, { token, headers: CALLER });
    await request(`${publicUrl}${API}/quotes/${encodeURIComponent(PERSON)}`, { token, headers: CALLER });

    const call = await collector.span("create_transfer_quote");
    assert.deepEqual([call.kind, call.parentId, call.traceId], [2, spanIdOf(CALLER), traceIdOf(CALLER)]);
    assert.equal(call.resource["service.name"], "quotes-of-the-tests");
    assert.equal(call.resource["deployment.environment.name"], "test");
    assert.deepEqual(call.attributes, {
      "transfer.operation": "create_transfer_quote",
      "transfer.surface": "rest",
      "transfer.request_id": quote.headers.get("x-request-id"),
      "transfer.code": "OK",
    });
    const children = collector.spans.filter(({ parentId }) => parentId === call.spanId).map(({ name }) => name);
    assert.deepEqual(children, ["authentication", "places", "routing", "pricing", "store"]);
    await collector.span("get_transfer_quote");

    const traceId = await loggedTraceId(server, quote);
    assert.equal(traceId, traceIdOf(CALLER));
    const secrets = [token.slice(0, 40), token.slice(-40)];
    for (const text of [...secrets, "Dorfstrasse", "Wengen", PERSON, "erika", "Bern", "local-dev"])
      assert.ok(!collector.text().includes(text), `${text} is in a span`);
  });

  test("continue what an MCP message names, and begin anew without a valid caller", WAITS, async (t) => {
    const { collector, server } = await aTracedServer(t);
    const answer = await callTool(server, "create_transfer_quote", aRealJourney(), MESSAGE);
    assert.equal(answer.body.result?.isError, undefined, answer.text);
    const unnamed = await callTool(server, "list_vehicle_classes", {}, {});
    const call = await collector.span("create_transfer_quote");
    assert.deepEqual([call.traceId, call.parentId, call.kind], [traceIdOf(MESSAGE), spanIdOf(MESSAGE), 2]);
    const own = await collector.span("list_vehicle_classes");
    assert.equal(own.parentId, "");
    assert.equal(await loggedTraceId(server, answer), traceIdOf(MESSAGE));
    assert.equal(await loggedTraceId(server, unnamed), own.traceId);
    const isOfCall = ({ name, parentId }: { name: string; parentId: string }) => parentId !== "" || name === own.name;
    assert.ok(collector.spans.every(isOfCall), "the check of a token before a message is read is no trace");
    const headers = { traceparent: `00-${"0".repeat(32)}-nonsense`, tracestate: PERSON };
    await request(`${server.publicUrl}${API}/policies/cancellation`, { headers });
    const { parentId, traceId } = await collector.span("get_policy");
    assert.match(`${parentId} ${traceId}`, /^ .*[1-9a-f]/);
  });

  test("are sent over stdio as well, before the process ends", WAITS, async (t) => {
    const collector = await aCollector(t);
    const params = { name: "create_transfer_quote", arguments: aRealJourney(), _meta: MESSAGE };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const { stderr } = await runBuilt(t, ["stdio"], env, `${JSON.stringify(message)}\n`);
    const call = collector.spans.find(({ name }) => name === "create_transfer_quote");
    assert.deepEqual([call?.traceId, call?.parentId], [traceIdOf(MESSAGE), spanIdOf(MESSAGE)]);
    assert.equal(call?.resource["service.name"], "transfer-quote-mcp");
    assert.equal(callLines(stderr)[0]?.trace_id, traceIdOf(MESSAGE));
  });

  test("that cannot be sent disturb nobody: one warning, and the process ends", WAITS, async (t) => {
    const env = { ...tracingTo("http://127.0.0.1:1"), OTEL_EXPORTER_OTLP_TIMEOUT: "200" };
    const { publicUrl, token, stop, stderr, says } = await startBuiltServer(t, env);
    for (let n = 0; n < 3; n += 1) {
      const { status } = await request(`${publicUrl}${API}/quotes`, { token, body: aRealJourney() });
      assert.equal(status, 201);
    }
    await says(/traces cannot be sent/);
    assert.equal((await stop()).code, 0);
    assert.equal(stderr().split("traces cannot be sent").length, 2, stderr());
  });
});

interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentId: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly string[];
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, string | number>>;
}

/** A collector of OTLP/HTTP in protobuf (opentelemetry-proto, trace/v1). */
async function aCollector(t: Pick<TestContext, "after">) {
  const bodies: Buffer[] = [];
  const spans: CollectedSpan[] = [];
  const url = await aLoopbackServer(t, async (request, response) => {
    const body = await buffer(request);
    if (request.method !== "POST" || request.url !== "/v1/traces") return void response.writeHead(404).end();
    bodies.push(body);
    spans.push(...spansOf(body));
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  return {
    url,
    spans,
    text: () => Buffer.concat(bodies).toString("latin1"),
    /** Resolves with the first span of this name. */
    async span(name: string) {
      const named = () => spans.find((span) => span.name === name);
      await until(() => named() !== undefined, `the span ${name}`);
      return named() as CollectedSpan;
    },
  };
}

function spansOf(request: Buffer): readonly CollectedSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(resourceSpans, 1)[0] ?? Buffer.alloc(0), 1);
    const inScopes = messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2));
    return inScopes.map((span) => ({ ...spanOf(span), resource }));
  });
}

function spanOf(span: Buffer): Omit<CollectedSpan, "resource"> {
  return {
    traceId: messages(span, 1)[0]?.toString("hex") ?? "",
    spanId: messages(span, 2)[0]?.toString("hex") ?? "",
    parentId: messages(span, 4)[0]?.toString("hex") ?? "",
    name: String(messages(span, 5)[0] ?? ""),
    kind: number(span, 6),
    attributes: attributesOf(span, 9),
    links: messages(span, 13).map((link) => messages(link, 1)[0]?.toString("hex") ?? ""),
  };
}

function attributesOf(message: Buffer, field: number): Readonly<Record<string, string | number>> {
  const pairs = messages(message, field).map((pair) => {
    const value = messages(pair, 2)[0] ?? Buffer.alloc(0);
    const [text] = messages(value, 1);
    return [String(messages(pair, 1)[0] ?? ""), text === undefined ? number(value, 3) : String(text)] as const;
  });
  return Object.fromEntries(pairs);
}

/** Fields of the wire type "length-delimited": messages, texts, bytes. */
function messages(message: Buffer, field: number): readonly Buffer[] {
  return fieldsOf(message).flatMap(([number, value]) => (number === field && Buffer.isBuffer(value) ? [value] : []));
}

function number(message: Buffer, field: number): number {
  return (
    fieldsOf(message).flatMap(([each, value]) => (each === field && typeof value === "number" ? [value] : []))[0] ?? 0
  );
}

function fieldsOf(message: Buffer): readonly (readonly [number, Buffer | number])[] {
  const fields: [number, Buffer | number][] = [];
  let at = 0;
  while (at < message.length) {
    const key = varint();
    const wireType = key % 8;
    const length = wireType === 0 ? undefined : wireType === 1 ? 8 : wireType === 5 ? 4 : varint();
    if (length === undefined) fields.push([Math.floor(key / 8), varint()]);
    else {
      fields.push([Math.floor(key / 8), message.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;

  function varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  }
}
