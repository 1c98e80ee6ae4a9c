import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createJwtVerifier } from "../../../src/adapters/identity/jwt-verifier.ts";
import { createRemoteKeys } from "../../../src/adapters/identity/remote-keys.ts";
import { silentLog } from "../../../src/ops/log.ts";
import { startIssuer } from "../../support/issuer.ts";
import { until } from "../../support/lifetime.ts";
import { aRecordingLog } from "../../support/recording-log.ts";

const UNAVAILABLE = { code: "UPSTREAM_UNAVAILABLE" };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A verifier whose keys come over HTTP, with a clock to set and what it logged. */
async function setUp(t: TestContext, timeoutMs = 60_000) {
  const time = { ms: Date.parse("2026-03-01T12:00:00Z") };
  const clock = { now: () => new Date(time.ms) };
  const issuer = await startIssuer(t, clock);
  const { log, records } = aRecordingLog();
  const keys = createRemoteKeys({ issuer: issuer.issuer, log, clock, timeoutMs });
  const verifier = createJwtVerifier({ issuer: issuer.issuer, audience: issuer.audience, keys, clock });
  let number = 0;
  /** A new token each time, so that none is remembered. */
  const verify = async (options = {}) => {
    number += 1;
    return (await verifier.verify(await issuer.sign({ jti: String(number) }, options)))?.subject;
  };
  return { issuer, time, records, keys, verify };
}

suite("remote keys: provider at hand", () => {
  test("fetches once for many tokens, even at the same time", async (t) => {
    const { issuer, verify } = await setUp(t);
    assert.equal(issuer.requests(), 0, "nothing is fetched before it is needed");
    const subjects = await Promise.all(Array.from({ length: 20 }, () => verify()));
    assert.deepEqual(new Set(subjects), new Set(["client-1"]));
    await verify({ alg: "RS256" });
    assert.equal(issuer.requests(), 1);
  });

  test("renews keys in the background after 10 minutes", async (t) => {
    const { issuer, time, verify } = await setUp(t);
    await verify();
    time.ms += 10 * MINUTE - 1;
    await verify();
    assert.equal(issuer.requests(), 1);
    time.ms += 1;
    const release = issuer.hold();
    await Promise.all([verify(), verify()]);
    await until(() => issuer.requests() === 2, "the request");
    await verify();
    assert.equal(release(), 1, "no caller waited for it");
    await verify();
    assert.equal(issuer.requests(), 2);
  });

  test("finds rotated keys at once, but asks for an unknown kid at most every 30 s", async (t) => {
    const { issuer, time, verify } = await setUp(t);
    await verify();
    time.ms += 30 * SECOND;
    await issuer.rotate();
    assert.deepEqual(await Promise.all([verify(), verify(), verify()]), ["client-1", "client-1", "client-1"]);
    assert.equal(issuer.requests(), 2);

    await issuer.rotate();
    time.ms += 30 * SECOND - 1;
    assert.equal(await verify(), undefined, "the provider was asked a moment ago");
    assert.equal(issuer.requests(), 2);
    time.ms += 1;
    assert.equal(await verify(), "client-1");
    assert.equal(issuer.requests(), 3);
  });

  test("tries all keys that fit a token without kid", async (t) => {
    const { issuer, verify } = await setUp(t);
    const old = await issuer.publicKey();
    await issuer.rotate();
    issuer.publish([old, await issuer.publicKey()]);
    assert.equal(await verify({ kid: null }), "client-1");
  });
});

suite("remote keys: where they are", () => {
  test("reads jwks_uri of the issuer's metadata", async (t) => {
    const { issuer, verify } = await setUp(t);
    issuer.describe({ issuer: issuer.issuer, jwks_uri: `${issuer.issuer}oauth2/v1/keys` });
    assert.equal(await verify(), "client-1");
    assert.deepEqual(issuer.paths(), ["/oauth2/v1/keys"]);
  });

  for (const [name, document] of Object.entries({
    "of another issuer": { issuer: "https://else.test/", jwks_uri: "https://else.test/keys" },
    "without jwks_uri": {},
    "with a jwks_uri that is no address": { jwks_uri: "keys" },
  })) {
    test(`reads .well-known/jwks.json where there is metadata ${name}`, async (t) => {
      const { issuer, verify } = await setUp(t);
      issuer.describe({ issuer: issuer.issuer, ...document });
      assert.equal(await verify(), "client-1");
      assert.deepEqual(issuer.paths(), ["/.well-known/jwks.json"]);
    });
  }

  test("a configured address wins over the metadata", async (t) => {
    const { issuer } = await setUp(t);
    issuer.describe({ issuer: issuer.issuer, jwks_uri: `${issuer.issuer}keys` });
    const keys = createRemoteKeys({ issuer: issuer.issuer, url: `${issuer.issuer}configured`, log: silentLog });
    await keys.check();
    assert.deepEqual(issuer.paths(), ["/configured"]);
  });
});

