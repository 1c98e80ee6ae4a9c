import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createCatalogOverlay } from "../../../src/adapters/engines/catalog-overlay.ts";
import { textsOf } from "../../../src/contract/notices.ts";
import { withClosures } from "../../../src/domain/routing/closures.ts";
import { createEmbeddedRouter } from "../../../src/domain/routing/embedded-router.ts";
import { createRoadNetwork } from "../../../src/domain/routing/road-network.ts";
import { inWords } from "../../support/fake-router.ts";
import { aRoadNetwork, aStop } from "../../support/road-fixture.ts";

const timeZone = "Europe/Zurich";
const roads = aRoadNetwork();
const closure = {
  id: "storm",
  road: "High Pass",
  from: "2027-07-15",
  to: "2027-07-16",
  reason: "Danger of avalanches.",
};
const network = withClosures(createRoadNetwork(roads, timeZone), roads, { closures: [closure], timeZone });
const router = createEmbeddedRouter(network);
const beside = [aStop("west"), aStop([46.02, 7.2])];
const CLOSED = new Date("2027-07-15T10:00:00Z");
const OPEN = new Date("2027-07-17T10:00:00Z");
const until = "High Pass is closed from 15 July 2027, 00:00 to 17 July 2027, 00:00";
const { signal } = new AbortController();

suite("a position on a road that the operator has closed", () => {
  test("is reached as usual when it is open again", async () => {
    for (const lat of [46.02, 46.05]) {
      const { doubts, stageMinutes } = await router.measure([aStop("west"), aStop([lat, 7.2])], OPEN, signal);
      assert.deepEqual([doubts, stageMinutes?.length], [[], 1]);
    }
  });

  for (const [way, stops] of [
    ["to", beside],
    ["from", beside.toReversed()],
    ["over", [...beside, aStop("east")]],
  ] as const) {
    test(`close to an open one, ${way} it: needs confirmation, and no time stands beside it`, async () => {
      const { doubts, stageMinutes, notes } = inWords(await router.measure(stops, CLOSED, signal));
      assert.deepEqual(doubts, ["Somewhere is on a road that is closed at that time: High Pass."]);
      assert.equal(stageMinutes, undefined);
      assert.deepEqual(notes, [`${until}; the route avoids it. Danger of avalanches.`]);
    });
  }

  test("close to an open one needs confirmation with a routing engine too, which does not know the closure", () => {
    const departures = [CLOSED, OPEN].map((at) => createCatalogOverlay(network, roads, timeZone).on(beside, at));
    const [closed, open] = departures.map((overlaid) => textsOf(overlaid.over(22.2, false).doubts));
    assert.deepEqual(closed, ["Somewhere is on a road that is closed at that time: High Pass."]);
    assert.deepEqual(open, []);
  });

  test("far from any open one is refused with the reason, as on a pass that is closed in winter", async () => {
    const stops = [aStop("west"), aStop([46.05, 7.2])];
    const refusal = { code: "UNSUPPORTED_ROUTE" };
    await assert.rejects(router.measure(stops, new Date("2027-01-15T10:00:00Z"), signal), refusal);
    await assert.rejects(router.measure(stops, CLOSED, signal), {
      ...refusal,
      message: `No road from west to Somewhere is open at that time. ${until}. Danger of avalanches.`,
    });
  });
});
