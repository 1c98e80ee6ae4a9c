import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { auth } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { browse } from "../support/browser.ts";
import { startBuilt } from "../support/built-process.ts";
import { runCommand } from "../support/command-line.ts";
import { REDIRECT } from "../support/development-issuer.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder } from "../support/lifetime.ts";
import { aFreePort } from "../support/machines.ts";
import { connected } from "../support/mcp-client.ts";
import { noNginx, startNginx } from "../support/nginx.ts";
import { anOAuthProvider } from "../support/oauth-client.ts";

/** The certificate of the proxy is one that it has signed itself. */
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";

test("behind nginx with TLS: set up by the commands, signed in, killed, restarted and revoked", {
  skip: noNginx,
}, async (t) => {
  const [port, dataDir] = [await aFreePort(), aFolder(t)];
  const { publicUrl } = await startNginx(t, [port, port], aCertificate(aFolder(t)));
  const env = {
    TRANSFER_HTTP_PORT: String(port),
    TRANSFER_DATA_DIR: dataDir,
    TRANSFER_PUBLIC_URL: publicUrl,
    TRANSFER_ISSUER: "embedded",
    TRANSFER_TRUST_PROXY: "loopback",
    TRANSFER_ACCEPT_FAULTS: "true",
  };
  const credentials = (...args: string[]) => runCommand(t, ["credentials", ...args], env);
  const check = async () => (await runCommand(t, ["check"], env)).stdout;
  assert.match(await check(), /sign-in +WARNING +0 credentials/);

  const partner = await credentials("add", "partner", "--machine");
  const [, secret = ""] = /client_secret +(\S{43}) +\(shown once\)/.exec(partner.stdout) ?? [];
  assert.ok(secret, partner.stdout + partner.stderr);
  assert.equal((await credentials("add", "app", "--redirect", REDIRECT)).code, 0);
  assert.equal((await credentials("add", "claude", "--host", "claude.ai")).code, 0);
  assert.match(await check(), /sign-in +ok +3 credentials/);
  const renewed = await credentials("renew", "partner");
  assert.match(renewed.stdout, /^client_id +partner\nclient_secret +\S{43} .*\ntoken_url +https:/);
  assert.ok(!renewed.stdout.includes(secret));
  const other = await credentials("renew", "app");
  assert.deepEqual([other.code, other.stderr], [1, 'no machine "app" is in force; see credentials list\n']);
  const { stdout: listed } = await credentials("list", "--json");
  assert.deepEqual(
    JSON.parse(listed).map(({ name, kind, for: what }: Record<string, string>) => [name, kind, what]),
    [
      ["app", "redirect", REDIRECT],
      ["claude", "host", "claude.ai"],
      ["partner", "machine", null],
    ],
  );

  const serve = async () => {
    const server = startBuilt(t, ["serve"], env);
    await server.says(/is ready\.[\s\S]*Tokens +from https:/);
    return server;
  };
  const killed = await serve();
  const authProvider = anOAuthProvider({ client: { client_id: "app" } });
  assert.equal(await auth(authProvider, { serverUrl: `${publicUrl}/mcp` }), "REDIRECT");
  const jar = new Map();
  const page = await browse(authProvider.authorizationUrl(), jar);
  const { location, text } = await browse(page.url, jar, fetch, "answer=allow");
  const code = location?.searchParams.get("code") ?? assert.fail(text);
  assert.equal(await auth(authProvider, { serverUrl: `${publicUrl}/mcp`, authorizationCode: code }), "AUTHORIZED");
  await killed.kill();

  const server = await serve();
  const transport = new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), { authProvider });
  const { value } = await connected(t, transport);
  const quote = await value("create_transfer_quote", aRealJourney());
  assert.ok(quote.quote_id);
  assert.equal(await auth(authProvider, { serverUrl: `${publicUrl}/mcp` }), "AUTHORIZED", "by the refresh token");
  const { refresh_token = "" } = (await authProvider.tokens()) ?? {};

  const revoked = await credentials("revoke", "app");
  assert.match(revoked.stdout, /^app is revoked, with 1 sign-in; /);
  const ask = { grant_type: "refresh_token", client_id: "app", refresh_token };
  const body = new URLSearchParams(ask);
  const refused = await fetch(`${publicUrl}/auth/oauth/token`, { method: "POST", body });
  assert.deepEqual([refused.status, ((await refused.json()) as { error: string }).error], [401, "invalid_client"]);
  assert.equal((await credentials("revoke", "app")).code, 1);
  assert.equal((await credentials("add", "app", "--machine")).code, 1);
  for (const each of [secret, refresh_token, code]) assert.ok(!server.stderr().includes(each));
});

/** Files of a key and a certificate for 127.0.0.1. */
function aCertificate(folder: string) {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const kind = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2".split(" ");
  execFileSync("openssl", [...kind, "-keyout", key, "-out", certificate, ...subject], { stdio: "pipe" });
  return { key, certificate };
}
