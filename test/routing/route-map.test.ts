import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { stopOf } from "../../src/quotes/locate-points.ts";
import { routeMap } from "../../src/routing/route-map.ts";
import type { RoutePath } from "../../src/routing/router.ts";
import { defaultCatalog } from "../support/quoting-fixture.ts";
import { aRoadNetwork } from "../support/road-fixture.ts";

const { catalog, places, network } = defaultCatalog;
const JANUARY = new Date("2027-01-15T11:00:00Z");
const LARGEST_BYTES = 20_000;

async function pathFrom(...texts: readonly string[]): Promise<RoutePath> {
  const stops = await Promise.all(
    texts.map(async (text) => {
      const location = await places.find(text, new AbortController().signal);
      return location.kind === "found" ? stopOf({ ...location, text }) : assert.fail(text);
    }),
  );
  return network.journey(stops, JANUARY).path;
}

suite("the picture of a route", () => {
  test("names stops and car trains in its title, and draws the train over the route", async () => {
    const { svg } = routeMap(catalog.roads, await pathFrom("Klosters", "Scuol")) ?? assert.fail("no picture");
    assert.match(svg, /^<svg [^>]*role="img" aria-label="Map: Klosters to Scuol, over Vereina car train"[^>]*><title>/);
    assert.match(svg, /stroke-width="4" stroke-dasharray="6 6"><title>Vereina car train<\/title>/);
    assert.match(svg, />Klosters<\/text>.*>Scuol<\/text>/);
    // Closed, and beside the route.
    assert.match(svg, /fill-opacity="0.5"><title>Flüela Pass<\/title>/);
  });

  test("names the pass that is driven", async () => {
    const path = {
      ...(await pathFrom("Andermatt", "Ulrichen")),
      legs: ["andermatt hospental realp furka-pass gletsch oberwald ulrichen"],
    };
    const { svg } = routeMap(catalog.roads, path) ?? assert.fail("no picture");
    assert.match(svg, /aria-label="[^"]*over .*Furka Pass"/);
    assert.match(svg, /fill-opacity="1"><title>Furka Pass<\/title>.*>Furka Pass<\/text>/);
  });

  test("is small, also of the longest routes, and has no script, style, id or link", async () => {
    for (const [from, destination] of [
      ["Munich", "Lyon"],
      ["Geneva Airport", "St. Moritz"],
      ["Bern Station", "Inselspital, Bern"],
    ] as const) {
      const { svg } = routeMap(catalog.roads, await pathFrom(from, destination)) ?? assert.fail("no picture");
      assert.ok(svg.length < LARGEST_BYTES, `${from} to ${destination}: ${svg.length}`);
      assert.doesNotMatch(svg, /<script|<style|style=|\bid=|href|url\(|NaN|undefined|\bon\w+=/);
    }
  });

  test("shows every stop inside its frame, in one town as well", async () => {
    for (const stops of [
      ["Bern Station", "46.9475, 7.4255"],
      ["Zurich Airport", "Lucerne", "Interlaken"],
    ]) {
      const { svg } = routeMap(catalog.roads, await pathFrom(...stops)) ?? assert.fail("no picture");
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
      const circles = [...svg.matchAll(/<circle cx="(-?\d+)" cy="(-?\d+)"/g)];
      assert.equal(circles.length, stops.length);
      for (const [, x, y] of circles) {
        assert.ok(
          Number(x) > 0 && Number(x) < Number(width) && Number(y) > 0 && Number(y) < Number(height),
          `${x} ${y}`,
        );
      }
      assert.equal(new Set(circles.map(([, x, y]) => `${x} ${y}`)).size, stops.length);
    }
  });

  test("takes a name for text, whatever is in it, and shortens it", () => {
    const stops = [
      { name: '</title><script>alert("&")</script>', lat: 46, lng: 7 },
      { name: "x".repeat(200), lat: 46.1, lng: 7.1 },
    ];
    const { svg } = routeMap(aRoadNetwork(), { stops, legs: [""] }) ?? assert.fail("no picture");
    assert.doesNotMatch(svg, /<script|<\/title><s/);
    assert.match(svg, /&lt;\/title&gt;&lt;script&gt;alert\(&quot;&amp;&quot;\)/);
    assert.doesNotMatch(svg, /x{40}/);
  });

  test("leaves out the names that callers give to positions", async () => {
    const [from, to] = [
      { name: "Zurich", roadNode: "zurich", lat: 47.378, lng: 8.54 },
      { name: "Call 123", roadNode: null, lat: 46.95, lng: 7.44 },
    ];
    const { svg } = routeMap(catalog.roads, network.journey([from, to], JANUARY).path) ?? assert.fail("no picture");
    assert.match(svg, /aria-label="Map: Zurich to a position"/);
    assert.doesNotMatch(svg, /Call/);
  });

  test("is none where the catalog no longer has the roads", () => {
    const stops = [{ name: "west", lat: 46, lng: 7 }];
    assert.equal(routeMap(aRoadNetwork(), { stops, legs: ["west nowhere"] }), undefined);
  });
});
