import assert from "node:assert/strict";
import { test } from "node:test";
import { API_BASE } from "../../src/http/api-base.ts";
import { aService } from "../support/service.ts";

const DISCOVERY = ["/vehicle-classes", "/services/transfers", "/policies/cancellation", "/quote-requirements"];
const DOCUMENTS = ["/openapi.json", "/docs", "/docs/errors/rate_limited", "/llms.txt"];

test("fixed answers and documents have an ETag and answer 304 to a client that has them", async (t) => {
  const { publicUrl } = await aService(t);
  for (const path of [...DISCOVERY.map((each) => `${API_BASE}${each}`), ...DOCUMENTS]) {
    const ask = (headers: Record<string, string> = {}) => fetch(`${publicUrl}${path}`, { headers });
    const first = await ask();
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^"[\w-]{43}"$/, path);
    assert.equal(first.headers.get("cache-control"), "no-cache");
    assert.ok((await first.text()).length > 100);

    const again = await ask({ "If-None-Match": etag });
    assert.equal(again.status, 304, path);
    assert.equal(await again.text(), "");
    assert.equal(again.headers.get("etag"), etag);
    assert.match(again.headers.get("x-request-id") ?? "", /^req_/);
    assert.equal((await ask({ "If-None-Match": '"another"' })).status, 200);

    const head = await fetch(`${publicUrl}${path}`, { method: "HEAD" });
    assert.equal(head.headers.get("etag"), etag);
    assert.equal(await head.text(), "");
  }
});

test("answers that depend on the request or the time have no ETag", async (t) => {
  const { api } = await aService(t);
  for (const path of ["/services/transfers?origin=ZRH", "/routes/zurich-airport-to-zermatt"]) {
    const { status, headers } = await api(path);
    assert.equal(status, 200);
    assert.equal(headers.get("etag"), null);
    assert.equal(headers.get("cache-control"), "no-store");
  }
});

test("a client that has an answer still uses its budget", async (t) => {
  const { api } = await aService(t);
  const { headers } = await api("/vehicle-classes");
  const known = { "If-None-Match": headers.get("etag") ?? "" };
  const statuses = new Set<number>();
  for (let call = 0; call < 200 && !statuses.has(429); call += 1)
    statuses.add((await api("/vehicle-classes", { headers: known })).status);
  assert.deepEqual([...statuses], [304, 429]);
});
