import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { JWTPayload } from "jose";
import { aJwtVerifier, START, START_SECONDS } from "../support/jwt-verifier.ts";

suite("JWT verifier: time", () => {
  const boundaries: readonly (readonly [string, JWTPayload, boolean])[] = [
    ["exp 4 s ago", { exp: START_SECONDS - 4 }, true],
    ["exp 5 s ago", { exp: START_SECONDS - 5 }, false],
    ["nbf in 5 s", { nbf: START_SECONDS + 5 }, true],
    ["nbf in 6 s", { nbf: START_SECONDS + 6 }, false],
  ];
  for (const [name, claims, valid] of boundaries) {
    test(`${valid ? "accepts" : "refuses"} ${name}`, async (t) => {
      const { issuer, verifier } = await aJwtVerifier(t);
      assert.equal((await verifier.verify(await issuer.sign(claims))) !== undefined, valid);
    });
  }

  test("remembers a token for 5 minutes", async (t) => {
    const { issuer, verifier, time, asked } = await aJwtVerifier(t);
    const token = await issuer.sign();
    await verifier.verify(token);
    time.ms = START + 5 * 60_000 - 1;
    await verifier.verify(token);
    assert.equal(asked.times, 1);
    time.ms += 1;
    assert.equal((await verifier.verify(token))?.subject, "client-1");
    assert.equal(asked.times, 2);
  });

  test("never remembers a token past its exp", async (t) => {
    const { issuer, verifier, time, asked } = await aJwtVerifier(t);
    const token = await issuer.sign({ exp: START_SECONDS + 60 });
    await verifier.verify(token);
    time.ms = START + 59_999;
    await verifier.verify(token);
    assert.equal(asked.times, 1);
    time.ms = START + 60_000;
    assert.ok(await verifier.verify(token), "the tolerance still holds, by a full check");
    assert.equal(asked.times, 2);
    time.ms = START + 65_000;
    assert.equal(await verifier.verify(token), undefined);
  });

  test("checks again after the clock was set back", async (t) => {
    const { issuer, verifier, time, asked } = await aJwtVerifier(t);
    const token = await issuer.sign();
    await verifier.verify(token);
    time.ms = START - 1;
    await verifier.verify(token);
    assert.equal(asked.times, 2);
  });

  test("does not cache a rejected token", async (t) => {
    const { issuer, verifier, time } = await aJwtVerifier(t);
    const token = await issuer.sign({ nbf: START_SECONDS + 60 });
    assert.equal(await verifier.verify(token), undefined);
    time.ms += 60_000;
    assert.equal((await verifier.verify(token))?.subject, "client-1");
  });
});
