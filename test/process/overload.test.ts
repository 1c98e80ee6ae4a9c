import assert from "node:assert/strict";
import { test } from "node:test";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { loadOf, metricOf } from "../support/raw-load.ts";

/** `npm run bench:overload` measures times and memory. */
test("64 busy connections are answered or rejected with a well-formed 503", { timeout: 120_000 }, async (t) => {
  const quote_authoritative = { points: 1_000_000_000, seconds: 60 };
  const TRANSFER_CATALOG_DIR = aCatalogWithBudgets(t, { quote_authoritative });
  const server = await startBuiltServer(t, { TRANSFER_CATALOG_DIR });
  const seen = new Set<string>();
  let rejected = 0;
  // Until it is overloaded: where both share a busy machine, the load may need longer for that.
  while (rejected === 0) {
    const load = loadOf(t, server, "/quotes", 64, 2_000);
    assert.equal((await fetch(`${server.publicUrl}/healthz`)).status, 200);
    const { statuses, malformed } = await load;
    for (const status of Object.keys(statuses)) seen.add(status);
    rejected += statuses["503"] ?? 0;
    assert.equal(malformed, 0);
  }
  assert.deepEqual([...seen].sort(), ["201", "503"]);
  const shed = await metricOf(server, 'transfer_shed_total\\{reason="delay"\\}');
  assert.ok(shed >= rejected);
  // Nor is the request for the metrics counted.
  assert.equal(await metricOf(server, "transfer_calls_in_flight"), 0);
  // Lines are written in the background.
  await server.says(/"overloaded: calls that would have to wait/);
});
