import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Corridor } from "../../src/published/schema.ts";
import { createCorridorRouter } from "../../src/routing/corridor-router.ts";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { aRoadNetwork, aStop } from "../support/road-fixture.ts";

const corridor: Corridor = {
  key: "w-to-n",
  origin: "w",
  destination: "n",
  transferType: "city",
  distanceKm: 47,
  durationMinutes: 66,
};
const SUMMER = new Date("2027-07-15T10:00:00Z");
const WINTER = new Date("2027-01-15T10:00:00Z");
const { signal } = new AbortController();
const network = createEmbeddedRouter(aRoadNetwork(), "Europe/Zurich");
const router = createCorridorRouter(network, [corridor]);
const west = { ...aStop("west"), placeId: "w" };
const north = { ...aStop("north"), placeId: "n" };

suite("a published corridor", () => {
  test("gives its verified km and minutes where both ends match, and keeps what else was measured", async () => {
    const measured = await network.measure([west, north], SUMMER, signal);
    assert.deepEqual([measured.distanceKm, measured.durationMinutes], [45, 60]);
    assert.deepEqual(await router.measure([west, north], SUMMER, signal), {
      ...measured,
      distanceKm: 47,
      durationMinutes: 66,
    });
  });

  test("is one direction, without stops on the way, between these very places", async () => {
    for (const stops of [
      [north, west],
      [west, aStop("middle"), north],
      [west, aStop("north")],
      [
        { ...west, placeId: null },
        { ...north, placeId: null },
      ],
    ]) {
      const measured = await network.measure(stops, SUMMER, signal);
      assert.deepEqual(await router.measure(stops, SUMMER, signal), measured);
    }
  });

  test("holds with stops at its own ends, which add no road", async () => {
    const direct = await router.measure([west, north], SUMMER, signal);
    for (const stops of [
      [west, north, north],
      [west, west, north],
      [west, west, north, north, north],
    ])
      assert.deepEqual(await router.measure(stops, SUMMER, signal), direct);
  });

  test("is left where the journey comes back to one of its ends, or stays there", async () => {
    for (const stops of [
      [west, north, west, north],
      [west, north, west],
      [west, west],
    ]) {
      const measured = await network.measure(stops, SUMMER, signal);
      assert.deepEqual(await router.measure(stops, SUMMER, signal), measured);
    }
  });

  test("does not hold while a closed pass leads the way elsewhere", async () => {
    const { distanceKm, feesRappen } = await router.measure([west, north], WINTER, signal);
    assert.deepEqual([distanceKm, feesRappen], [38, 2_950]);
  });

  test("near a change of season it holds, and asks for confirmation", async () => {
    const june = await router.measure([west, north], new Date("2027-06-10T10:00:00Z"), signal);
    assert.deepEqual([june.distanceKm, june.doubts.length], [47, 1]);
  });

  test("is part of the version of the data", () => {
    const version = (km: number) =>
      createCorridorRouter(network, [{ ...corridor, distanceKm: km }]).dataVersion;
    assert.match(version(105), /^embedded-1\+corridors-[0-9a-f]{8}$/);
    assert.equal(version(105), version(105));
    assert.notEqual(version(105), version(106));
  });
});