suite("remote keys: provider unavailable", () => {
  test("without keys nothing can be decided, and the provider is asked every 2 s at most", async (t) => {
    const { issuer, time, keys, verify } = await setUp(t);
    issuer.goDown();
    await Promise.all([verify(), verify(), verify()].map((call) => assert.rejects(call, UNAVAILABLE)));
    assert.equal(issuer.requests(), 1);
    time.ms += 2 * SECOND - 1;
    await assert.rejects(verify(), UNAVAILABLE);
    await assert.rejects(keys.check(), UNAVAILABLE);
    assert.equal(issuer.requests(), 1);
    time.ms += 1;
    await assert.rejects(verify(), UNAVAILABLE);
    assert.equal(issuer.requests(), 2);
    issuer.comeBack();
    time.ms += 2 * SECOND;
    assert.equal(await verify(), "client-1");
  });

  test("the last good keys stay in use, however old, and the provider is asked every 30 s at most", async (t) => {
    const { issuer, time, keys, records, verify } = await setUp(t);
    await verify();
    issuer.goDown();
    time.ms += 24 * 60 * MINUTE;
    assert.equal(await verify(), "client-1");
    await until(() => records.length === 1, "the failure");
    assert.equal(issuer.requests(), 2);
    for (let n = 0; n < 5; n += 1) assert.equal(await verify(), "client-1");
    await keys.check();
    time.ms += 30 * SECOND - 1;
    assert.equal(await verify(), "client-1");
    await sleep(50);
    assert.equal(issuer.requests(), 2);
    time.ms += 1;
    await verify();
    await until(() => issuer.requests() === 3, "the next request");
  });

  test("an unknown kid cannot be decided while the last fetch failed, and causes no more of them", async (t) => {
    const { issuer, time, verify } = await setUp(t);
    await verify();
    time.ms += 30 * SECOND;
    issuer.goDown();
    await issuer.rotate();
    for (let n = 0; n < 5; n += 1) await assert.rejects(verify(), UNAVAILABLE);
    assert.equal(issuer.requests(), 2);
    issuer.comeBack();
    await assert.rejects(verify(), UNAVAILABLE);
    time.ms += 30 * SECOND;
    assert.equal(await verify(), "client-1");
    assert.equal(await verify({ kid: "unknown" }), undefined, "the provider is back and does not know it");
  });

  test("one log line per outage, none with a token in it", async (t) => {
    const { issuer, time, records, verify } = await setUp(t);
    for (let outage = 1; outage <= 2; outage += 1) {
      issuer.goDown();
      time.ms += 30 * SECOND;
      for (let n = 0; n < 3; n += 1) {
        await verify({ kid: "unknown" }).catch(() => undefined);
        time.ms += 30 * SECOND;
      }
      issuer.comeBack();
      assert.equal(await verify({ kid: "unknown" }), undefined);
      assert.equal(records.filter(({ level }) => level === "warn").length, outage);
      assert.equal(records.filter(({ level }) => level === "info").length, outage);
    }
    assert.doesNotMatch(JSON.stringify(records), /eyJ/);
    assert.match(JSON.stringify(records), /jwks\.json/);
  });

  const faults: Record<string, (issuer: Awaited<ReturnType<typeof startIssuer>>) => void> = {
    "is too slow": (issuer) => void issuer.hold(),
    "answers 500": (issuer) => issuer.answer(500, '{"keys":[]}'),
    "answers an empty key set": (issuer) => issuer.answer(200, '{"keys":[]}'),
    "answers symmetric keys only": (issuer) => issuer.answer(200, '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}'),
    "answers a good key beside what is none": (issuer) => issuer.answer(200, '{"keys":[{"kty":"EC"},7]}'),
    "answers endlessly": (issuer) => issuer.answer(200, `{"keys":[],"x":"${"x".repeat(300_000)}"}`),
  };
  for (const [name, fault] of Object.entries(faults)) {
    test(`a provider that ${name} counts as unavailable`, async (t) => {
      const { issuer, time, records, verify } = await setUp(t, name === "is too slow" ? 1_000 : undefined);
      fault(issuer);
      await assert.rejects(verify(), UNAVAILABLE);
      issuer.comeBack();
      time.ms += 2 * SECOND;
      assert.equal(await verify(), "client-1");

      fault(issuer);
      time.ms += 10 * MINUTE;
      assert.equal(await verify(), "client-1", "the good keys are kept");
      await until(() => records.filter(({ level }) => level === "warn").length === 2, "the second warning");
      assert.equal(await verify(), "client-1");
    });
  }
});
