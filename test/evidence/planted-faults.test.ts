import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startIssuer } from "../support/issuer.ts";
import { PROMISES, type Promised } from "./history.ts";
import { judge } from "./judge.ts";
import { startLoad } from "./load.ts";
import { plantedFaults } from "./planted-faults.ts";
import { aPlantedService, type Plant } from "./planted-service.ts";
import { createRandom } from "./random.ts";
import { createTokens } from "./tokens.ts";

const POINTS = 10;
const MOST_CALLS = 20_000;
const LEAST_CALLS = 300;

/** What the judge finds, at the latest after so many calls; `isEnough` ends the load earlier. */
async function violationsUnder(t: TestContext, plant: Plant, isEnough: (found: readonly Promised[]) => boolean) {
  const issuer = await startIssuer(t);
  const url = await aPlantedService(t, issuer, POINTS, plant);
  const targets = [{ url, offsets: () => [0, 0] as const }];
  const { token } = createTokens(issuer);
  const load = startLoad({ targets, random: createRandom(1), token, points: POINTS, restMs: 2 });
  const budget = { points: POINTS, seconds: 60 };
  const found = () => judge({ calls: load.calls, processes: 1, budget, countingApart: [] });
  const promises = () => found().map(({ promise }) => promise);
  while (load.calls.length < LEAST_CALLS || (load.calls.length < MOST_CALLS && !isEnough(promises()))) await pause(100);
  await load.stop();
  await load.audit();
  return { found: found(), kinds: new Set(load.calls.map(({ kind }) => kind)) };
}

suite("planted faults", { timeout: 240_000 }, () => {
  test("none planted, nothing found", async (t) => {
    const { found, kinds } = await violationsUnder(t, {}, () => true);
    assert.deepEqual(found, []);
    assert.deepEqual([...kinds].sort(), ["charge", "create", "handoff", "read"]);
  });

  for (const { name, breaks, plant } of plantedFaults) {
    test(`finds "${breaks}" of ${name}`, async (t) => {
      const { found } = await violationsUnder(t, plant(), (promises) => promises.includes(breaks));
      assert.ok(
        found.some(({ promise }) => promise === breaks),
        JSON.stringify(found.slice(0, 5)),
      );
      assert.ok(PROMISES[breaks]);
    });
  }
});
