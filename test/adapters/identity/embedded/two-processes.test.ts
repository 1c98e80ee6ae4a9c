import assert from "node:assert/strict";
import { test } from "node:test";
import { revokeCredential } from "../../../../src/adapters/identity/embedded/credentials.ts";
import { openIssuerStore } from "../../../../src/operate/compose/compose-embedded-issuer.ts";
import { readConfig } from "../../../../src/operate/config/config.ts";
import { browse } from "../../../support/browser.ts";
import { REDIRECT } from "../../../support/development-issuer.ts";
import { anEmbeddedIssuer, authorizeUrl, issue } from "../../../support/embedded-issuer.ts";
import { aRealJourney } from "../../../support/journey-fixture.ts";
import { SECRET } from "../../../support/machines.ts";
import { aSchema, withPostgres } from "../../../support/postgres.ts";

await withPostgres("two processes of the embedded issuer on a database", () => {
  test("each goes on with what the other has begun, until the credential is revoked", async (t) => {
    const env = { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET };
    const [first, second] = await Promise.all([anEmbeddedIssuer(t, env), anEmbeddedIssuer(t, env)]);
    await issue(first.settings, "host", { kind: "redirect", redirects: [REDIRECT] });
    const jar = new Map();
    const { url, verifier } = authorizeUrl("host");
    const page = await first.consent(url, jar);
    const { location, text } = await browse(page.url, jar, second.send, "answer=allow");
    const redeem = {
      grant_type: "authorization_code",
      client_id: "host",
      code: location?.searchParams.get("code") ?? assert.fail(text),
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    };
    const { body } = await first.token(redeem);
    const quote = await second.api("/quotes", { token: body.access_token, body: aRealJourney() });
    assert.equal(quote.status, 201);
    const renew = (refresh_token = "") => ({ grant_type: "refresh_token", client_id: "host", refresh_token });
    const renewed = await second.token(renew(body.refresh_token));
    assert.equal(renewed.status, 200);
    const store = await openIssuerStore(readConfig(second.settings));
    assert.equal(await revokeCredential(store, "host", new Date()).finally(store.close), 1);
    for (const each of [first, second])
      assert.equal((await each.token(renew(renewed.body.refresh_token))).body.error, "invalid_client");
  });

  test("a code that is used at both at the same time gives tokens once at most", async (t) => {
    const env = { TRANSFER_DATABASE_URL: await aSchema(t), TRANSFER_CHECKOUT_SECRET: SECRET };
    const [first, second] = await Promise.all([anEmbeddedIssuer(t, env), anEmbeddedIssuer(t, env)]);
    await issue(first.settings, "host", { kind: "redirect", redirects: [REDIRECT] });
    const redeem = await first.code("host");
    const answers = await Promise.all([first, second, first, second].map(({ token }) => token(redeem)));
    const given = answers.filter(({ status }) => status === 200);
    assert.ok(given.length <= 1, `${given.length} were given tokens`);
    for (const { body } of given) {
      const ask = { grant_type: "refresh_token", client_id: "host", refresh_token: body.refresh_token ?? "" };
      assert.equal((await second.token(ask)).body.error, "invalid_grant");
    }
  });
});
