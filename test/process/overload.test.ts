import assert from "node:assert/strict";
import { test } from "node:test";
import { startBuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { loadOf, metricOf } from "../support/raw-load.ts";

/** `npm run bench:overload` measures times and memory. */
test("64 busy connections are answered or rejected with a well-formed 503", { timeout: 60_000 }, async (t) => {
  const quote_authoritative = { points: 1_000_000_000, seconds: 60 };
  const TRANSFER_CATALOG_DIR = aCatalogWithBudgets(t, { quote_authoritative });
  const server = await startBuiltServer(t, { TRANSFER_CATALOG_DIR });
  const load = loadOf(t, server, "/quotes", 64, 2_000);
  assert.equal((await fetch(`${server.publicUrl}/healthz`)).status, 200);
  const { statuses, malformed } = await load;
  assert.deepEqual(Object.keys(statuses).sort(), ["201", "503"]);
  assert.equal(malformed, 0);
  const shed = await metricOf(server, 'transfer_shed_total\\{reason="delay"\\}');
  assert.ok(shed >= (statuses["503"] ?? 0));
  // The request for the metrics itself.
  assert.equal(await metricOf(server, "transfer_calls_in_flight"), 1);
  assert.match(server.stderr(), /"overloaded: calls that would have to wait/);
});
