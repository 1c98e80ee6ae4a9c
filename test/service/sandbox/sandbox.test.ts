import assert from "node:assert/strict";
import { join } from "node:path";
import { suite, test } from "node:test";
import { rehearsals } from "../../../src/service/sandbox/rehearsals.ts";
import { aQuoteRequest, asCreated } from "../../support/journey-fixture.ts";
import { aFolder, wholeFile } from "../../support/lifetime.ts";
import { savedSales } from "../../support/lowdb-store.ts";
import type { Fields } from "../../support/mcp-client.ts";
import { aRateLimiter } from "../../support/rate-limiter.ts";
import { aRecordingLog } from "../../support/recording-log.ts";
import { type ApiAnswer, aService, request, type TestService } from "../../support/service.ts";

const OFF = { TRANSFER_SANDBOX: "false" };
const limiter = aRateLimiter();
const service = await aService(wholeFile, { limiter });
const off = await aService(wholeFile, { limiter, env: OFF });

async function quoted(by: TestService, change: object): Promise<ApiAnswer> {
  return by.api("/quotes", { token: await by.token(), body: aQuoteRequest({ ...change }) });
}

async function handedOver(by: TestService, { quote_id, options }: Fields): Promise<ApiAnswer> {
  const body = { quote_id, fleet_id: options[0].fleet_id, traveler_approval: true };
  return by.api("/checkout-sessions", { token: await by.token(), body });
}

/** What the traveler's page asks for. */
const linked = (by: TestService, checkoutUrl: string, quoteId: string) =>
  by.api(`/checkout-sessions/${quoteId}${new URL(checkoutUrl).search}`);
/** Real places that names of the sandbox stood for. */
const rehearsedPlaces = ({ limitations }: Fields): readonly string[] =>
  limitations.flatMap((text: string) => /^Rehearsal: .* the sandbox priced (.*)\. No car/.exec(text)?.[1] ?? []);
const coded = ({ status, body }: ApiAnswer) => [status, body.code];

suite("a name of the sandbox", () => {
  test("is priced as the real place that it names", async () => {
    const { body } = await quoted(service, { destination: "Sandbox: pass avoided" });
    const [place] = rehearsedPlaces(body);
    const real = (await quoted(off, { destination: place })).body;
    assert.deepEqual(body.options, real.options);
    assert.equal(body.route_basis.route_fingerprint, real.route_basis.route_fingerprint);
    const [marked, ...others] = body.limitations;
    assert.equal(marked, `Rehearsal: for "Sandbox: pass avoided" the sandbox priced ${place}. No car will come.`);
    assert.deepEqual(
      others.filter((text: string) => !text.startsWith("Sandbox Pass")),
      real.limitations,
    );
  });

  test("stands for a place of a corridor with the other end, and never for a place that the journey has", async () => {
    const ofCorridor = await quoted(service, { origin: "Sandbox: on request", destination: "Verbier" });
    const [origin] = rehearsedPlaces(ofCorridor.body);
    assert.equal((await service.api(`/routes?origin=${origin}&destination=Verbier`)).status, 200);
    const ends = { origin: "Sandbox: on request", destination: "SANDBOX checkout disabled" };
    const both = await quoted(service, {
      ...ends,
      waypoints: [{ name: "sandbox, pass avoided" }, { name: "Lucerne" }],
    });
    assert.equal(both.status, 201, both.text);
    assert.deepEqual([both.body.origin, both.body.destination], [ends.origin, ends.destination]);
    assert.deepEqual(
      both.body.waypoints.map(({ name }: Fields) => name),
      ["sandbox, pass avoided", "Lucerne"],
    );
    assert.equal(new Set([...rehearsedPlaces(both.body), "Lucerne"]).size, 4);
  });

  test("is only a label where a stop has coordinates", async () => {
    const stop = { name: "Sandbox: forbidden", lat: 47.0502, lng: 8.3093 };
    const { status, body } = await quoted(service, { waypoints: [stop] });
    assert.equal(status, 201, body.detail);
    assert.deepEqual(rehearsedPlaces(body), []);
  });

  test("comes after authentication and budget", async () => {
    const body = aQuoteRequest({ destination: "Sandbox: forbidden" });
    assert.deepEqual(coded(await service.api("/quotes", { body })), [401, "AUTHENTICATION_REQUIRED"]);
    const ONE = aRateLimiter({ quote_authoritative: { points: 1, seconds: 60 } });
    const limited = await aService(wholeFile, { limiter: ONE });
    assert.deepEqual(coded(await quoted(limited, { destination: "Sandbox: forbidden" })), [403, "FORBIDDEN"]);
    const { body: second } = await quoted(limited, { destination: "Sandbox: forbidden" });
    assert.equal(second.code, "RATE_LIMITED");
    assert.doesNotMatch(second.detail, /Rehearsal/);
  });
});

