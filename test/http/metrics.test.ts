import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aService, request, type TestService } from "../support/service.ts";

/** A sample; metrics are rendered at most once a second, so a test reads them once. */
async function samplesOf({ publicUrl }: TestService): Promise<(name: string) => number> {
  const { text } = await request(`${publicUrl}/metrics`);
  return (name) =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.split(" ")[1],
    );
}

const stage = (name: string) => `transfer_stage_duration_seconds_count{stage="${name}"}`;

suite("metrics", () => {
  test("time the stages of calls", async (t) => {
    const service = await aService(t);
    const token = await service.token();
    const body = aQuoteRequest({ return_datetime: "2026-12-10T14:00:00+01:00" });
    const quote = await service.api("/quotes", { token, body });
    assert.equal(quote.status, 201, quote.text);
    await service.api(`/quotes/${quote.body.quote_id}`, { token });
    await service.api("/quote-intents", { body: aQuoteRequest({ origin: "nowhere that anybody knows" }) });
    const sampleOf = await samplesOf(service);
    assert.deepEqual(
      ["authentication", "places", "routing", "pricing", "store"].map((name) => [name, sampleOf(stage(name))]),
      [
        ["authentication", 2],
        ["places", 2],
        ["routing", 2],
        ["pricing", 1],
        ["store", 2],
      ],
    );
    assert.ok(sampleOf('transfer_stage_duration_seconds_sum{stage="store"}') > 0);
  });

  test("report which dependencies work", async (t) => {
    const env = { TRANSFER_GEOCODER: "photon", TRANSFER_GEOCODER_URL: "http://127.0.0.1:1" };
    const sampleOf = await samplesOf(await aService(t, { env }));
    const up = (name: string) => sampleOf(`transfer_dependency_up{dependency="${name}"}`);
    assert.deepEqual([up("quotes"), up("identity"), up("router"), up("geocoder")], [1, 1, 1, 0]);
  });
});
