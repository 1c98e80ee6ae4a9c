import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { geocoders } from "../../src/places/geocoders/geocoders.ts";
import { routingEngines } from "../../src/routing/engines/routing-engines.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { aFakeEngine, type Behavior, json } from "../support/fake-engine.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { roadEngineWires } from "../support/road-engine-wires.ts";
import { request } from "../support/service.ts";

const WAITS = { timeout: 90_000 };
const MESSAGE = "Villa Mustermann is not on the map";
const JOURNEY = { origin: "Zürich", destination: "Zermatt" };
const ADDRESS = "Dorfstrasse 7, Wengen";
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
  for (const [name, wire] of Object.entries(roadEngineWires)) {
    test(`names no stop and quotes no message of ${name}`, WAITS, async (t) => {
      assert.ok(name in routingEngines);
      const engine = await aFakeEngine(t, wire.speaks([{ km: 2, minutes: 1 }]));
      const env = { TRANSFER_ROUTER: name, TRANSFER_ROUTER_URL: engine.url, TRANSFER_LOG_LEVEL: "debug" };
      const { publicUrl, stderr, child, ended } = await startBuiltServer(t, env);
      await eachRefused(publicUrl, aRealJourney(JOURNEY), [wire.speaks([{ km: 2, minutes: 1 }]), ...odd], engine);
      child.kill();
      await ended;
      assert.match(stderr(), /"reason":"leg 0: 2\.0 km in 1 min/);
      assert.doesNotMatch(stderr(), PRIVATE);
    });
  }

  for (const name of Object.keys(geocoders)) {
    test(`names no text and quotes no message of ${name}`, WAITS, async (t) => {
      const engine = await aFakeEngine(t, json([]));
      const env = { TRANSFER_GEOCODER: name, TRANSFER_GEOCODER_URL: engine.url, TRANSFER_LOG_LEVEL: "debug" };
      const { publicUrl, stderr, child, ended } = await startBuiltServer(t, env);
      await eachRefused(publicUrl, aRealJourney({ ...JOURNEY, destination: ADDRESS }), odd, engine);
      child.kill();
      await ended;
      assert.match(stderr(), /has HTTP status 200 and an unexpected body/);
      assert.doesNotMatch(stderr(), PRIVATE);
    });
  }
});

async function eachRefused(
  publicUrl: string,
  body: object,
  behaviors: readonly Behavior[],
  engine: Awaited<ReturnType<typeof aFakeEngine>>,
): Promise<void> {
  for (const behavior of behaviors) {
    engine.behave(behavior);
    const { status, text } = await request(`${publicUrl}/api/public/v1/quote-intents`, { body });
    assert.ok(status >= 400, text);
  }
}
