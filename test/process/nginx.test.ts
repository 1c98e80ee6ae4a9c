import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aCatalogWithBudgets } from "../support/catalog-with-budgets.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFreePort, machines } from "../support/machines.ts";
import { aSchema, withPostgres } from "../support/postgres.ts";
import { redisUrl } from "../support/redis.ts";
import { request } from "../support/service.ts";
import { aFolder } from "../support/temporary-folder.ts";

const skip = spawnSync("nginx", ["-v"]).error ? "nginx is not installed" : false;
const CALLERS = 4;
const SETTLE_MS = 1_500;

await withPostgres("a rolling restart behind nginx", () => {
  test("a rolling restart behind nginx fails no call", { skip, timeout: 120_000 }, async (t) => {
    const shared = await machines(t, { databaseUrl: await aSchema(t), redisUrl, catalogDir: aCatalogWithBudgets(t) });
    const ports = [await aFreePort(), await aFreePort()];
    const env = (port: number) => ({ TRANSFER_HTTP_PORT: String(port), TRANSFER_DRAIN_SECONDS: "1" });
    const servers = await Promise.all(ports.map((port) => shared.start(env(port))));
    const publicUrl = await startNginx(t, ports);
    const token = await shared.token();
    const statuses = new Map<number | string, number>();
    let isOn = true;
    const callers = Promise.all(Array.from({ length: CALLERS }, callOnAndOn));

    await pause(SETTLE_MS);
    for (const [index, port] of ports.entries()) {
      servers[index]?.child.kill("SIGTERM");
      const { code } = (await servers[index]?.ended) ?? {};
      assert.equal(code, 0);
      await pause(SETTLE_MS);
      servers[index] = await shared.start(env(port));
      await pause(SETTLE_MS);
    }
    isOn = false;
    await callers;

    assert.deepEqual([...statuses.keys()], [201], JSON.stringify([...statuses]));
    assert.ok((statuses.get(201) ?? 0) > 50, JSON.stringify([...statuses]));

    async function callOnAndOn(): Promise<void> {
      while (isOn) {
        const body = aRealJourney();
        const answer = await request(`${publicUrl}/api/public/v1/quotes`, { token, body }).catch((error) => error);
        const status = answer.status ?? String(answer.cause ?? answer);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        await pause(10);
      }
    }
  });
});

/** nginx with the documented configuration, in front of these ports. */
async function startNginx(t: TestContext, ports: readonly number[]): Promise<string> {
  const folder = aFolder(t);
  const port = await aFreePort();
  const documented = readFileSync(join(packageRoot, "docs/operations/nginx.conf"), "utf8");
  const own = documented
    .replace("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${ports[1]}`)
    .replace("127.0.0.1:8080", `127.0.0.1:${port}`)
    .replace("http {", `http {\n  access_log off;\n  client_body_temp_path ${folder}/body;`);
  const file = join(folder, "nginx.conf");
  writeFileSync(file, `daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\n${own}`);
  const child = spawn("nginx", ["-e", `${folder}/error.log`, "-p", folder, "-c", file], { stdio: "inherit" });
  t.after(async () => {
    const ended = once(child, "exit");
    child.kill("SIGQUIT");
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    if (await fetch(`${url}/healthz`).catch(() => undefined)) return url;
    await pause(50);
  }
  throw new Error("nginx does not answer");
}
