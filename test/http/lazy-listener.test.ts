import assert from "node:assert/strict";
import { test } from "node:test";
import { listen } from "../../src/http/http-server.ts";
import { createLazyListener } from "../../src/http/lazy-listener.ts";
import { silentLog } from "../../src/ops/log.ts";

test("a lazy listener loads once, with the first request, and tries again after a failure", async (t) => {
  let loads = 0;
  const server = await listen("127.0.0.1", 0);
  t.after(() => server.close(0));
  const load = async () => {
    loads += 1;
    if (loads === 1) throw new Error("a file is missing");
    return (_request: unknown, response: { end(text: string): unknown }) => void response.end("loaded");
  };
  server.serve(createLazyListener(load, silentLog));
  const get = () => fetch(`http://127.0.0.1:${server.port}/`);
  assert.equal(loads, 0);
  assert.equal((await get()).status, 500);
  const both = await Promise.all([get(), get()]);
  assert.deepEqual(await Promise.all(both.map((response) => response.text())), ["loaded", "loaded"]);
  assert.equal(loads, 2);
});
