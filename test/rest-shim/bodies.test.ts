import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { assertPlainHeaders, assertProblem } from "../support/assert-problem.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { type ApiAnswer, aService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const LIMIT = 64 * 1024;

test("rejects bodies that are not a JSON object with 422", async (t) => {
  const { api, token, dataDir } = await aService(t);
  const bearer = await token();
  // biome-ignore format: several fit on a line
  const broken = [
    "{", '{"origin":}', "{'origin': 1}", "undefined", '{"a":1}{"a":2}', "\u0000", '{"origin":"x",}', "NaN",
  ];
  const noObject = ["null", "true", "3", '"text"', "[]", '[{"origin":"x"}]', "", " "];
  for (const path of ["/quotes", "/quote-intents", "/checkout-sessions"]) {
    for (const text of [...broken, ...noObject]) {
      const refused = await api(path, { token: bearer, text, method: "POST" });
      assertProblem(refused, { status: 422, code: "INVALID_REQUEST" });
      assert.equal(refused.text.includes("SyntaxError"), false);
    }
  }
  assert.deepEqual(storedEntries(dataDir), []);
});

test("rejects bodies over the limit with 413, with and without Content-Length", async (t) => {
  const { api, token, publicUrl, dataDir } = await aService(t);
  const bearer = await token();
  const large = { status: 413, code: "INVALID_REQUEST" } as const;
  assertProblem(await api("/quotes", { token: bearer, text: paddedTo(3 * 1024 * 1024) }), large);
  assertProblem(await api("/quotes", { token: bearer, text: paddedTo(LIMIT + 1) }), large);
  assertProblem(await chunked(`${publicUrl}/api/public/v1/quotes`, bearer, paddedTo(3 * 1024 * 1024)), large);
  assertProblem(await chunked(`${publicUrl}/api/public/v1/quotes`, bearer, paddedTo(LIMIT + 1)), large);
  const bomb = { headers: { "Content-Encoding": "gzip" }, bytes: gzipSync(paddedTo(3 * 1024 * 1024)) };
  assertProblem(await sent(`${publicUrl}/api/public/v1/quotes`, bearer, bomb.bytes, bomb.headers), large);
  assert.deepEqual(storedEntries(dataDir), []);

  assert.equal((await api("/quotes", { token: bearer, text: paddedTo(LIMIT) })).status, 201);
  assert.equal((await chunked(`${publicUrl}/api/public/v1/quotes`, bearer, paddedTo(LIMIT))).status, 201);
});

test("reads the largest call that the schema allows, also with every character escaped", async (t) => {
  const { api, token } = await aService(t);
  const [longest, id] = ["\u6771".repeat(512), "\u6771".repeat(256)];
  const stop = {
    name: longest,
    lat: -12.345678901234567,
    lng: -123.45678901234567,
    place_id: id,
    stop_duration_min: 720,
  };
  const call = {
    ...{ ...aQuoteRequest(), origin: longest, destination: longest, booking_type: "point_to_point" },
    ...{ passengers: 50, adults: 50, children: 50, infants: 50, luggage: 50, large_luggage: 50, waiting_minutes: 1440 },
    ...{ duration_hours: 240, return_datetime: "2027-01-15T14:30:00.000000+01:00" },
    ...{ waypoints: Array.from({ length: 10 }, () => stop) },
  };
  const text = JSON.stringify(call);
  const escaped = text.replace(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
  t.diagnostic(`${Buffer.byteLength(text)} bytes in UTF-8, ${escaped.length} escaped`);
  // It was read and found valid: what fails is the party.
  const bearer = await token();
  for (const sent of [text, escaped]) {
    const answer = await api("/quotes", { token: bearer, method: "POST", text: sent });
    assertProblem(answer, { status: 422, code: "NO_ELIGIBLE_VEHICLE" });
  }
});

test("rejects every Content-Type but JSON with 415", async (t) => {
  const { api, token, dataDir } = await aService(t);
  const bearer = await token();
  const as = (type: string) =>
    api("/quotes", { token: bearer, body: aQuoteRequest(), headers: { "Content-Type": type } });
  // biome-ignore format: several fit on a line
  const others = [
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp",
    "text/json", "application/xml", "application/json, text/plain", "json", "",
  ];
  for (const type of others) assertProblem(await as(type), { status: 415, code: "INVALID_REQUEST" });
  for (const charset of ["iso-8859-1", "utf-7", "utf-16le", "x"]) {
    assertProblem(await as(`application/json; charset=${charset}`), { status: 415, code: "INVALID_REQUEST" });
  }
  assert.deepEqual(storedEntries(dataDir), []);
  const spelled = ["application/json", "APPLICATION/JSON", "application/merge-patch+json"];
  for (const type of [...spelled, "application/json; charset=utf-8", "application/json;charset=UTF-8"])
    assert.equal((await as(type)).status, 201, type);
});

test("reads UTF-8 with a byte order mark, and characters that arrive in two pieces", async (t) => {
  const { publicUrl, token } = await aService(t);
  const bearer = await token();
  const bytes = Buffer.from(`\ufeff${JSON.stringify({ ...aQuoteRequest(), origin: "Zürich" })}`);
  const cut = bytes.indexOf("ü") + 1;
  for (const type of ["application/json", "application/json;charset=UTF-8"]) {
    const headers = { "Content-Type": type, "Content-Length": bytes.length, Authorization: `Bearer ${bearer}` };
    const sending = request(`${publicUrl}/api/public/v1/quotes`, { method: "POST", headers });
    await new Promise((resolve) => sending.write(bytes.subarray(0, cut), resolve));
    sending.end(bytes.subarray(cut));
    const [response] = await once(sending, "response");
    assert.equal(response.statusCode, 201, type);
    assert.equal(((await json(response)) as { origin: string }).origin, "Zürich");
  }
});

test("accepts gzip and rejects broken and unknown encodings", async (t) => {
  const { publicUrl, token, dataDir } = await aService(t);
  const url = `${publicUrl}/api/public/v1/quotes`;
  const bearer = await token();
  const zipped = gzipSync(JSON.stringify(aQuoteRequest()));
  const broken = await sent(url, bearer, Buffer.from("no gzip at all"), { "Content-Encoding": "gzip" });
  assertProblem(broken, { status: 400, code: "INVALID_REQUEST" });
  const unknown = await sent(url, bearer, zipped, { "Content-Encoding": "zstd9" });
  assertProblem(unknown, { status: 415, code: "INVALID_REQUEST" });
  assert.deepEqual(storedEntries(dataDir), []);
  assert.equal((await sent(url, bearer, zipped, { "Content-Encoding": "gzip" })).status, 201);
});

/** A valid quote request, padded with spaces. */
function paddedTo(bytes: number): string {
  const text = JSON.stringify(aQuoteRequest());
  return text + " ".repeat(bytes - text.length);
}

function chunked(url: string, token: string, text: string): Promise<ApiAnswer> {
  return sent(url, token, new Blob([text]).stream(), {});
}

type Headers = Readonly<Record<string, string>>;

async function sent(
  url: string,
  token: string,
  body: ReadableStream | Uint8Array,
  headers: Headers,
): Promise<ApiAnswer> {
  const all = { "Content-Type": "application/json", Authorization: `Bearer ${token}`, ...headers };
  const options = { method: "POST", headers: all, body, duplex: "half" };
  const response = await fetch(url, options as RequestInit);
  const text = await response.text();
  const answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  assertPlainHeaders(answer);
  return answer;
}
