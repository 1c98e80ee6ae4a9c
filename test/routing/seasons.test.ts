import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { createTellConditions } from "../../src/routing/road-conditions.ts";
import { dayName, seasonalRoads } from "../../src/routing/seasons.ts";
import { aRoadNetwork, aStop } from "../support/road-fixture.ts";

const roads = aRoadNetwork();
const [pass] = roads.edges.filter(({ name }) => name === "High Pass");
const router = createEmbeddedRouter(roads, "Europe/Zurich");
const { signal } = new AbortController();

suite("a pass that is closed from 1 November to 31 May", () => {
  const days: readonly (readonly [string, boolean, boolean])[] = [
    ["07-15", false, false],
    ["10-10", false, false],
    ["10-11", false, true],
    ["11-01", true, true],
    ["11-22", true, true],
    ["11-23", true, false],
    ["02-29", true, false],
    ["05-10", true, false],
    ["05-11", true, true],
    ["06-01", false, true],
    ["06-22", false, true],
    ["06-23", false, false],
  ];
  for (const [day, isClosed, isUncertain] of days) {
    test(`on ${day} it is ${isClosed ? "closed" : "open"}${isUncertain ? ", or so it is thought" : ""}`, () => {
      const [road] = seasonalRoads(pass ? [pass] : [], roads, day);
      assert.deepEqual([road?.isClosed, road?.isUncertain], [isClosed, isUncertain]);
    });
  }

  test("near the change a journey over it asks for confirmation, and says why", async () => {
    const at = (day: string) => new Date(`${day}T10:00:00Z`);
    const stops = ["west", "north"].map(aStop);
    const doubtsOn = async (day: string) => (await router.measure(stops, at(day), signal)).doubts;
    assert.deepEqual(await doubtsOn("2027-07-15"), []);
    assert.deepEqual(await doubtsOn("2027-01-15"), []);
    const said = [
      "High Pass is usually closed from 1 November to 31 May; the pickup lies within three weeks of that change.",
    ];
    assert.deepEqual(await doubtsOn("2027-06-10"), said, "it may still be closed");
    assert.deepEqual(await doubtsOn("2027-05-20"), said, "it may be open by then");
    assert.deepEqual(
      (await router.measure(["west", "east"].map(aStop), at("2027-06-10"), signal)).doubts,
      [],
    );
  });

  test("the conditions of a day name it while it is closed, and the train that is taken instead", () => {
    const tell = createTellConditions(router, roads, "Europe/Zurich");
    const winter = tell(["west", "north"].map(aStop), new Date("2027-01-15T10:00:00Z"));
    assert.deepEqual(
      winter.closed.map(({ name, closedFrom, closedTo }) => [name, closedFrom, closedTo]),
      [["High Pass", "11-01", "05-31"]],
    );
    assert.deepEqual(winter.carTrains, ["Deep car train"]);
    const summer = tell(["west", "north"].map(aStop), new Date("2027-07-15T10:00:00Z"));
    assert.deepEqual(summer, { closed: [], carTrains: [] });
    assert.deepEqual(tell(["west", "island"].map(aStop), new Date()), { closed: [], carTrains: [] });
  });
});

test("days are spoken as people do", () => {
  assert.deepEqual(["11-05", "02-29", "06-01"].map(dayName), ["5 November", "29 February", "1 June"]);
});

test("a leg far longer than the crow flies asks for confirmation, a short hop does not", async () => {
  const detour = aRoadNetwork({ edges: [{ from: "west", to: "middle", km: 60, minutes: 60 }] });
  const at = (id: string) => ({ ...aStop(id), lat: 46, lng: id === "west" ? 7 : 7.2 });
  const { doubts } = await createEmbeddedRouter(detour, "Europe/Zurich").measure(
    [at("west"), at("middle")],
    new Date("2027-07-15T10:00:00Z"),
    signal,
  );
  assert.deepEqual(doubts, ["The way from west to middle is 3.9 times as long as the crow flies."]);
  const near = { ...at("middle"), lng: 7.03 };
  const hop = await createEmbeddedRouter(detour, "Europe/Zurich").measure(
    [at("west"), near],
    new Date("2027-07-15T10:00:00Z"),
    signal,
  );
  assert.deepEqual(hop.doubts, []);
});
