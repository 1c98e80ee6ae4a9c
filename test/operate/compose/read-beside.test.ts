import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { CatalogError } from "../../../src/domain/catalog/finding.ts";
import { auditCatalog } from "../../../src/operate/audit/audit.ts";
import { answersOf, type CatalogPiece } from "../../../src/operate/compose/catalog-reader.ts";
import { checkedPricing } from "../../../src/operate/compose/embedded-pricing.ts";
import { readBeside } from "../../../src/operate/compose/read-beside.ts";
import { aCatalogFolder, changeCatalog, folderOf } from "../../support/catalog-folder.ts";
import { largeCatalog } from "../../support/large-catalog.ts";
import type { Fields } from "../../support/mcp-client.ts";

const WAITS = { timeout: 120_000 };

function withTariff(t: TestContext, change: (tariff: Fields) => void): string {
  const folder = aCatalogFolder(t);
  changeCatalog(folder, "tariff.json", change);
  return folder;
}

const large = (times: number) =>
  largeCatalog({ places: 1_250 * times, corridors: 80 * times, fares: 40 * times, sites: 200 * times });

suite("a catalog that is read beside the server", () => {
  test("is the one that a start reads, with the same faults", WAITS, async (t) => {
    const folder = withTariff(t, ({ rates }) => (rates.van.perKmRappen = 0));
    const [beside, start] = [await readBeside(folder), await checkedPricing(folder)];
    assert.deepEqual(beside.loaded.catalog, start.loaded.catalog);
    assert.deepEqual(beside.faults, start.faults);
    assert.ok(start.faults.some(({ path }) => path === "rates.van.perKmRappen"));
  });

  test("is refused with all mistakes of its schemas", WAITS, async (t) => {
    const folder = withTariff(t, (tariff) => Object.assign(tariff, { currency: "EUR", leadTimeHours: -1 }));
    await assert.rejects(readBeside(folder), (error) => {
      assert.ok(error instanceof CatalogError);
      assert.deepEqual(
        error.findings.map(({ path }) => path),
        ["currency", "leadTimeHours"],
      );
      return true;
    });
  });

  test("is handed over in pieces of at most 1,000 records", async (t) => {
    const counts = new Map<string, number>();
    for await (const answer of answersOf(folderOf(t, large(2)))) {
      // The header.
      if (!Array.isArray(answer)) continue;
      const [file, field, value] = answer as CatalogPiece;
      const records = Array.isArray(value) ? value.length : 0;
      assert.ok(records <= 1_000, `${file} ${field}: ${records}`);
      counts.set(file, (counts.get(file) ?? 0) + records);
    }
    assert.equal(counts.get("places/villages.json"), 2_500);
  });

  test("takes the server's thread for a small part of what a start takes, at once", WAITS, async (t) => {
    if (!existsSync(SCHEDULED)) return t.skip("the system does not count the time of a thread");
    const folder = folderOf(t, large(1));
    const before = threadMilliseconds();
    await checkedPricing(folder);
    const start = threadMilliseconds() - before;
    const turns: number[] = [];
    let isDone = false;
    const counting = (async () => {
      while (!isDone) {
        const begun = threadMilliseconds();
        await wait(1);
        turns.push(threadMilliseconds() - begun);
      }
    })();
    await readBeside(folder);
    isDone = true;
    await counting;
    const longest = Math.max(...turns);
    assert.ok(turns.length > 20 && longest < start / 4, `${longest.toFixed()} of ${start.toFixed()} ms`);
  });
});

test("twice the records are checked with at most twice the measurements", WAITS, async (t) => {
  const measurements = async (times: number) => {
    const { read, loaded } = await checkedPricing(folderOf(t, large(times)));
    let count = 0;
    const network = {
      ...loaded.roadNetwork,
      journey: (...args: Parameters<typeof loaded.roadNetwork.journey>) => {
        count += 1;
        return loaded.roadNetwork.journey(...args);
      },
    };
    auditCatalog({ ...read, places: loaded.places, network, now: new Date() });
    return count;
  };
  const [once, twice] = [await measurements(1), await measurements(2)];
  assert.ok(once > 40 && twice < 2.2 * once, `${once} and ${twice}`);
});

/** Time of the thread on a processor, which other processes do not lengthen. */
const SCHEDULED = "/proc/thread-self/schedstat";

function threadMilliseconds(): number {
  return Number(readFileSync(SCHEDULED, "utf8").split(" ")[0]) / 1e6;
}
