import assert from "node:assert/strict";
import { test } from "node:test";
import { runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { SECRET } from "../support/machines.ts";
import { aSchema, aSchemaWithRole, asking, withPostgres } from "../support/postgres.ts";
import { request } from "../support/service.ts";
import { until } from "../support/until.ts";

const env = (url: string) => ({ TRANSFER_DATABASE_URL: url, TRANSFER_CHECKOUT_SECRET: SECRET });

await withPostgres("a server on a database", () => {
  test("is not ready while its role may not write, and ready once it may", async (t) => {
    const { url, role } = await aSchemaWithRole(t);
    const owner = await startBuiltServer(t, env(url));
    owner.child.kill("SIGTERM");
    await owner.ended;
    await role.may("SELECT");
    const server = await startBuiltServer(t, env(role.url));
    const readiness = () => request(`${server.publicUrl}/readyz`);
    const { status, body } = await readiness();
    assert.deepEqual([status, body.status, body.failing], [503, "unavailable", ["quotes"]]);
    const { token } = server;
    const quote = () => request(`${server.publicUrl}/api/public/v1/quotes`, { token, body: aRealJourney() });
    assert.equal((await quote()).body.code, "UPSTREAM_UNAVAILABLE");
    assert.match(server.stderr(), /may not write transfer_quotes/);
    await role.may("INSERT, UPDATE, DELETE");
    await until(async () => (await readiness()).status === 200, "the server is ready");
    assert.equal((await quote()).status, 201);
  });

  test("does not start on tables that a later version has changed", async (t) => {
    const url = await aSchema(t);
    const first = await startBuiltServer(t, env(url));
    await asking(url, "INSERT INTO transfer_migrations VALUES ('002-of-a-later-version', now())");
    const { code, stderr } = await runBuilt(t, ["serve", "--port", "0"], env(url));
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^TRANSFER_DATABASE_URL: [^\n]*"002-of-a-later-version"[^\n]*\n$/);
    // A rolling upgrade: processes of the earlier version serve until they are stopped.
    assert.equal((await request(`${first.publicUrl}/readyz`)).status, 200);
  });
});
