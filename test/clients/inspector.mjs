import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { journey, withServer } from "./journey.mjs";
import { emptyEnvironment, packagePath } from "./server.mjs";

const execute = promisify(execFile);
const CLI = packagePath("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const inspectorCli = { client: "MCP Inspector, command line", from: "@modelcontextprotocol/inspector" };

export const checks = [
  {
    ...inspectorCli,
    does: "`tools/list --strict` in both protocol eras: no warning",
    run: (project) =>
      withServer(project, async (server) => {
        for (const era of ["legacy", "modern"]) {
          const strict = ["--protocol-era", era, "--method", "tools/list", "--strict"];
          const { stderr } = await inspect([...overHttp(server), ...strict]);
          assert.doesNotMatch(stderr, /warning|error/i, stderr);
        }
      }),
  },
  {
    ...inspectorCli,
    does: "journey over HTTP",
    run: (project) => withServer(project, (server) => journey(inspected(overHttp(server)))),
  },
  {
    ...inspectorCli,
    does: "journey over stdio",
    run: ({ cli }) => journey(inspected(["--transport", "stdio", process.execPath, cli])),
  },
];

function overHttp({ endpoint, authorization }) {
  return ["--transport", "http", "--server-url", endpoint, "--header", `Authorization: ${authorization}`];
}

/** The command line connects anew for every call. Over stdio it passes HOME on, and the calls share a data folder there. */
function inspected(target) {
  const settings = emptyEnvironment();
  const env = { ...settings, HOME: settings.TRANSFER_DATA_DIR };
  const method = async (...args) => {
    const { stdout } = await inspect([...target, "--quiet", "--format", "json", ...args], env);
    const printed = JSON.parse(stdout);
    return printed.result ?? printed;
  };
  return {
    tools: async () => (await method("--method", "tools/list")).tools,
    call: (name, args) =>
      method("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)),
    async close() {},
  };
}

/** A tool's error is an exit code of its own. Without a keychain, Inspector warns about it. */
async function inspect(args, env = emptyEnvironment()) {
  const own = { ...env, MCP_INSPECTOR_SECRET_STORE: "memory" };
  return execute(process.execPath, [CLI, "--cli", ...args], { env: own }).catch((error) => {
    if (error.stdout?.includes('"isError":true')) return error;
    throw error;
  });
}
