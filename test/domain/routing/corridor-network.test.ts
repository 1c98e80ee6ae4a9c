import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  DISTANCE_TABLES,
  errorsOf,
  MEASURED_FROM,
  measuredPairs,
  pathOf,
} from "../../../scripts/docs/road-distances.ts";
import type { Corridor } from "../../../src/domain/catalog/catalog-schema.ts";
import { createCorridorNetwork } from "../../../src/domain/routing/embedded-router.ts";
import { createRoadNetwork } from "../../../src/domain/routing/road-network.ts";
import { stopsAt } from "../../../src/operate/audit/places.ts";
import { defaultCatalog } from "../../support/quoting-fixture.ts";
import { aRoadNetwork, aStop } from "../../support/road-fixture.ts";

const corridor: Corridor = {
  key: "w-to-n",
  origin: "w",
  destination: "n",
  transferType: "city",
  distanceKm: 47,
  durationMinutes: 66,
};
const SUMMER = new Date("2027-07-15T10:00:00Z");
const network = createRoadNetwork(aRoadNetwork(), "Europe/Zurich");
const corridors = createCorridorNetwork(network, new Map([["w n", corridor]]));
const west = { ...aStop("west"), placeId: "w" };
const north = { ...aStop("north"), placeId: "n" };

const { dataVersion } = corridors;

suite("a published corridor", () => {
  test("gives its verified km and minutes where both ends match, and keeps what else was measured", () => {
    const measured = network.journey([west, north], SUMMER);
    assert.deepEqual([measured.distanceKm, measured.durationMinutes], [45, 60]);
    const [stage] = measured.stages;
    assert.deepEqual(corridors.journey([west, north], SUMMER), {
      ...{ ...measured, dataVersion, distanceKm: 47, usualKm: 47, durationMinutes: 66, stageMinutes: [66] },
      stages: [{ ...stage, km: 47, minutes: 66 }],
    });
  });

  test("counts as a part of a journey with stops", () => {
    const sums = (stops: Parameters<typeof network.journey>[0]) => {
      const { distanceKm, durationMinutes, stageMinutes } = corridors.journey(stops, SUMMER);
      return [distanceKm, durationMinutes, stageMinutes];
    };
    assert.deepEqual(sums([west, north, west, north]), [47 + 45 + 47, 66 + 60 + 66, [66, 60, 66]]);
    assert.deepEqual(sums([west, north, north]), [47, 66, [66, 0]]);
  });

  // biome-ignore format: a table reads by its columns
  const OTHERS: readonly (readonly [string, Parameters<typeof network.journey>[0]])[] = [
    ["in the other direction", [north, west]], ["with a stop between", [west, aStop("middle"), north]],
    ["to another place at the same node", [west, aStop("north")]],
    ["between positions", [{ ...west, placeId: null }, { ...north, placeId: null }]],
    ["where the journey stays there", [west, west]],
  ];
  for (const [what, stops] of OTHERS)
    test(`does not apply ${what}`, () => {
      assert.deepEqual(corridors.journey(stops, SUMMER), { ...network.journey(stops, SUMMER), dataVersion });
    });

  test("does not apply while its pass is closed, or may be near a change of season", () => {
    for (const day of ["2027-01-15T10:00:00Z", "2027-06-10T10:00:00Z"]) {
      const { distanceKm, feesRappen, doubts } = corridors.journey([west, north], new Date(day));
      assert.deepEqual([distanceKm, feesRappen, doubts], [38, 2_950, []]);
    }
  });

  test("is part of the data version", () => {
    const version = (distanceKm: number) =>
      createCorridorNetwork(network, new Map([["w n", { ...corridor, distanceKm }]])).dataVersion;
    assert.match(version(105), /^embedded-1\+[0-9a-f]{8}$/);
    assert.equal(version(105), version(105));
    assert.notEqual(version(105), version(106));
  });
});

for (const { file, when, limits } of DISTANCE_TABLES) {
  for (const from of MEASURED_FROM)
    test(`without car trains the network, from ${from}, is near to known distances that were looked up ${when}`, async () => {
      const { pairs, notFound } = await measuredPairs(pathOf(file), from);
      assert.deepEqual(notFound, []);
      const { judged, median, ninthDecile, worst } = errorsOf(pairs);
      assert.ok(judged >= 40, `${judged} pairs`);
      const shares = [median, ninthDecile, worst].map((percent) => percent / 100);
      for (const [index, limit] of limits[from].entries()) assert.ok((shares[index] ?? 1) <= limit, String(shares));
    });
}

test("no published corridor depends on estimates for more than a tenth of its length, in summer and in winter", () => {
  for (const day of ["2027-07-15T10:00:00Z", "2027-01-15T11:00:00Z"]) {
    const { catalog, places, network } = defaultCatalog;
    for (const { key, origin, destination } of catalog.corridors) {
      const { roads } = network.journey(stopsAt(places, [origin, destination]), new Date(day));
      const kmOf = (some: typeof roads) => some.reduce((sum, road) => sum + road.km, 0);
      const estimated = kmOf(roads.filter(({ source }) => source === "estimate"));
      assert.ok(estimated <= kmOf(roads) * 0.1, `${key}: ${estimated}`);
    }
  }
});
