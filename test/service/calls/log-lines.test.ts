import assert from "node:assert/strict";
import { test } from "node:test";
import { geocoders } from "../../../src/adapters/geocoders/geocoders.ts";
import { errorFacts } from "../../../src/ops/log.ts";
import { aFakeEngine, type Behavior, json } from "../../support/fake-engine.ts";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { aService, request } from "../../support/service.ts";
import { roadEngineWires } from "../../support/wires/road-engine-wires.ts";

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

const [engines, names] = [Object.entries(roadEngineWires), Object.keys(geocoders)];
assert.ok(names.length <= engines.length, "each geocoder is beside an engine");
for (const [n, [router, wire]] of engines.entries()) {
  const geocoder = names[n % names.length] ?? "";
  test(`the log names no stop and quotes no message of ${router} and ${geocoder}`, async (t) => {
    const tooFast = wire.speaks([{ km: 2, minutes: 1 }]);
    const [roads, places] = [await aFakeEngine(t, tooFast), await aFakeEngine(t, json([]))];
    const { log, records } = aRecordingLog();
    const env = {
      ...{ TRANSFER_ROUTER: router, TRANSFER_ROUTER_URL: roads.url },
      ...{ TRANSFER_GEOCODER: geocoder, TRANSFER_GEOCODER_URL: places.url },
    };
    const { api } = await aService(t, { log, env });
    const refuses = async (journey: object) => {
      const { status, text } = await api("/quote-intents", { body: aQuoteRequest({ ...journey }) });
      assert.ok(status >= 400, text);
    };
    await refuses(JOURNEY);
    for (const behavior of odd) {
      roads.behave(behavior);
      places.behave(behavior);
      await refuses(JOURNEY);
      await refuses({ ...JOURNEY, destination: STREET });
    }
    const lines = records.map(({ facts, message }) => {
      const err = facts.err ? { err: errorFacts(facts.err) } : {};
      return JSON.stringify({ ...facts, ...err, message });
    });
    assert.match(lines.join("\n"), /"reason":"leg 0: 2\.0 km in 1 min/);
    assert.match(lines.join("\n"), /has HTTP status 200 and an unexpected body/);
    assert.doesNotMatch(lines.join("\n"), PRIVATE);
  });
}

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
