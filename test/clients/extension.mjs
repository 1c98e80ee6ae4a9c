import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { connected, journey } from "./journey.mjs";
import { emptyEnvironment, packagePath } from "./server.mjs";

const MCPB = packagePath("@anthropic-ai/mcpb/dist/cli/cli.js");

export const checks = [
  {
    client: "MCPB, of Claude Desktop's extensions",
    from: "@anthropic-ai/mcpb",
    does: "packed, validated and unpacked: journey over stdio as the manifest says",
    async run({ root }) {
      const folder = mkdtempSync(join(tmpdir(), "transfer-quote-extension-"));
      const [written, file, unpacked] = ["written", "a.mcpb", "unpacked"].map((name) => join(folder, name));
      const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: "pipe" });
      run("--import", "tsx", "scripts/write-extension.ts", written);
      run(MCPB, "validate", join(written, "manifest.json"));
      run(MCPB, "pack", written, file);
      run(MCPB, "unpack", file, unpacked);
      const { server } = JSON.parse(readFileSync(join(unpacked, "manifest.json"), "utf8"));
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as the host replaces it
      const args = server.mcp_config.args.map((arg) => arg.replace("${__dirname}", unpacked));
      const target = { command: process.execPath, args, env: emptyEnvironment(), stderr: "ignore" };
      const client = new Client({ name: "journeys", version: "1.0.0" });
      await journey(await connected(client, new StdioClientTransport(target)));
    },
  },
];
