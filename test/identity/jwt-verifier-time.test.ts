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

  test("a token is genuine before and after it is valid, unless it is another's or for another service", async (t) => {
    const { issuer, verifier } = await aJwtVerifier(t);
    const isGenuine = async (claims: JWTPayload) => verifier.isGenuine(await issuer.sign(claims));
    assert.deepEqual(
      await Promise.all([{}, { exp: START_SECONDS - 3600 }, { nbf: START_SECONDS + 3600 }].map(isGenuine)),
      [true, true, true],
    );
    assert.deepEqual(
      await Promise.all(
        [{ iss: "https://else.test/" }, { aud: "https://else.test/" }, { exp: undefined }].map(isGenuine),
      ),
      [false, false, false],
    );
    const [header, payload] = (await issuer.sign()).split(".");
    assert.equal(await verifier.isGenuine(`${header}.${payload}.${"A".repeat(86)}`), false);
  });

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

  test("remembers a bounded number of tokens, the latest", async (t) => {
    const { issuer, verifier, asked } = await aJwtVerifier(t, { keepTokens: 20 });
    const tokens = await Promise.all(Array.from({ length: 21 }, (_, n) => issuer.sign({ sub: `client-${n}` })));
    for (const token of tokens) await verifier.verify(token);
    for (const token of tokens.slice(1)) await verifier.verify(token);
    assert.equal(asked.times, 21);
    await verifier.verify(tokens[0] ?? "");
    assert.equal(asked.times, 22);
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
});
