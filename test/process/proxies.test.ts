import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { suite, test } from "node:test";
import { packageRoot } from "../../src/ops/package-root.ts";
import { startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { until, wholeFile } from "../support/lifetime.ts";
import { aFreePort, termsOf } from "../support/machines.ts";
import { noNginx, startNginx } from "../support/nginx.ts";
import { answerTo } from "../support/raw-connection.ts";
import { request } from "../support/service.ts";

const WAITS = { timeout: 60_000 };
const server = await startBuiltServer(wholeFile);
const port = Number(new URL(server.publicUrl).port);

/** Ways to write a path that some server between reads as the same. */
function spellingsOf(path: string): readonly string[] {
  const name = path.slice(1);
  const [first = "", ...rest] = name;
  const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
  // biome-ignore format: several fit on a line
  return [
    path, `${path}/`, `${path}//`, `/${path}`, path.toUpperCase(), `/${first.toUpperCase()}${rest.join("")}`,
    `${path.toUpperCase()}/`, `${path}?x=1`, `${path}/?x=1`, `/${encoded(first)}${rest.join("")}`, `/${[...name].map(encoded).join("")}`,
    `/%2e${path}`, `/.${path}`, `/docs/..${path}`, `/docs/%2e%2e${path}`, `${path}/.`, `${path}%2f`, `${path};x`,
    `${path}#x`, `http://127.0.0.1${path}/`,
  ];
}

/** The status and body of a GET for exactly this target. */
async function get(t: Parameters<typeof answerTo>[0], at: number, target: string) {
  const answer = await answerTo(t, at, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  const [, status = ""] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? [];
  return { status: Number(status), answer };
}

const CONTENT = { "/metrics": "transfer_", "/readyz": '"dependencies"' };

for (const [path, content] of Object.entries(CONTENT))
  suite(`${path}, in twenty spellings`, () => {
    test("is served at its own path alone", WAITS, async (t) => {
      for (const target of spellingsOf(path)) {
        const { status, answer } = await get(t, port, target);
        const isOwn = target === path || target === `${path}?x=1` || target === `${path}#x`;
        assert.deepEqual([target, status === 200, answer.includes(content)], [target, isOwn, isOwn]);
      }
    });

    test("is not served through the documented nginx", { skip: noNginx, ...WAITS }, async (t) => {
      const nginx = await startNginx(t, [port, port]);
      for (const target of spellingsOf(path)) {
        const { status, answer } = await get(t, nginx.port, target);
        assert.ok(status >= 400 && status < 500, `${target}: ${status}`);
        assert.ok(!answer.includes(content), target);
      }
      assert.equal((await fetch(`${nginx.publicUrl}/healthz`)).status, 200);
    });

    // Caddy does not run here: its documentation says that it decodes and cleans a path and ignores case.
    test("is not served through the proxy of compose.yaml", () => {
      const [, patterns = ""] =
        /@internal path (.*)/.exec(readFileSync(join(packageRoot, "compose.yaml"), "utf8")) ?? [];
      const prefixes = patterns.split(" ").map((pattern) => {
        assert.ok(pattern.endsWith("*"), pattern);
        return pattern.slice(0, -1);
      });
      for (const target of spellingsOf(path)) {
        const [, path = ""] = /^(?:http:\/\/[^/]*)?([^?#]*)/.exec(target) ?? [];
        const cleaned = posix.normalize(decodeURIComponent(path)).toLowerCase();
        assert.ok(
          prefixes.some((prefix) => cleaned.startsWith(prefix)),
          target,
        );
      }
    });
  });

test("nginx logs the signature of no link", { skip: noNginx, ...WAITS }, async (t) => {
  const token = server.token;
  const { body: quote } = await request(`${server.publicUrl}/api/public/v1/quotes`, { token, body: aRealJourney() });
  const { body } = await request(`${server.publicUrl}/api/public/v1/checkout-sessions`, {
    token,
    body: termsOf(quote),
  });
  const { search } = new URL(body.checkout_url);
  const paths = ["/checkout", "/checkout/", `/api/public/v1/checkout-sessions/${quote.quote_id}`];
  const dead = await aFreePort();
  for (const ports of [
    [port, dead],
    [dead, dead],
  ]) {
    const { publicUrl, logs } = await startNginx(t, ports);
    for (const path of paths) {
      const { status } = await fetch(publicUrl + path + search, { headers: { Referer: publicUrl + path + search } });
      assert.equal(status, ports.includes(port) ? 200 : 502);
    }
    // Errors elsewhere are logged.
    await fetch(`${publicUrl}/docs`);
    // Each worker of nginx writes a line when its request has ended, in any order.
    await until(() => [...paths, "/docs"].every((path) => logs()[0]?.includes(path)), "the access log");
    const [access = "", error = ""] = logs();
    assert.ok(ports.includes(port) || error.includes("/docs"), error);
    assert.doesNotMatch(access + error, /sig=|quote_id=/);
  }
});
