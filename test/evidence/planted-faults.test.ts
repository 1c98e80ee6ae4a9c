import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type RunningServer, startServer } from "../../src/operate/commands/serve.ts";
import { readConfig } from "../../src/operate/config/config.ts";
import { silentLog } from "../../src/ops/log.ts";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { createRandom } from "../support/random.ts";
import { aFolder } from "../support/temporary-folder.ts";
import { PROMISES, type Promised } from "./history.ts";
import { judge } from "./judge.ts";
import { startLoad } from "./load.ts";
import { type Plant, plantedFaults } from "./planted-faults.ts";

const BUDGET = { points: 10, seconds: 60 };
const MOST_CALLS = 20_000;
const LEAST_CALLS = 300;

/** Whether the load can end, by what has been found and the number of calls so far. */
type IsEnough = (found: readonly Promised[], calls: number) => boolean;

/** What the judge finds, at the latest after `MOST_CALLS`. */
async function violationsUnder(t: TestContext, plant: Plant, isEnough: IsEnough) {
  let server: RunningServer | undefined;
  // Registered before the folder's removal, which comes after it then.
  t.after(() => server?.close());
  const config = readConfig({
    TRANSFER_HTTP_PORT: "0",
    TRANSFER_DRAIN_SECONDS: "0",
    TRANSFER_DATA_DIR: aFolder(t),
    TRANSFER_CATALOG_DIR: aCatalogWithBudgets(t, { discovery: BUDGET }),
  });
  server = await startServer(config, { log: silentLog, ...plant });
  const { publicUrl, service } = server;
  const targets = [{ url: publicUrl, offsets: () => [0, 0] as const }];
  const token = async (subject: string) => (await service.identity.mint?.(subject, SCOPES, 24 * 3600)) ?? "";
  const load = startLoad({ targets, random: createRandom(), token, points: BUDGET.points, restMs: 2 });
  const found = () => judge({ calls: load.calls, processes: 1, budget: BUDGET, countingApart: [] });
  const promises = () => found().map(({ promise }) => promise);
  while (load.calls.length < MOST_CALLS && !isEnough(promises(), load.calls.length)) await pause(100);
  await load.stop();
  await load.audit();
  return { found: found(), kinds: new Set(load.calls.map(({ kind }) => kind)) };
}

suite("planted faults", { timeout: 240_000 }, () => {
  test("none planted, nothing found", async (t) => {
    const { found, kinds } = await violationsUnder(t, {}, (_found, calls) => calls >= LEAST_CALLS);
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
