import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { packageRoot } from "../../src/ops/package-root.ts";
import { aFolder } from "../support/temporary-folder.ts";

const skip = process.platform === "win32" ? "there are no signals on Windows" : false;

test("npm start serves and exits when npm exits, which forwards no signal", { skip, timeout: 120_000 }, async (t) => {
  const npm = spawn("npm", ["start"], {
    cwd: packageRoot,
    env: { ...process.env, TRANSFER_HTTP_PORT: "0", TRANSFER_DATA_DIR: aFolder(t) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  t.after(() => npm.kill("SIGKILL"));
  let said = "";
  for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes("curl -s")) break;
  }
  const [, publicUrl] = /REST +(http:\/\/[\d.:]+)/.exec(said) ?? assert.fail(said);
  const answers = () =>
    fetch(`${publicUrl}/healthz`).then(
      () => true,
      () => false,
    );
  assert.equal(await answers(), true);
  npm.kill("SIGTERM");
  await once(npm, "exit");
  for (let tries = 0; await answers(); tries += 1) {
    assert.ok(tries < 100, "it still serves");
    await sleep(100);
  }
});
