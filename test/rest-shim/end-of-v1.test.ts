import assert from "node:assert/strict";
import { test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService, request } from "../support/service.ts";

const ANNOUNCED = { TRANSFER_V1_DEPRECATED_AT: "2027-01-01T00:00:00Z", TRANSFER_V1_SUNSET_AT: "2027-04-01T00:00:00Z" };
const HEADERS = ["@1798761600", "Thu, 01 Apr 2027 00:00:00 GMT"];

test("sends Deprecation and Sunset on every v1 response, problems included, and nowhere else", async (t) => {
  const { api, token, publicUrl } = await aService(t, { env: ANNOUNCED });
  const bearer = await token();
  const answers = [
    await api("/vehicle-classes"),
    await api("/quotes", { token: bearer, body: aQuoteRequest() }),
    await api("/quotes", { body: aQuoteRequest() }),
    await api("/quotes", { method: "DELETE" }),
    await api("/quotes", { method: "OPTIONS" }),
    await api("/quotes", { text: "{" }),
    await api("/quotes", { text: "{}", headers: { "Content-Type": "text/plain" } }),
    await api("/quotes", { text: " ".repeat(200_000) }),
    await api("/nothing"),
    await api("/routes/%E0"),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 201, 401, 405, 204, 422, 415, 413, 404, 400],
  );
  for (const { headers, status } of answers) {
    assert.deepEqual([headers.get("deprecation"), headers.get("sunset")], HEADERS, `${status}`);
  }
  for (const path of ["/healthz", "/openapi.json", "/nothing"]) {
    const { headers } = await request(`${publicUrl}${path}`);
    assert.deepEqual([headers.get("deprecation"), headers.get("sunset")], [null, null], path);
  }
});
