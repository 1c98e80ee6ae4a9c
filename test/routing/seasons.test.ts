import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { textsOf } from "../../src/contract/notices.ts";
import { createEmbeddedRouter } from "../../src/routing/embedded-router.ts";
import { createRoadConditions, createRoadNetwork } from "../../src/routing/road-network.ts";
import { seasonalRoads } from "../../src/routing/timetable.ts";
import { inWords } from "../support/fake-router.ts";
import { aRoadNetwork, aStop } from "../support/road-fixture.ts";

const roads = aRoadNetwork();
const [pass] = roads.edges.filter(({ name }) => name === "High Pass");
const network = createRoadNetwork(roads, "Europe/Zurich");
const router = createEmbeddedRouter(network);
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
    test(`on ${day} it is ${isClosed ? "closed" : "open"}${isUncertain ? ", or may not be" : ""}`, () => {
      const [road] = seasonalRoads(pass ? [pass] : [], roads, day);
      assert.deepEqual([road?.isClosed, road?.isUncertain], [isClosed, isUncertain]);
    });
  }

  const measureOn = async (day: string, ...ends: string[]) =>
    inWords(await router.measure(ends.map(aStop), new Date(`${day}T10:00:00Z`), signal));

  test("near the change the route avoids it without a doubt, and a note says that it may shorten the drive", async () => {
    const note =
      "High Pass is usually closed from 1 November to 31 May. Within three weeks of these dates the route avoids it; if it is open, the drive may be shorter.";
    for (const [day, km, isNoted] of [
      ["2027-07-15", 45, false],
      ["2026-10-11", 38, true],
      ["2026-11-22", 38, true],
      ["2027-01-15", 38, false],
      ["2027-05-20", 38, true],
      ["2027-06-22", 38, true],
      ["2027-06-23", 45, false],
    ] as const) {
      const { distanceKm, doubts, notes } = await measureOn(day, "west", "north");
      assert.deepEqual([distanceKm, doubts, notes.includes(note)], [km, [], isNoted], day);
    }
    assert.deepEqual((await measureOn("2027-06-10", "west", "east")).notes, []);
  });

  test("near the change a place that no other road reaches needs confirmation, with the reason", async () => {
    const { distanceKm, doubts, notes } = await measureOn("2027-06-10", "west", "pass");
    assert.equal(distanceKm, 32.5);
    assert.deepEqual(doubts, [
      "High Pass is usually closed from 1 November to 31 May; the pickup is within three weeks of these dates.",
    ]);
    assert.deepEqual(notes, []);
    await assert.rejects(measureOn("2027-05-20", "west", "pass"), { code: "UNSUPPORTED_ROUTE" });
  });

  test("near the change a position beside it needs confirmation", async () => {
    const beside = aStop([46.05, 7.2]);
    const { doubts } = await router.measure([beside, aStop("west")], new Date("2027-06-10T10:00:00Z"), signal);
    assert.match(textsOf(doubts).join(), /^High Pass is usually closed .* within three weeks of these dates\.$/);
  });

  test("the conditions of a day name it while it is closed, and the train that is taken instead", () => {
    const conditions = createRoadConditions(network);
    const winter = conditions(["west", "north"].map(aStop), new Date("2027-01-15T10:00:00Z"));
    assert.deepEqual(
      winter.closed.map(({ name, closedFrom, closedTo }) => [name, closedFrom, closedTo]),
      [["High Pass", "11-01", "05-31"]],
    );
    assert.deepEqual(winter.carTrains, ["Deep car train"]);
    const summer = conditions(["west", "north"].map(aStop), new Date("2027-07-15T10:00:00Z"));
    assert.deepEqual(summer, { closed: [], carTrains: [] });
    assert.deepEqual(conditions(["west", "island"].map(aStop), new Date("2027-07-15T10:00:00Z")), {
      closed: [],
      carTrains: [],
    });
  });
});

test("a leg far longer than the straight line asks for confirmation, a short one does not", async () => {
  const detour = aRoadNetwork({ edges: [{ from: "west", to: "middle", km: 60, minutes: 60 }] });
  const at = (id: string) => ({ ...aStop(id), lat: 46, lng: id === "west" ? 7 : 7.2 });
  const { doubts } = await createEmbeddedRouter(createRoadNetwork(detour, "Europe/Zurich")).measure(
    [at("west"), at("middle")],
    new Date("2027-07-15T10:00:00Z"),
    signal,
  );
  assert.deepEqual(textsOf(doubts), ["The route from west to middle is 3.9 times as long as the straight line."]);
  const near = { ...at("middle"), lng: 7.03 };
  const hop = await createEmbeddedRouter(createRoadNetwork(detour, "Europe/Zurich")).measure(
    [at("west"), near],
    new Date("2027-07-15T10:00:00Z"),
    signal,
  );
  assert.deepEqual(hop.doubts, []);
});
