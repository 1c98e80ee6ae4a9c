import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../../support/journey-fixture.ts";
import { aService, request } from "../../support/service.ts";

test("a flood of documents or metrics is answered 429 after a second, and calls and probes as usual", async (t) => {
  const { publicUrl, api, token } = await aService(t);
  for (const path of ["/openapi.json", "/metrics"]) {
    const started = performance.now();
    const flood = Array.from({ length: 300 }, async () => {
      const response = await fetch(`${publicUrl}${path}`);
      const body = response.status === 429 ? ((await response.json()) as { code: string }) : undefined;
      return { status: response.status, after: response.headers.get("retry-after"), code: body?.code };
    });
    assert.equal((await request(`${publicUrl}/healthz`)).status, 200);
    assert.equal((await api("/quotes", { token: await token(), body: aQuoteRequest() })).status, 201);
    const answers = await Promise.all(flood);
    const seconds = Math.ceil((performance.now() - started) / 1_000);
    const refused = answers.filter(({ status }) => status === 429);
    // A busy machine takes more than a second to send them.
    assert.ok(answers.length - refused.length <= 100 * seconds, `${refused.length} refused in ${seconds} s`);
    assert.ok(answers.length - refused.length >= 100, `${refused.length} refused`);
    for (const { after, code } of refused) assert.deepEqual([after, code], ["1", "RATE_LIMITED"]);
  }
});
