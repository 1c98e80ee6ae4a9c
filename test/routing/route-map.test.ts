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

async function pictureOf(...texts: readonly string[]): Promise<string> {
  return routeMap(catalog.roads, await pathFrom(...texts))?.svg ?? assert.fail("no picture");
}

suite("the picture of a route", () => {
  test("names stops and car trains in its title, and draws the train over the route", async () => {
    const svg = await pictureOf("Klosters", "Scuol");
    assert.match(svg, /^<svg [^>]*role="img" aria-label="Map: Klosters to Scuol, over Vereina car train"[^>]*><title>/);
    assert.match(svg, /stroke-width="4" stroke-dasharray="5 7"\/>.*>Klosters<\/text>.*>Scuol<\/text>/);
    assert.match(svg, /<g><path .*>Vereina car train<\/text><\/g><\/svg>$/, "in the legend");
    assert.doesNotMatch(svg, /Flüela/);
  });

  test("names the pass that is driven", async () => {
    const path = {
      ...(await pathFrom("Andermatt", "Ulrichen")),
      legs: ["andermatt hospental realp furka-pass gletsch oberwald ulrichen"],
    };
    const { svg } = routeMap(catalog.roads, path) ?? assert.fail("no picture");
    assert.match(svg, /aria-label="[^"]*over .*Furka Pass"/);
    assert.match(svg, /<g><path [^>]*fill="currentColor"\/><text [^>]*>Furka Pass<\/text><\/g><\/svg>$/);
  });

  test("is small, also of the longest routes, and has no script, style, id or link", async () => {
    for (const [from, destination] of [
      ["Munich", "Lyon"],
      ["Geneva Airport", "St. Moritz"],
      ["Lausanne", "Montreux"],
    ] as const) {
      const svg = await pictureOf(from, destination);
      assert.ok(svg.length < LARGEST_BYTES, `${from} to ${destination}: ${svg.length}`);
      assert.doesNotMatch(svg, /<script|<style|style=|\bid=|href|url\(|NaN|undefined|\bon\w+=/);
    }
  });

  test("shows every stop inside its frame", async () => {
    for (const stops of [
      ["Lausanne", "Montreux"],
      ["Zurich Airport", "Lucerne", "Interlaken"],
    ]) {
      const svg = await pictureOf(...stops);
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
      const circles = [...svg.matchAll(/<circle cx="(-?\d+)" cy="(-?\d+)" r="5"/g)];
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

  test("shows lakes, borders and towns of the region, and no label covers another one", async () => {
    for (const [stops, town] of [
      [["Zurich Airport", "Zermatt"], "Luzern"],
      [["Geneva Airport", "Verbier"], "Lausanne"],
      [["Milan Malpensa", "Lugano"], "Como"],
      [["Munich", "Lyon"], "Bern"],
      [["Basel", "Lucerne", "Interlaken"], "Zürich"],
    ] as const) {
      const svg = await pictureOf(...stops);
      assert.match(svg, new RegExp(`>${town}</text>`));
      assert.match(svg, /<path d="M[^"]+z" fill="#4a90c4"/, "a lake");
      assert.match(svg, /<path d="M[^"]+" fill="none" stroke="currentColor" stroke-opacity="0.5"/, "a border");
      const texts = [...svg.matchAll(/<text x="(\d+)" y="(\d+)" font-size="(\d+)"( text-anchor="end")?[^>]*>([^<]*)/g)];
      const boxes = texts.map(([, x, y, size, isLeft, name = ""]) => {
        const left = Number(x) - (isLeft ? name.length * Number(size) * 0.55 : 0);
        const right = left + name.length * Number(size) * 0.55;
        return { name, left, right, top: Number(y) - Number(size), bottom: Number(y) };
      });
      assert.ok(boxes.length >= 3, svg);
      for (const [index, a] of boxes.entries()) {
        assert.ok(a.left > 0 && a.right < 400, a.name);
        for (const b of boxes.slice(index + 1)) {
          const isBeside = a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
          assert.ok(isBeside, `${a.name} covers ${b.name}`);
        }
      }
    }
  });

  test("is none for a short journey of which the network has too little", async () => {
    for (const stops of [
      ["Bern Station", "Tierspital, Bern"],
      ["Zurich Airport", "Zurich"],
    ]) {
      assert.equal(routeMap(catalog.roads, await pathFrom(...stops)), undefined);
    }
  });

  test("takes a name for text, whatever is in it, and shortens it", () => {
    const stops = [
      { name: '</title><script>alert("&")</script>', lat: 46, lng: 7 },
      { name: "x".repeat(200), lat: 46.2, lng: 7.2 },
    ];
    const { svg } = routeMap(aRoadNetwork(), { stops, legs: [""] }) ?? assert.fail("no picture");
    assert.doesNotMatch(svg, /<script|<\/title><script/);
    assert.match(svg, /&lt;\/title&gt;&lt;script&gt;alert\(&quot;&amp;&quot;/);
    assert.doesNotMatch(svg, /x{30}/);
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
