import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { createNominatim } from "../../../src/adapters/geocoders/nominatim.ts";
import { createPhoton } from "../../../src/adapters/geocoders/photon.ts";
import { createUpstreamClient } from "../../../src/adapters/upstream/upstream-client.ts";
import { silentLog } from "../../../src/ops/log.ts";
import { packageVersion } from "../../../src/ops/package-root.ts";
import { BAHNHOFSTRASSE_1, geocoderContract, SERVICE_AREA } from "../../ports/geocoder.contract.ts";
import { aFakeEngine, type Behavior, json } from "../../support/fake-engine.ts";
import { speaksNominatim, speaksPhoton } from "../../support/fake-geocoders.ts";

geocoderContract("nominatim", { speaks: speaksNominatim, create: createNominatim });

const never = new AbortController().signal;

async function over(t: TestContext, create: typeof createPhoton, behavior: Behavior) {
  const engine = await aFakeEngine(t, behavior);
  const client = createUpstreamClient({ name: "geocoder", baseUrl: engine.url, log: silentLog });
  t.after(() => client.close());
  return { engine, geocoder: create(client, SERVICE_AREA) };
}

suite("Nominatim on the wire", () => {
  test("sends countries, box and a user agent", async (t) => {
    const { engine, geocoder } = await over(t, createNominatim, speaksNominatim([BAHNHOFSTRASSE_1]));
    await geocoder.search("Bahnhofstrasse 1", never);
    const [call] = engine.calls;
    assert.equal(`${call?.method} ${call?.url.pathname}`, "GET /search");
    assert.equal(call?.headers["user-agent"], `transfer-quote-mcp/${packageVersion}`);
    assert.deepEqual(Object.fromEntries(call?.url.searchParams ?? []), {
      q: "Bahnhofstrasse 1",
      format: "jsonv2",
      addressdetails: "1",
      limit: "10",
      "accept-language": "en",
      countrycodes: "ch,li,fr",
      viewbox: "4.6,48.6,12.4,44.6",
      bounded: "1",
    });
  });

  test("a status other than 0 is a failure, also with HTTP 200", async (t) => {
    const { geocoder } = await over(t, createNominatim, json({ status: 700, message: "Database connection failed" }));
    await assert.rejects(geocoder.ping(), { code: "UPSTREAM_UNAVAILABLE" });
  });

  test("drops results without a numeric position", async (t) => {
    for (const lat of ["", "north", "47,3", 47.3]) {
      const { geocoder } = await over(t, createNominatim, json([{ lat, lon: "8.5", display_name: "Somewhere" }]));
      await assert.rejects(geocoder.search("Somewhere", never), { code: "UPSTREAM_UNAVAILABLE" });
    }
  });

  test("takes the canton from its code and not from the name of the place", async (t) => {
    const munsingen = {
      ...{ lat: "46.874", lon: "7.561", name: "", place_rank: 30 },
      display_name: "5, Hauptstrasse, Dorf, Münsingen, Bern-Mittelland, Bern/Berne, 3110, Switzerland",
      address: {
        ...{ house_number: "5", road: "Hauptstrasse", town: "Münsingen", postcode: "3110" },
        ...{ country: "Switzerland", country_code: "ch", "ISO3166-2-lvl4": "CH-BE" },
      },
    };
    const farm = {
      ...{ lat: "47.38", lon: "9.33", display_name: "12, Dorf, Teufen, 9062, Switzerland" },
      address: { house_number: "12", hamlet: "Dorf", village: "Teufen", postcode: "9062" },
    };
    const { geocoder } = await over(t, createNominatim, json([munsingen, farm]));
    const [street, house] = await geocoder.search("Hauptstrasse 5", never);
    assert.equal(street?.town, "3110 Münsingen");
    assert.deepEqual(street?.within, [
      ...["Dorf", "Münsingen", "Bern-Mittelland", "Bern/Berne", "3110", "Switzerland", "BE"],
    ]);
    assert.equal(house?.label, "Dorf 12, 9062 Teufen");
  });

  test("uses the display name of a result without address details", async (t) => {
    const { geocoder } = await over(
      t,
      createNominatim,
      json([{ lat: "47.3", lon: "-8.5", display_name: "Hut, Alps" }]),
    );
    assert.deepEqual(await geocoder.search("Hut", never), [
      { label: "Hut, Alps", lat: 47.3, lng: -8.5, country: null, kind: "place", town: "", within: ["Hut", "Alps"] },
    ]);
  });
});

geocoderContract("photon", { speaks: speaksPhoton, create: createPhoton });

suite("Photon on the wire", () => {
  test("requests English names within the box, longitude before latitude", async (t) => {
    const { engine, geocoder } = await over(t, createPhoton, speaksPhoton([BAHNHOFSTRASSE_1]));
    await geocoder.search("Bahnhofstrasse 1", never);
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
    const { geocoder } = await over(
      t,
      createPhoton,
      json({ features: [{ ...feature, properties: { name: "Somewhere" } }] }),
    );
    assert.deepEqual(await geocoder.search("Somewhere", never), [
      { label: "Somewhere", lat: 47.4, lng: 8.5, country: null, kind: "place", town: "", within: [] },
    ]);
  });

  test("an error status is a failure, not an empty result", async (t) => {
    const { geocoder } = await over(t, createPhoton, json({ message: "language is not supported", features: [] }, 400));
    await assert.rejects(geocoder.search("Zürich", never), { code: "UPSTREAM_UNAVAILABLE" });
  });
});
