import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Corridor } from "../../src/catalog/catalog-schema.ts";
import { createCorridorNetwork } from "../../src/routing/embedded-router.ts";
import { createRoadNetwork } from "../../src/routing/road-network.ts";
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
const network = createRoadNetwork(aRoadNetwork(), "Europe/Zurich");
const corridors = createCorridorNetwork(network, [corridor]);
const west = { ...aStop("west"), placeId: "w" };
const north = { ...aStop("north"), placeId: "n" };

const { dataVersion } = corridors;

suite("a published corridor", () => {
  test("gives its verified km and minutes where both ends match, and keeps what else was measured", () => {
    const measured = network.journey([west, north], SUMMER);
    assert.deepEqual([measured.distanceKm, measured.durationMinutes], [45, 60]);
    assert.deepEqual(corridors.journey([west, north], SUMMER), {
      ...measured,
      dataVersion,
      distanceKm: 47,
      durationMinutes: 66,
    });
  });

  test("applies in one direction, without stops between, and to exactly these places", () => {
    for (const stops of [
      [north, west],
      [west, aStop("middle"), north],
      [west, aStop("north")],
      [
        { ...west, placeId: null },
        { ...north, placeId: null },
      ],
    ]) {
      const measured = network.journey(stops, SUMMER);
      assert.deepEqual(corridors.journey(stops, SUMMER), { ...measured, dataVersion });
    }
  });

  test("applies with stops at its own ends, which add no road", () => {
    const direct = corridors.journey([west, north], SUMMER);
    for (const stops of [
      [west, north, north],
      [west, west, north],
      [west, west, north, north, north],
    ])
      assert.deepEqual({ ...corridors.journey(stops, SUMMER), path: direct.path }, direct);
  });

  test("does not apply where the journey comes back to one of its ends, or stays there", () => {
    for (const stops of [
      [west, north, west, north],
      [west, north, west],
      [west, west],
    ]) {
      const measured = network.journey(stops, SUMMER);
      assert.deepEqual(corridors.journey(stops, SUMMER), { ...measured, dataVersion });
    }
  });

  test("does not apply while a closed pass leads the route elsewhere", () => {
    const { distanceKm, feesRappen } = corridors.journey([west, north], WINTER);
    assert.deepEqual([distanceKm, feesRappen], [38, 2_950]);
  });

  test("does not apply near a change of season, while its pass may be closed", () => {
    const june = corridors.journey([west, north], new Date("2027-06-10T10:00:00Z"));
    assert.deepEqual([june.distanceKm, june.doubts], [38, []]);
  });

  test("measures the journey once", () => {
    let measurements = 0;
    const journey: typeof network.journey = (...asked) => {
      measurements += 1;
      return network.journey(...asked);
    };
    const counted = createCorridorNetwork({ ...network, journey }, [corridor]);
    for (const [index, at] of [SUMMER, WINTER].entries()) {
      counted.journey([west, north], at);
      assert.equal(measurements, index + 1);
    }
  });

  test("is part of the data version", () => {
    const version = (km: number) => createCorridorNetwork(network, [{ ...corridor, distanceKm: km }]).dataVersion;
    assert.match(version(105), /^embedded-1\+corridors-[0-9a-f]{8}$/);
    assert.equal(version(105), version(105));
    assert.notEqual(version(105), version(106));
  });
});
