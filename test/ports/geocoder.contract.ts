import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import type { Geocoder } from "../../src/adapters/geocoders/geocoder.ts";
import { createUpstreamClient, type UpstreamClient } from "../../src/adapters/upstream/upstream-client.ts";
import type { ServiceArea } from "../../src/domain/catalog/catalog-schema.ts";
import { silentLog } from "../../src/ops/log.ts";
import { aFakeEngine, answers500, answersElse, type Behavior, json, neverAnswers } from "../support/fake-engine.ts";

export const SERVICE_AREA: ServiceArea = {
  countries: ["CH", "LI", "FR"],
  box: { south: 44.6, west: 4.6, north: 48.6, east: 12.4 },
};

/** What is behind every fake geocoder. */
export interface WirePlace {
  readonly name?: string;
  readonly street?: string;
  readonly number?: string;
  readonly postcode?: string;
  readonly town?: string;
  readonly village?: string;
  readonly country: string;
  readonly countryName: string;
  readonly lat: number;
  readonly lng: number;
  readonly kind: "house" | "street" | "town" | "state";
}

export const BAHNHOFSTRASSE_1: WirePlace = {
  ...{ street: "Bahnhofstrasse", number: "1", postcode: "8001", town: "Zürich", kind: "house" },
  ...{ country: "ch", countryName: "Switzerland", lat: 47.3668, lng: 8.5396 },
};

export interface GeocoderWire {
  readonly speaks: (places: readonly WirePlace[]) => Behavior;
  readonly create: (client: UpstreamClient, area: ServiceArea) => Geocoder;
}

const never = new AbortController().signal;

/** What every Geocoder promises, over an engine of the tests that speaks its wire. */
export function geocoderContract(name: string, { speaks, create }: GeocoderWire): void {
  async function setUp(t: TestContext, places: readonly WirePlace[]) {
    const engine = await aFakeEngine(t, speaks(places));
    const client = createUpstreamClient({ name: "geocoder", baseUrl: engine.url, log: silentLog, callMs: 60_000 });
    t.after(() => client.close());
    return { engine, geocoder: create(client, SERVICE_AREA) };
  }

  suite(`Geocoder contract: ${name}`, () => {
    test("gives label, position, country and kind of a house", async (t) => {
      const { geocoder } = await setUp(t, [BAHNHOFSTRASSE_1]);
      const [place, ...others] = await geocoder.search("Bahnhofstrasse 1, Zürich", never);
      assert.deepEqual(others, []);
      assert.equal(place?.label, "Bahnhofstrasse 1, 8001 Zürich, Switzerland");
      assert.deepEqual([place?.lat, place?.lng], [47.3668, 8.5396]);
      assert.deepEqual([place?.country, place?.kind], ["CH", "address"]);
    });

    test("distinguishes streets, towns and areas, and keeps the order", async (t) => {
      const { number, ...street } = BAHNHOFSTRASSE_1;
      const { street: _street, ...town } = { ...street, name: "Zürich" };
      const { geocoder } = await setUp(t, [
        { ...street, name: "Bahnhofstrasse", kind: "street" },
        { ...town, kind: "town" },
        { ...town, kind: "state" },
      ]);
      const places = await geocoder.search("Zürich", never);
      assert.deepEqual(
        places.map(({ kind }) => kind),
        ["street", "place", "area"],
      );
      assert.equal(places[0]?.label, "Bahnhofstrasse, 8001 Zürich, Switzerland");
    });

    test("returns a hotel's name first, and its village", async (t) => {
      const hotel = { ...BAHNHOFSTRASSE_1, name: "Hotel Savoy", village: "Altstadt" };
      const { geocoder } = await setUp(t, [hotel]);
      const [place] = await geocoder.search("Hotel Savoy", never);
      assert.equal(place?.label, "Hotel Savoy, Bahnhofstrasse 1, 8001 Zürich, Switzerland");
      assert.ok(place?.within.includes("Altstadt"));
    });

    test("returns names in one line of bounded length", async (t) => {
      const name = `Hotel\n\u0000 Savoy\u200b ${"x".repeat(10_000)}`;
      const { geocoder } = await setUp(t, [{ ...BAHNHOFSTRASSE_1, name, village: name }]);
      const [place] = await geocoder.search("Hotel Savoy", never);
      for (const text of [place?.label ?? "", place?.town ?? "", ...(place?.within ?? [])]) {
        assert.ok(text.length < 400 && !/[\p{Cc}\p{Cf}]/u.test(text), text.slice(0, 50));
      }
      assert.match(place?.label ?? "", /^Hotel Savoy x/);
      assert.equal(place?.town, "8001 Zürich");
    });

    test("returns an empty list when nothing is found", async (t) => {
      const { geocoder } = await setUp(t, []);
      assert.deepEqual(await geocoder.search("Nowhere at all", never), []);
    });

    test("returns at most ten results", async (t) => {
      const { geocoder } = await setUp(t, Array(12).fill(BAHNHOFSTRASSE_1));
      assert.equal((await geocoder.search("Bahnhofstrasse", never)).length, 10);
    });

    test("sends any text unchanged", async (t) => {
      const { engine, geocoder } = await setUp(t, []);
      const text = "Rue de l'Église 3 & 5, 1000 Lausanne?limit=50#top 🏔";
      await geocoder.search(text, never);
      assert.equal(engine.calls[0]?.url.searchParams.get("q"), text);
      assert.deepEqual(engine.calls[0]?.url.searchParams.getAll("limit"), ["10"]);
    });

    for (const [what, fault] of Object.entries({ "status 500": answers500, "JSON of another service": answersElse })) {
      test(`${what}: UPSTREAM_UNAVAILABLE until the geocoder recovers`, async (t) => {
        const { engine, geocoder } = await setUp(t, [BAHNHOFSTRASSE_1]);
        engine.behave(fault);
        await assert.rejects(geocoder.search("Zürich", never), { code: "UPSTREAM_UNAVAILABLE" });
        engine.behave(speaks([BAHNHOFSTRASSE_1]));
        assert.equal((await geocoder.search("Zürich", never)).length, 1);
      });
    }

    test("rejects with the reason of an aborted call", async (t) => {
      const { engine, geocoder } = await setUp(t, []);
      engine.behave(neverAnswers);
      const leaving = new AbortController();
      const call = geocoder.search("Zürich", leaving.signal);
      await engine.arrived(1);
      leaving.abort(new Error("gone"));
      await assert.rejects(call, { message: "gone" });
    });

    test("answers a ping while it works", async (t) => {
      const { engine, geocoder } = await setUp(t, []);
      await geocoder.ping();
      assert.equal(engine.calls[0]?.url.pathname, "/status");
      engine.behave(answers500);
      await assert.rejects(geocoder.ping(), { code: "UPSTREAM_UNAVAILABLE" });
      for (const status of [401, 403, 404]) {
        engine.behave(json({ message: "No" }, status));
        await assert.rejects(geocoder.ping(), { code: "UPSTREAM_UNAVAILABLE" });
      }
    });
  });
}
