import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { emptyEnvironment } from "./server.mjs";

/** Connects, prints the server's process id, and lives until it is killed. */
const HOST = `
  import { Client } from "@modelcontextprotocol/sdk/client/index.js";
  import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
  const transport = new StdioClientTransport({ command: process.execPath, args: [process.argv[1]], env: process.env });
  await new Client({ name: "host", version: "1.0.0" }).connect(transport);
  process.stdout.write(String(transport.pid));
`;
const LONGEST_MS = 2_000;

export const checks = [
  {
    client: "SDK 1.x for TypeScript",
    from: "@modelcontextprotocol/sdk",
    does: "a host that is killed: the server ends within 2 s",
    async run({ cli }) {
      const host = spawn(process.execPath, ["--input-type=module", "-e", HOST, cli], {
        cwd: dirname(fileURLToPath(import.meta.url)),
        env: emptyEnvironment(),
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [pid] = await once(host.stdout, "data");
      host.kill("SIGKILL");
      const killed = performance.now();
      while (isRunning(pid)) {
        assert.ok(performance.now() - killed < LONGEST_MS, `${pid} still runs`);
        await sleep(20);
      }
    },
  },
];

function isRunning(pid) {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, "utf8"));
}