suite("a quote of the sandbox", () => {
  test("reveals nothing to others", async () => {
    const { body } = await quoted(service, { destination: "Sandbox: quote lost" });
    const unknown = await service.api("/quotes/q_0000000000000000000000", { token: await service.token() });
    const read = await service.api(`/quotes/${body.quote_id}`, { token: await service.token({ subject: "other" }) });
    assert.equal(read.body.detail, unknown.body.detail);
    const forged = await service.api(`/checkout-sessions/${body.quote_id}?fleet_id=1&sig=${"x".repeat(43)}`);
    assert.equal(forged.body.detail, unknown.body.detail);
  });

  test("is no sale, in the ledger and in the metrics", async (t) => {
    const own = await aService(t);
    const { body } = await quoted(own, { destination: "Sandbox: pass avoided" });
    const { checkout_url } = (await handedOver(own, body)).body;
    assert.equal((await linked(own, checkout_url, body.quote_id)).status, 200);
    await quoted(own, {});
    const sales = await savedSales(join(own.dataDir, "quotes", "serve"));
    assert.deepEqual(
      sales.map(({ type }) => type),
      ["quote.created"],
    );
    const { text } = await request(`${own.publicUrl}/metrics`);
    for (const [step, count] of Object.entries({ quote: 1, handoff: 0, opening: 0 }))
      assert.match(text, new RegExp(`^transfer_sales_total\\{step="${step}"\\} ${count}$`, "m"));
  });

  test("is worth nothing on a server without the sandbox, which serves the other quotes of the same store", async (t) => {
    const env = { TRANSFER_DATA_DIR: aFolder(t) };
    const on = await aService(t, { env });
    const rehearsed = (await quoted(on, { destination: "Sandbox: pass avoided" })).body;
    const ordinary = (await quoted(on, {})).body;
    const links = { rehearsed: "", ordinary: "" };
    links.rehearsed = (await handedOver(on, rehearsed)).body.checkout_url;
    links.ordinary = (await handedOver(on, ordinary)).body.checkout_url;
    await on.close();

    const without = await aService(t, { env: { ...env, ...OFF } });
    const token = await without.token();
    const read = (id: string) => without.api(`/quotes/${id}`, { token });
    for (const answer of [
      await read(rehearsed.quote_id),
      await handedOver(without, rehearsed),
      await linked(without, links.rehearsed, rehearsed.quote_id),
    ])
      assert.deepEqual(coded(answer), [404, "QUOTE_NOT_FOUND"]);
    assert.deepEqual(asCreated((await read(ordinary.quote_id)).body), ordinary);
    assert.equal((await handedOver(without, ordinary)).body.checkout_url.split("?")[1], links.ordinary.split("?")[1]);
    assert.equal((await linked(without, links.ordinary, ordinary.quote_id)).status, 200);
    const later = (await quoted(without, {})).body;
    await without.close();

    const again = await aService(t, { env });
    assert.equal((await linked(again, links.rehearsed, rehearsed.quote_id)).status, 200);
    const found = await again.api(`/quotes/${later.quote_id}`, { token: await again.token() });
    assert.deepEqual(asCreated(found.body), later);
  });
});

test("an external issuer is served without the sandbox, or with a warning", async (t) => {
  const issuer = {
    ...{ TRANSFER_AUTH_ISSUER: "https://id.example/", TRANSFER_AUTH_AUDIENCE: "https://api.example" },
    TRANSFER_ACCEPT_FAULTS: "true",
  };
  const body = aQuoteRequest({ destination: "Sandbox: forbidden" });
  for (const [env, code, warnings] of [
    [issuer, "INVALID_LOCATION", 0],
    [{ ...issuer, TRANSFER_SANDBOX: "true" }, "FORBIDDEN", 1],
  ] as const) {
    const { log, records } = aRecordingLog();
    const { api } = await aService(t, { env, log });
    assert.equal((await api("/quote-intents", { body })).body.code, code);
    assert.equal(records.filter(({ message }) => message.startsWith("TRANSFER_SANDBOX is true")).length, warnings);
  }
});

test("without the sandbox its names are unknown places, and nothing tells of it", async () => {
  const unknown = (await quoted(off, { destination: "Qwertz, Uiop" })).body;
  for (const { name } of rehearsals) {
    const { status, body } = await quoted(off, { destination: name });
    assert.deepEqual([status, { ...body, request_id: unknown.request_id }], [422, unknown], name);
  }
  for (const path of ["/", "/llms.txt", "/openapi.json"])
    assert.doesNotMatch((await request(off.publicUrl + path)).text, /sandbox/i, path);
  assert.equal((await request(`${off.publicUrl}/docs/sandbox`)).status, 404);
});

test("the sandbox is listed for people and agents", async () => {
  const page = (await request(`${service.publicUrl}/docs/sandbox`)).text;
  const agents = (await request(`${service.publicUrl}/llms.txt`)).text;
  for (const { name } of rehearsals) for (const text of [page, agents]) assert.ok(text.includes(name), name);
  for (const path of ["/", "/openapi.json"])
    assert.ok((await request(service.publicUrl + path)).text.includes("/docs/sandbox"), path);
});
