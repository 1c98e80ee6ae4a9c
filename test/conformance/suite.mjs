import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { browse, newerNode, packagePath, startProxy, startServer } from "./server.mjs";

const SUITE = packagePath("@modelcontextprotocol/conformance/dist/index.js");
const BASELINE = fileURLToPath(new URL("baseline.yml", import.meta.url));
const REVISIONS = ["2025-11-25", "2026-07-28"];
// Below the ports that systems give to connections, which may have any of those.
const PROXY_PORT = 23417;
const CALLBACK_PORT = 23418;

/** What the suite requires of servers in both revisions, and of authorization servers. Resolves with the failures. */
export async function checkConformance(cli) {
  const results = mkdtempSync(join(tmpdir(), "transfer-quote-conformance-results-"));
  const allowed = [`localhost:${PROXY_PORT}`, `127.0.0.1:${PROXY_PORT}`];
  const server = await startServer(cli, {
    TRANSFER_ALLOWED_HOSTS: allowed.join(),
    TRANSFER_ALLOWED_ORIGINS: allowed.map((host) => `http://${host}`).join(),
  });
  // The suite cannot authenticate itself.
  const authorization = `Bearer ${server.token}`;
  const route = (headers) => ({ origin: server.url, headers: { ...headers, authorization } });
  const proxy = await startProxy(route, PROXY_PORT);
  const failures = [];
  try {
    for (const revision of REVISIONS) {
      const target = ["--url", `http://localhost:${PROXY_PORT}/mcp`, "--requirements", revision];
      const run = await runSuite(["server", ...target, "--expected-failures", BASELINE, "-o", results]);
      report(`conformance of the server, ${revision}`, run);
    }
    const issuer = ["--url", `${server.url}/dev-auth`, "--resource", `${server.url}/mcp`];
    const client = ["--client-id", server.clientId, "--client-secret", server.clientSecret];
    const options = [...issuer, ...client, "-p", String(CALLBACK_PORT), "-o", results];
    report("conformance of the development issuer", await runSuite(["authorization", ...options]));
    return failures;
  } finally {
    proxy.close();
    await server.close();
    rmSync(results, { recursive: true, force: true });
  }

  function report(name, { code, text }) {
    const [summary = text] = /(Unexpected failures|Stale baseline|=== SUMMARY)[\s\S]*/.exec(text) ?? [];
    const ok = code === 0 && /\d+ passed/.test(summary);
    process.stdout.write(`${ok ? "✔" : "✖"} ${name}\n`);
    if (!ok) failures.push(`${name}: exit code ${code}\n${summary}`);
  }
}

/** Runs the suite to its end; where it waits for a person to authorize it, this does. */
async function runSuite(args) {
  const child = spawn(newerNode, [SUITE, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  let authorized = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      // A whole line: a chunk may end within the address.
      const [, authorizationUrl] = /^(http:\S+response_type=code\S+)\n/m.exec(text) ?? [];
      if (authorized || !authorizationUrl || !text.includes("Callback server started")) return;
      authorized = true;
      browse(authorizationUrl).catch(() => child.kill());
    });
  }
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, text })));
}
