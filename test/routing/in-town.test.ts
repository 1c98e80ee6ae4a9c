import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { RoadNode } from "../../src/catalog/roads-schema.ts";
import { createLegInTown } from "../../src/routing/in-town.ts";

// A hundredth of a degree of latitude is 1.112 km.
const CITY: RoadNode = { id: "city", name: "City", lat: 46, lng: 7, radiusKm: 5 };
const SUBURB: RoadNode = { id: "suburb", name: "Suburb", lat: 46.02, lng: 7, radiusKm: 1 };
const legInTown = createLegInTown({ nodes: new Map([CITY, SUBURB].map((node) => [node.id, node])) });

const station = { name: "Station", roadNode: "city", lat: 46, lng: 7.01 };
const at = (lat: number) => ({ name: "Somewhere", roadNode: null, lat, lng: 7 });

suite("the town of a position", () => {
  test("is the one whose center is the nearest for its size", () => {
    // 1.3 km from the city, 0.9 km from the suburb; then 1.9 and 0.3 km.
    assert.ok(legInTown(station, at(46.012)));
    assert.equal(legInTown(station, at(46.0175)), undefined);
  });

  test("ends with its radius", () => {
    assert.ok(legInTown(station, at(45.956)));
    assert.equal(legInTown(station, at(45.954)), undefined);
  });
});

test("a drive whose ends lie farther apart than the town reaches is as long as they are apart", () => {
  const inSuburb = { name: "A street", roadNode: "suburb", isAnywhereInTown: true, lat: 46.02, lng: 7 };
  const kmTo = (lat: number) => legInTown(inSuburb, { name: "A valley", roadNode: "suburb", lat, lng: 7 })?.km ?? 0;
  assert.ok(Math.abs(kmTo(46.025) - 1.4) < 1e-9);
  assert.ok(Math.abs(kmTo(46.04) - 2.224 * 1.4) < 0.01);
});
