import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "../support/assert-problem.ts";
import { aQuoteRequest } from "../support/journey-fixture.ts";
import { aRateLimiter } from "../support/rate-limiter.ts";
import { type ApiAnswer, aService } from "../support/service.ts";
import { storedEntries } from "../support/stored-entries.ts";
import { wholeFile } from "../support/whole-file.ts";
import { ACCEPTED, REFUSED, REFUSED_BY } from "./journey-bounds.ts";

const { api, token: tokenOf, dataDir } = await aService(wholeFile, { limiter: aRateLimiter() });

for (const path of ["/quotes", "/quote-intents"]) {
  test(`POST ${path} checks every bound of every field`, async (t) => {
    const token = path === "/quotes" ? await tokenOf() : undefined;
    const stored = storedEntries(dataDir).length;
    const send = (fields: object) => api(path, { token, body: { ...aQuoteRequest(), ...fields } });
    let priced = 0;

    for (const [what, fields, refusal] of ACCEPTED) {
      await t.test(`accepts ${what}`, async () => {
        const answer = await send(fields);
        if (refusal) return assert.equal(answer.body.code, refusal, answer.text);
        assert.equal(answer.status, path === "/quotes" ? 201 : 200, answer.text);
        if (path === "/quotes") priced += 1;
      });
    }
    for (const [field, fields] of [...REFUSED, ...REFUSED_BY[path as keyof typeof REFUSED_BY]]) {
      await t.test(`rejects ${JSON.stringify(fields).slice(0, 60)}`, async () => {
        assertProblem(await send(fields), { status: 422, code: "INVALID_REQUEST", fields: [field] });
      });
    }
    await t.test("rejects fields that would reach an object's prototype", async () => {
      const text = JSON.stringify(aQuoteRequest()).replace("{", '{"__proto__":{"passengers":9},');
      assertNames(await api(path, { token, text }), ["__proto__"]);
      const nested = JSON.stringify({ ...aQuoteRequest(), waypoints: [{ name: "Bern" }] }).replace(
        '{"name"',
        '{"__proto__":{},"name"',
      );
      assertNames(await api(path, { token, text: nested }), ["waypoints.0.__proto__"]);
    });
    await t.test("names every field that is wrong, and at most 50", async () => {
      const answer = await send({ origin: "", passengers: 0, color: "red", waypoints: [{ name: "", lat: 91 }] });
      assertNames(answer, ["origin", "passengers", "color", "waypoints.0.name", "waypoints.0.lat"]);
      const many = await send(Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`f${index}`, 1])));
      assert.equal(many.body.field_errors.length, 50);
    });
    assert.equal(storedEntries(dataDir).length - stored, priced, "only what was priced is stored");
  });
}

test("rejects an unknown booking type and names both known ones", async () => {
  const { body } = await api("/quote-intents", { body: aQuoteRequest({ booking_type: "shared" }) });
  assert.match(body.field_errors[0].message, /point_to_point.*hourly/);
});

test("truncates long names and values in problems", async () => {
  const long = "x".repeat(50_000);
  const stop = { name: "Bern", [long]: 1 };
  for (const fields of [{ booking_type: long }, { [long]: 1 }, { origin: long }, { waypoints: [stop] }]) {
    const refused = await api("/quote-intents", { body: aQuoteRequest(fields) });
    assertProblem(refused, { status: 422, code: "INVALID_REQUEST" });
    assert.ok(refused.text.length < 2_000, `${refused.text.length}`);
  }
});

test("names both readings of a local time that clocks show twice, and none of one that they skip", async () => {
  const CASES = [
    ["2027-10-31T02:30:00", "send 2027-10-31T02:30:00+02:00 or 2027-10-31T02:30:00+01:00, with the UTC offset of"],
    ["2027-03-28T02:30:00", "clocks of Europe/Zurich skip this time; send RFC 3339"],
  ] as const;
  for (const [pickup_datetime, says] of CASES) {
    const { body } = await api("/quote-intents", { body: aQuoteRequest({ pickup_datetime }) });
    assert.equal(body.code, "INVALID_DATETIME");
    assert.ok(
      body.field_errors[0].message.includes(`The UTC offset is missing; ${says}`),
      body.field_errors[0].message,
    );
    assert.match(body.next_action, /^Ask the traveler for the date and time, and send them with the UTC offset/);
  }
});

test("rejects numbers out of JSON's range", async () => {
  for (const number of ["1e400", "-1e400", "1e21", "9007199254740993"]) {
    const text = JSON.stringify(aQuoteRequest()).replace('"passengers":2', `"passengers":${number}`);
    assertNames(await api("/quote-intents", { text }), ["passengers"]);
  }
});

function assertNames(answer: ApiAnswer, fields: readonly string[]): void {
  assertProblem(answer, { status: 422, code: "INVALID_REQUEST", fields });
}
