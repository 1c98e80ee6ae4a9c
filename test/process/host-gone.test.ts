import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { suite, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BIN, cleanEnvironment, startBuilt, startBuiltServer, startProgram } from "../support/built-process.ts";
import { aFolder, until } from "../support/lifetime.ts";

const skip = process.platform === "linux" ? false : "reads /proc";
/** A server that does not end within two seconds, of which a busy machine makes more, stays for good. */
const WAITS = { timeout: 60_000 };
const INITIALIZE = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "host", version: "1" } },
});
/** Is answered on stdout, and logged on stderr at the level info. */
const CALL = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 2, method: "tools/call" },
  params: { name: "get_quote_requirements", arguments: {} },
});
/** A host that reads stdout and stderr of the command over pipes, prints its process id, and lives until it is killed. */
const HOST = `
  const { spawn } = require("node:child_process");
  const server = spawn(process.argv[1], process.argv.slice(2), { stdio: "pipe" });
  server.stdin.write(${JSON.stringify(`${INITIALIZE}\n`)});
  server.stdout.once("data", () => process.stdout.write(server.pid + "\\n"));
  server.stderr.resume();
`;

/** The server of a host that has been killed after the server's first answer. */
async function aServerWithoutHost(t: TestContext, args: readonly string[], env: Readonly<Record<string, string>>) {
  const settings = { TRANSFER_DATA_DIR: aFolder(t), TRANSFER_HTTP_PORT: "0", TRANSFER_DRAIN_SECONDS: "0", ...env };
  const command = [process.execPath, "-e", HOST, process.execPath, BIN, ...args];
  const host = startProgram(command, { env: cleanEnvironment(settings) });
  const pid = Number((await host.says(/^\d+\n/))[0]);
  t.after(() => isRunning(pid) && process.kill(pid, "SIGKILL"));
  await host.kill();
  return pid;
}

function isRunning(pid: number): boolean {
  try {
    // Nobody may have collected it yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

suite("a server whose host is gone", { skip, concurrency: 4 }, () => {
  for (const [command, level] of [
    ["stdio", "info"],
    ["serve", "silent"],
  ] as const)
    test(`ends over ${command}, log level ${level}`, WAITS, async (t) => {
      const pid = await aServerWithoutHost(t, [command], { TRANSFER_LOG_LEVEL: level });
      if (command === "serve") process.kill(pid, "SIGTERM");
      await until(() => !isRunning(pid), "the server has ended");
    });

  for (const [stream, level] of [
    ["stdout", "info"],
    ["stderr", "silent"],
  ] as const)
    test(`ends over stdio when its ${stream} is closed and it writes, log level ${level}`, WAITS, async (t) => {
      const { child, says, ended } = startBuilt(t, ["stdio"], { TRANSFER_LOG_LEVEL: level });
      child.stdin.write(`${INITIALIZE}\n`);
      await says(/"protocolVersion"/);
      child[stream].destroy();
      // Without this nothing would be written to stderr on the levels above.
      child.stdin.write(`${CALL}\n`);
      if (level === "silent") child.stdin.end();
      await ended;
    });

  test("ends at SIGTERM while a full pipe is not read", WAITS, async (t) => {
    const { child, says, ended } = startBuilt(t, ["stdio"], { TRANSFER_LOG_LEVEL: "info" });
    child.stdin.write(`${INITIALIZE}\n`);
    await says(/"protocolVersion"/);
    child.stderr.pause();
    child.stdin.write("not JSON\n".repeat(5_000));
    await sleep(500);
    child.kill("SIGTERM");
    await once(child, "exit");
    child.stderr.resume();
    await ended;
  });

  test("ends over HTTP when nobody reads its log any more", WAITS, async (t) => {
    const { child, publicUrl, ended } = await startBuiltServer(t, { TRANSFER_LOG_LEVEL: "info" });
    child.stderr.destroy();
    // Its log line, or an earlier one, ends the server.
    await fetch(`${publicUrl}/api/public/v1/vehicle-classes`).catch(() => {});
    await ended;
  });

  test('"check | head" ends without a word, and with no success that nobody has read', WAITS, async (t) => {
    const { child, ended, stderr } = startBuilt(t, ["check"]);
    child.stdout.destroy();
    assert.deepEqual([(await ended).code, stderr()], [128 + constants.signals.SIGPIPE, ""]);
  });
});
