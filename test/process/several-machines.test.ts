import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { tools } from "../../tools/tools.ts";
import { assertProblem } from "../support/assert-problem.ts";
import type { BuiltServer } from "../support/built-process.ts";
import { aCatalogWithBudgets } from "../support/catalog-folder.ts";
import { aRealJourney, asCreated } from "../support/journey-fixture.ts";
import { until } from "../support/lifetime.ts";
import { aFreePort, at, linkPath, machines, termsOf, whileServicesReply } from "../support/machines.ts";
import { connected } from "../support/mcp-client.ts";
import { noNginx, startNginx } from "../support/nginx.ts";
import { patientFetch } from "../support/patient-fetch.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { aDatabase, redisUrl, withRedis } from "../support/redis.ts";
import { request } from "../support/service.ts";

/** Turns a process that does not answer or end into a failure. */
const WAITS = { timeout: 120_000 };
const TEN = { points: 10, seconds: 600 };

const define = () =>
  test("two processes on one database and one Redis", WAITS, async (t) => {
    const shared = await machines(t, {
      databaseUrl: await aSchema(t),
      redisUrl: await aDatabase(t),
      catalogDir: aCatalogWithBudgets(t, { checkout: TEN }),
    });
    const servers = await Promise.all([shared.start(), shared.start()]);
    /** Each call goes to the next process. */
    let calls = 0;
    const next = (): BuiltServer => {
      const server = servers[calls % servers.length];
      calls += 1;
      assert.ok(server);
      return server;
    };

    const withReplies = (name: string, work: () => Promise<void>) =>
      t.test(name, () => whileServicesReply(servers, work));

    await withReplies("share one budget of ten calls over REST and MCP", async () => {
      const token = await shared.token();
      const { body: quote } = await at(next(), "/quotes", { token, body: aRealJourney() });
      const handoff = () => at(next(), "/checkout-sessions", { token, body: termsOf(quote) });
      const answers = await Promise.all(Array.from({ length: 30 }, handoff));
      assert.equal(answers.filter(({ status }) => status === 200).length, 10);
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        assertProblem(answer, { status: 429, code: "RATE_LIMITED" });
      }
      const { problem } = await roundRobinClient(t, token, next);
      for (const _ of servers) {
        assert.equal((await problem("create_checkout_handoff", termsOf(quote))).code, "RATE_LIMITED");
      }
    });

    await withReplies("answer any MCP call, whichever process answered the one before", async () => {
      const token = await shared.token();
      const { client, value } = await roundRobinClient(t, token, next);
      assert.equal((await client.listTools()).tools.length, tools.length);
      const quote = await value("create_transfer_quote", aRealJourney());
      const { quote_id } = quote;
      for (const _ of servers) assert.deepEqual(asCreated(await value("get_transfer_quote", { quote_id })), quote);
      const otherCaller = await roundRobinClient(t, await shared.token(), next);
      for (const _ of servers)
        assert.equal((await otherCaller.problem("get_transfer_quote", { quote_id })).code, "QUOTE_NOT_FOUND");
    });

    await withReplies("open each other's checkout links", async () => {
      const token = await shared.token();
      const { body: quote } = await at(next(), "/quotes", { token, body: aRealJourney() });
      const { body: handoff } = await at(next(), "/checkout-sessions", { token, body: termsOf(quote) });
      for (const server of servers)
        assert.equal((await at(server, linkPath(handoff))).body.total_price, handoff.total_price);
    });
  });

await withPostgres("two processes", () => withRedis("two processes", define));

/** The official client of all processes, with requests distributed round-robin behind one address. */
function roundRobinClient(t: TestContext, token: string, next: () => BuiltServer) {
  const transport = new StreamableHTTPClientTransport(new URL(`${next().publicUrl}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
    fetch: (url, init) => patientFetch(new URL(new URL(url).pathname, next().publicUrl), init),
  });
  return connected(t, transport);
}

const CALLERS = 4;
/** How many calls a process has to answer while the other one is stopped, and before and after the restarts. */
const CALLS_BETWEEN = 8;

await withPostgres("a rolling restart behind nginx", () => {
  test("a rolling restart behind nginx fails no call", { skip: noNginx, ...WAITS }, async (t) => {
    const shared = await machines(t, { databaseUrl: await aSchema(t), redisUrl, catalogDir: aCatalogWithBudgets(t) });
    const ports = [await aFreePort(), await aFreePort()];
    const env = (port: number) => ({ TRANSFER_HTTP_PORT: String(port), TRANSFER_DRAIN_SECONDS: "1" });
    const servers = await Promise.all(ports.map((port) => shared.start(env(port))));
    const { publicUrl } = await startNginx(t, ports);
    const token = await shared.token();
    const statuses = new Map<number | string, number>();
    let isOn = true;
    t.after(() => {
      isOn = false;
    });
    const callers = Promise.all(Array.from({ length: CALLERS }, callOnAndOn));

    for (const server of servers) await answersMore(server);
    for (const [index, port] of ports.entries()) {
      assert.equal((await servers[index]?.stop())?.code, 0);
      const [other] = servers.filter((_, each) => each !== index);
      assert.ok(other);
      await answersMore(other);
      // The other one is restarted as soon as this one is ready, whether or not nginx has noticed.
      servers[index] = await shared.start(env(port));
    }
    for (const server of servers) await answersMore(server);
    isOn = false;
    await callers;

    assert.deepEqual([...statuses.keys()], [201], JSON.stringify([...statuses]));
    assert.ok((statuses.get(201) ?? 0) >= 5 * CALLS_BETWEEN, JSON.stringify([...statuses]));

    async function answersMore({ stderr }: BuiltServer): Promise<void> {
      const answered = () => stderr().split('"msg":"call"').length;
      const enough = answered() + CALLS_BETWEEN;
      await until(() => answered() >= enough, "a process answers calls through nginx");
    }

    async function callOnAndOn(): Promise<void> {
      while (isOn) {
        const body = aRealJourney();
        const answer = await request(`${publicUrl}/api/public/v1/quotes`, { token, body }).catch((error) => error);
        const status = answer.status ?? String(answer.cause ?? answer);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await pause(50);
      }
    }
  });
});
