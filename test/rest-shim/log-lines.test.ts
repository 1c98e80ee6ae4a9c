import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aRecordingLog } from "../support/recording-log.ts";
import { aService, request } from "../support/service.ts";

const ADDRESS = "Chalet Edelweiss, Dorfstrasse 7";

test("texts that name no place are logged where the operator wants them, as they were sent, and nowhere else", async (t) => {
  for (const [wanted, expected] of [
    ["true", [ADDRESS]],
    ["false", undefined],
  ] as const) {
    const { log, records } = aRecordingLog();
    const { api } = await aService(t, { log, env: { TRANSFER_LOG_UNMATCHED_PLACES: wanted } });
    await api("/quote-intents", { body: aQuoteRequest({ destination: ADDRESS }) });
    const [call] = records.filter(({ message }) => message === "call");
    assert.deepEqual([call?.facts.code, call?.facts.unmatched_places], ["INVALID_LOCATION", expected]);
    assert.equal(JSON.stringify(records).includes(ADDRESS), wanted === "true");
  }
});

test("a label that contradicts its coordinates names a place, and is not logged as a text without one", async (t) => {
  const { log, records } = aRecordingLog();
  const { api } = await aService(t, { log, env: { TRANSFER_LOG_UNMATCHED_PLACES: "true" } });
  const waypoints = [{ name: "Zermatt", lat: 47.4515, lng: 8.5846 }];
  await api("/quote-intents", { body: aQuoteRequest({ waypoints }) });
  const [call] = records.filter(({ message }) => message === "call");
  assert.deepEqual([call?.facts.code, call?.facts.unmatched_places], ["INVALID_LOCATION", []]);
});

test("the reason of a refused token is logged with the id of its request, and nowhere else", async (t) => {
  const { log, records } = aRecordingLog();
  const { publicUrl, token: tokenOf } = await aService(t, { log });
  const token = await tokenOf();
  const [, claims = ""] = token.split(".");
  const headers = { Authorization: `Bearer ${token.replace(claims, Buffer.from("{}").toString("base64url"))}` };
  for (const [path, body] of [
    ["/api/public/v1/quotes", aQuoteRequest()],
    ["/mcp", { jsonrpc: "2.0", id: 1, method: "ping" }],
  ] as const) {
    const refused = await request(publicUrl + path, { headers, body });
    assert.equal(refused.status, 401);
    assert.doesNotMatch(refused.text, /signature/i);
    const id = refused.headers.get("x-request-id");
    const reasons = records.filter(({ facts }) => facts.request_id === id && facts.reason !== undefined);
    assert.deepEqual(
      reasons.map(({ facts }) => facts.reason),
      ["ERR_JWS_SIGNATURE_VERIFICATION_FAILED"],
    );
  }
});
