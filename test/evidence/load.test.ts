import assert from "node:assert/strict";
import { test } from "node:test";
import { seenIn } from "./load.ts";

test("a quote without id or end is seen as that, which judges report", () => {
  for (const body of [{}, { expires_at: "soon" }]) {
    const { quoteId, quoteStatus, expiresAt } = seenIn(new Response(null, { status: 201 }), "{}", body, "create");
    assert.deepEqual([quoteId, quoteStatus, expiresAt], [null, null, null]);
  }
});
