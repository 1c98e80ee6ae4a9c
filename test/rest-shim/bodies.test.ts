import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { assertProblem } from "../support/assert-problem.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { wholeFile } from "../support/lifetime.ts";
import { patientFetch } from "../support/patient-fetch.ts";
import { type ApiAnswer, aService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";

const LIMIT = 64 * 1024;
const { api, token, publicUrl, dataDir } = await aService(wholeFile);
const bearer = await token();

type Body = string | Uint8Array | AsyncIterable<Uint8Array>;
type Headers = Readonly<Record<string, string>>;

/** Not by `api`, which sends texts alone. */
async function quoted(body: Body, headers: Headers = {}): Promise<ApiAnswer> {
  const all = { "Content-Type": "application/json", Authorization: `Bearer ${bearer}`, ...headers };
  const options = { method: "POST", headers: all, body, duplex: "half" };
  const response = await patientFetch(`${publicUrl}/api/public/v1/quotes`, options as RequestInit);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** A valid quote request, padded with spaces. */
function paddedTo(bytes: number): string {
  const text = JSON.stringify(aQuoteRequest());
  return text + " ".repeat(bytes - text.length);
}

const VALID = JSON.stringify(aQuoteRequest());
const WITH_UMLAUT = Buffer.from(`\ufeff${JSON.stringify(aQuoteRequest({ origin: "Zürich" }))}`);
const GZIP = { "Content-Encoding": "gzip" };
const as = (type: string): Headers => ({ "Content-Type": type });

/** Without Content-Length. */
async function* chunked(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

async function* cutWithinALetter(): AsyncIterable<Uint8Array> {
  const cut = WITH_UMLAUT.indexOf("ü") + 1;
  yield WITH_UMLAUT.subarray(0, cut);
  await pause(50);
  yield WITH_UMLAUT.subarray(cut);
}

// biome-ignore format: several fit on a line
const OTHER_TYPES = [
  "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp",
  "text/json", "application/xml", "application/json, text/plain", "json", "",
  ...["iso-8859-1", "utf-7", "utf-16le", "x"].map((charset) => `application/json; charset=${charset}`),
];
const REFUSED: readonly (readonly [what: string, status: number, body: Body, headers?: Headers])[] = [
  ["3 MiB", 413, paddedTo(3 * 1024 * 1024)],
  ["a byte over the limit", 413, paddedTo(LIMIT + 1)],
  ["3 MiB in chunks", 413, chunked(paddedTo(3 * 1024 * 1024))],
  ["a byte over the limit in chunks", 413, chunked(paddedTo(LIMIT + 1))],
  ["3 MiB in gzip", 413, gzipSync(paddedTo(3 * 1024 * 1024)), GZIP],
  ["broken gzip", 400, "no gzip at all", GZIP],
  ["text that is not UTF-8", 422, Buffer.from(JSON.stringify(aQuoteRequest({ origin: "Zürich" })), "latin1")],
  ["an unknown encoding", 415, gzipSync(VALID), { "Content-Encoding": "zstd9" }],
  ...OTHER_TYPES.map((type) => [`Content-Type "${type}"`, 415, VALID, as(type)] as const),
];
for (const [what, status, body, headers] of REFUSED) {
  test(`rejects ${what} with ${status} and stores nothing`, async () => {
    const stored = storedEntries(dataDir);
    assertProblem(await quoted(body, headers), { status, code: "INVALID_REQUEST" });
    assert.deepEqual(storedEntries(dataDir), stored);
  });
}

const TYPES = [
  "APPLICATION/JSON",
  "application/merge-patch+json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
];
const ACCEPTED: readonly (readonly [what: string, body: Body, headers?: Headers])[] = [
  ["a body of the limit", paddedTo(LIMIT)],
  ["a body of the limit in chunks", chunked(paddedTo(LIMIT))],
  ["gzip", gzipSync(VALID), GZIP],
  ["a byte order mark, and a letter in two pieces", cutWithinALetter()],
  ...TYPES.map((type) => [`Content-Type "${type}"`, VALID, as(type)] as const),
];
for (const [what, sent, headers] of ACCEPTED) {
  test(`accepts ${what}`, async () => {
    const { status, text, body } = await quoted(sent, headers);
    assert.equal(status, 201, text);
    assert.match(body.origin, /^Z(urich Airport|ürich)$/);
  });
}

test("rejects bodies that are not a JSON object with 422", async () => {
  const stored = storedEntries(dataDir);
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
  assert.deepEqual(storedEntries(dataDir), stored);
});

test("rejects lists and objects nested more than 64 levels deep, before anything reads them", async () => {
  const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`;
  for (const path of ["/quotes", "/quote-intents", "/checkout-sessions"]) {
    for (const levels of [66, 2_000, 16_000]) {
      const refused = await api(path, { token: bearer, text: nested(levels), method: "POST" });
      assertProblem(refused, { status: 422, code: "INVALID_REQUEST", fields: [] });
      assert.match(refused.body.detail, /nested more than 64 levels deep/);
    }
    const { body } = await api(path, { token: bearer, text: nested(64), method: "POST" });
    assert.equal(body.code, "INVALID_REQUEST");
    assert.doesNotMatch(body.detail, /64 levels/);
  }
});

test("reads the largest call that the schema allows, also with every character escaped", async (t) => {
  const [longest, id] = ["\u6771".repeat(512), "\u6771".repeat(256)];
  const position = { lat: -12.345678901234567, lng: -123.45678901234567 };
  const stop = { name: longest, ...position, place_id: id, stop_duration_min: 720 };
  const text = JSON.stringify({
    ...{ ...aQuoteRequest(), origin: longest, destination: longest, booking_type: "point_to_point" },
    ...{ passengers: 50, adults: 50, children: 50, infants: 50, luggage: 50, large_luggage: 50, waiting_minutes: 1440 },
    ...{ duration_hours: 240, return_datetime: "2027-01-15T14:30:00.000000+01:00" },
    ...{ waypoints: Array.from({ length: 10 }, () => stop) },
  });
  const escaped = text.replace(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
  t.diagnostic(`${Buffer.byteLength(text)} bytes in UTF-8, ${escaped.length} escaped`);
  // It was read and found valid: what fails is the party.
  for (const sent of [text, escaped]) assertProblem(await quoted(sent), { status: 422, code: "NO_ELIGIBLE_VEHICLE" });
});
