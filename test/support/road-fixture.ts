import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoadData } from "../../src/domain/catalog/catalog.ts";
import type { RoadEdge, RoadNode } from "../../src/domain/catalog/roads-schema.ts";
import type { Router, RouteStop } from "../../src/domain/routing/router.ts";
import { inWords } from "./fake-router.ts";
import { refusalOf } from "./quoting-fixture.ts";
import { calledFrom, instantOf, rowsOf } from "./told.ts";

// biome-ignore format: several fit on a line
const NODES: readonly (readonly [string, number, number])[] = [
  ["west", 46, 7], ["middle", 46, 7.2], ["east", 46, 7.4], ["pass", 46.1, 7.2], ["north", 46.2, 7.2],
  ["island", 46.5, 9], ["skerry", 46.5, 9.2],
];

// biome-ignore format: several fit on a line
const EDGES: readonly Partial<RoadEdge>[] = [
  { from: "west", to: "middle", km: 20, minutes: 20 }, { from: "middle", to: "east", km: 20, minutes: 15 },
  { from: "middle", to: "pass", km: 12.5, minutes: 20, name: "High Pass", closed: { from: "11-01", to: "05-31" } },
  { from: "pass", to: "north", km: 12.5, minutes: 20, name: "High Pass", closed: { from: "11-01", to: "05-31" } },
  { from: "middle", to: "north", km: 18, minutes: 15, road: "car_train", name: "Deep car train", carTrain: { loadingMinutes: 45, fareRappen: 2_950 }, },
  { from: "east", to: "north", km: 40, minutes: 50, name: "Long Tunnel", tunnel: true, toll: { fareRappen: 2_900 } },
  { from: "island", to: "skerry", km: 20, minutes: 20 },
];

interface Changes {
  readonly edges?: typeof EDGES;
  readonly version?: string;
  readonly osrmSeasonalClass?: string;
}

/**
 * A network that can be calculated by hand: a road from west to east via the middle; from there a pass (closed in
 * winter) and a car train to the north; a toll tunnel from the east to the north; and an island that no road joins to
 * the rest.
 */
export function aRoadNetwork({ edges = EDGES, version = "1", ...more }: Changes = {}): RoadData {
  const nodes = NODES.map(([id, lat, lng]): [string, RoadNode] => [id, { id, name: id, lat, lng }]);
  const usual = { from: "", to: "", km: 1, minutes: 1, road: "main", source: "map", checked: "2026-11" } as const;
  const all = edges.map((edge) => ({ ...usual, ...edge }));
  return { nodes: new Map(nodes), edges: all, minutesPerKm: 0.15, version, ...more };
}

/** A stop at a node, or at a position. */
export function aStop(at: string | readonly [number, number]): RouteStop {
  if (typeof at === "string") return { name: at, roadNode: at, lat: 0, lng: 0 };
  return { name: "Somewhere", roadNode: null, lat: at[0], lng: at[1] };
}

/** "west > middle 15' > 46.05, 7.2; 2027-01-15 22:30": stops with the minutes of their stays, and the departure. */
function wayOf(text: string) {
  const [way = "", at = "summer"] = text.split("; ");
  const stops = way.split(" > ").map((each) => {
    const [, place = "", stay] = /^(.+?)(?: (\d+)')?$/.exec(each) ?? [];
    const [lat, lng] = place.split(", ").map(Number);
    const stop = aStop(lat && lng ? [lat, lng] : place);
    return stay === undefined ? stop : { ...stop, dwellMinutes: Number(stay) };
  });
  const day = { summer: "2027-07-15", winter: "2027-01-15" }[at] ?? at;
  return { stops, at: instantOf(day.includes(" ") || day.includes("T") ? day : `${day} 11:00`) };
}

/**
 * A test of routes, as a table like that of `told`. Wanted are figures such as `38 km, 80 min, 2950 Rappen`; `says` and
 * `never`, a part of the notes; `doubts`, a part of the doubts, where otherwise there has to be none; `untimed`, without
 * the minutes of its stages; `refuses`, a part of the message of UNSUPPORTED_ROUTE.
 */
export function routed(title: string, router: Pick<Router, "measure">, table: string): void {
  const where = calledFrom();
  test(title, async () => {
    for (const { journey: way, wanted } of rowsOf(table)) {
      const { stops, at } = wayOf(way);
      const journey = `${way} ${where}`;
      const measured = router.measure(stops, at, new AbortController().signal);
      const [first = ""] = wanted;
      if (first.startsWith("refuses ")) {
        const { detail } = await refusalOf(measured, "UNSUPPORTED_ROUTE");
        assert.ok(detail.includes(first.slice("refuses ".length)), `${journey}: ${detail}`);
        continue;
      }
      const {
        distanceKm: km,
        durationMinutes: min,
        feesRappen: Rappen,
        notes,
        doubts,
        stageMinutes,
      } = inWords(await measured);
      const doubted = wanted.filter((each) => each.startsWith("doubts "));
      assert.equal(doubts.length, doubted.length, `${journey}: ${doubts}`);
      assert.equal(stageMinutes === undefined, wanted.includes("untimed"), `${journey}: ${stageMinutes}`);
      for (const each of wanted) {
        const [word = "", part = ""] = [each.split(" ", 1)[0], each.slice(each.indexOf(" ") + 1)];
        const isIn = (texts: readonly string[]) => texts.some((text) => text.includes(part));
        if (word === "doubts") assert.ok(isIn(doubts), `${journey}: ${doubts}`);
        else if (word === "says" || word === "never")
          assert.equal(isIn(notes), word === "says", `${journey}: ${notes}`);
        else if (word !== "untimed" && word !== "certain")
          for (const [, value, unit] of each.matchAll(/([\d.]+) (km|min|Rappen)/g))
            assert.equal({ km, min, Rappen }[unit as "km"], Number(value), `${journey}: ${unit}`);
      }
    }
  });
}
