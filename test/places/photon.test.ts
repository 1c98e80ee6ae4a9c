import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { silentLog } from "../../src/ops/log.ts";
import { createPhoton } from "../../src/places/geocoders/photon.ts";
import { createUpstreamClient } from "../../src/upstream/upstream-client.ts";
import { BAHNHOFSTRASSE_1, geocoderContract, SERVICE_AREA } from "../ports/geocoder.contract.ts";
import { aFakeEngine, json } from "../support/fake-engine.ts";
import { speaksPhoton } from "../support/fake-geocoders.ts";

geocoderContract("photon", { speaks: speaksPhoton, create: createPhoton });

const never = new AbortController().signal;

suite("Photon on the wire", () => {
  test("requests English names within the box, longitude before latitude", async (t) => {
    const engine = await aFakeEngine(t, speaksPhoton([BAHNHOFSTRASSE_1]));
    const client = createUpstreamClient({ name: "geocoder", baseUrl: engine.url, log: silentLog });
    t.after(() => client.close());
    await createPhoton(client, SERVICE_AREA).search("Bahnhofstrasse 1", never);
    const [call] = engine.calls;
    assert.equal(`${call?.method} ${call?.url.pathname}`, "GET /api");
    assert.deepEqual(Object.fromEntries(call?.url.searchParams ?? []), {
      q: "Bahnhofstrasse 1",
      limit: "10",
      lang: "en",
      bbox: "4.6,44.6,12.4,48.6",
    });
  });

  test("accepts features without country or type, and with a height", async (t) => {
    const feature = { type: "Feature", geometry: { type: "Point", coordinates: [8.5, 47.4, 408] } };
    const engine = await aFakeEngine(t, json({ features: [{ ...feature, properties: { name: "Somewhere" } }] }));
    const client = createUpstreamClient({ name: "geocoder", baseUrl: engine.url, log: silentLog });
    t.after(() => client.close());
    assert.deepEqual(await createPhoton(client, SERVICE_AREA).search("Somewhere", never), [
      { label: "Somewhere", lat: 47.4, lng: 8.5, country: null, kind: "place", town: "", within: [] },
    ]);
  });

  test("an error status is a failure, not an empty result", async (t) => {
    const engine = await aFakeEngine(t, json({ message: "language is not supported", features: [] }, 400));
    const client = createUpstreamClient({ name: "geocoder", baseUrl: engine.url, log: silentLog });
    t.after(() => client.close());
    await assert.rejects(createPhoton(client, SERVICE_AREA).search("Zürich", never), { code: "UPSTREAM_UNAVAILABLE" });
  });
});
