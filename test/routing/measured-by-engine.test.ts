import assert from "node:assert/strict";
import { test } from "node:test";
import { openMeasuredByEngine } from "../../src/routing/engines/measured-by-engine.ts";
import type { EngineRoute, RoadEngine } from "../../src/routing/engines/road-engine.ts";
import { EAST, engineParts, never, SUMMER, WEST } from "../support/engine-router.ts";
import { aRoadNetwork } from "../support/road-fixture.ts";

test("each of two concurrent measurements names the data that its own answer was measured on", async () => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const answers: EngineRoute[] = [
    { legs: [{ km: 40, minutes: 35 }], dataVersion: "7" },
    { legs: [{ km: 41, minutes: 36 }], dataVersion: "8" },
  ];
  const engine: RoadEngine = {
    dataVersion: async () => "6",
    canAvoid: () => false,
    async measure() {
      const next = answers.shift() ?? assert.fail("asked a third time");
      await answered;
      return next;
    },
  };
  const router = await openMeasuredByEngine("osrm", engine, engineParts(aRoadNetwork({ version: "net" })));
  const routes = [router.measure([WEST, EAST], SUMMER, never), router.measure([EAST, WEST], SUMMER, never)];
  answer();
  assert.deepEqual(
    (await Promise.all(routes)).map(({ distanceKm, dataVersion }) => [distanceKm, dataVersion]),
    [
      [40, "osrm-7+embedded-net"],
      [41, "osrm-8+embedded-net"],
    ],
  );
});
