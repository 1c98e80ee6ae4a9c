import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCatalog } from "../../src/catalog/catalog.ts";
import { createSnapToRoad } from "../../src/routing/anchor.ts";
import { DEFAULT_CATALOG } from "../support/default-catalog.ts";

const { roads } = loadCatalog(DEFAULT_CATALOG);
const snapToRoad = createSnapToRoad(roads);
/** On a grid over the service area, its corners and what lies beyond it included. */
const POSITIONS = Array.from({ length: 42 }, (_, index) => ({
  lat: 44 + (index % 12) * 0.41,
  lng: 4.6 + Math.floor(index / 12) * 2.3,
}));

test("the road that is found is as near as the nearest of all roads", () => {
  const alone = roads.edges.map((edge) => ({ edge, snap: createSnapToRoad({ nodes: roads.nodes, edges: [edge] }) }));
  const isOpen = ({ closed }: { closed?: object | undefined }) => !closed;
  for (const position of POSITIONS) {
    const least = Math.min(...alone.map(({ snap }) => snap(position, isOpen)?.crowFliesKm ?? Number.POSITIVE_INFINITY));
    const found = snapToRoad(position, isOpen) ?? assert.fail("no road");
    // The search takes the earth for flat, which is not exact over a long way.
    const most = least < 20 ? least + 0.02 : least * 1.05;
    assert.ok(found.crowFliesKm <= most, `${JSON.stringify(position)}: ${found.crowFliesKm}, ${least}`);
  }
});

test("no road is found where none is open", () => {
  assert.equal(
    snapToRoad({ lat: 47, lng: 8 }, () => false),
    undefined,
  );
});

test("of roads that meet at the nearest node the first is found", () => {
  const node = (id: string, lat: number, lng: number) => ({ id, name: id, lat, lng });
  const ends = [node("middle", 47, 8), node("north", 47.2, 8), node("south", 46.8, 8), node("east", 47, 8.2)];
  const nodes = new Map(ends.map((end) => [end.id, end]));
  const [first] = roads.edges;
  const edges = ["east", "north", "south"].map((to) => ({
    ...(first ?? assert.fail("no roads")),
    ...{ from: "middle", to },
  }));
  const found = createSnapToRoad({ nodes, edges })({ lat: 47, lng: 7.9 }, () => true);
  assert.equal(found?.edge, edges[0]);
});
