import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { RoadEdge } from "../../../src/domain/catalog/roads-schema.ts";
import { viaOf } from "../../../src/domain/routing/via.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";

const { catalog, network, places } = defaultCatalog;

function between(from: string, to: string, day: string): string {
  const stops = [from, to].map((id) => places.byId(id)?.carStop ?? assert.fail(id));
  return network.journey(stops, new Date(`${day}T10:00:00Z`)).via.join(", ");
}

function aRoad(from: string, to: string, own: Partial<RoadEdge> = {}): RoadEdge {
  return { from, to, km: 20, minutes: 20, road: "motorway", source: "a test", checked: "2026-11", ...own };
}

suite("the way in a driver's words", () => {
  // biome-ignore format: a table reads by its columns
  for (const [from, to, day, expected] of [
    ["zurich-airport", "zermatt", "2027-02-08", "A1, A6, Lötschberg car train, A9"],
    ["zurich", "zermatt", "2027-02-08", "A3, A4, A2, Furka car train, H19, H9"],
    ["zurich-airport", "st-moritz", "2027-02-08", "A1, A15, A3, A13, H3, Julier Pass"],
    ["meiringen", "andermatt", "2027-07-10", "Susten Pass"],
    ["milan-malpensa-airport", "zermatt", "2027-02-20", "SS336, A8, A26, SS33, IT–CH, H9, Simplon Pass"],
    ["buchs-sg", "vaduz", "2027-02-20", "CH–LI"],
    ["vaduz", "buchs-sg", "2027-02-20", "LI–CH"],
    ["basel-euroairport", "basel", "2027-02-20", ""],
    ["basel", "colmar", "2027-02-20", "CH–FR, A35"],
  ] as const)
    test(`from ${from} to ${to} on ${day}`, () => assert.equal(between(from, to, day), expected));

  test("a road goes on after its tunnel, and a short one is left out", () => {
    const via = viaOf([
      aRoad("a", "b", { ref: "A2" }),
      aRoad("b", "c", { ref: "A2", name: "Long Tunnel" }),
      aRoad("c", "d", { ref: "A2" }),
      aRoad("d", "e", { ref: "A13", km: 4 }),
      aRoad("e", "f", { ref: "H3", road: "main", km: 14 }),
      aRoad("g", "f", { border: "IT–CH", road: "local" }),
    ]);
    assert.deepEqual(via, ["A2", "Long Tunnel", "CH–IT"]);
  });

  test("at most 160 characters remain, and of numbers the longest roads", () => {
    const roads = Array.from({ length: 60 }, (_, each) =>
      aRoad(
        `${each}`,
        `${each + 1}`,
        each % 10 === 0 ? { name: `High Pass ${each}` } : { ref: `A${each}`, km: 10 + each },
      ),
    );
    const via = viaOf(roads, "0");
    assert.ok(via.join(", ").length <= 160);
    assert.equal(via.filter((text) => text.startsWith("High")).length, 6);
    assert.ok(via.includes("A59") && !via.includes("A1"));
  });
});

test("a border is at each road between places of two countries, and at no other", () => {
  const countries = new Map<string, Set<string>>();
  for (const { id, node = id, country } of catalog.places) {
    countries.set(node, new Set([...(countries.get(node) ?? []), country]));
  }
  for (const { from, to, border } of catalog.roads.edges) {
    // One node for the towns on both sides of the Rhine, and a customs road without a border.
    const ends = [from, to].map((node) => [...(countries.get(node) ?? [])]);
    if (ends.some((each) => each.length !== 1) || [from, to].includes("euroairport")) continue;
    const [[here], [there]] = ends as [[string], [string]];
    assert.equal(border, here === there ? undefined : `${here}–${there}`, `${from} ${to}`);
  }
});
