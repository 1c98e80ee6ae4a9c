import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { promisify } from "node:util";
import { commands } from "../../src/operate/commands/main.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { BIN, cleanEnvironment, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney } from "../support/journey-fixture.ts";
import { aFolder, wholeFile } from "../support/lifetime.ts";
import { request } from "../support/service.ts";

/** Turns a command that waits into a failure. */
const WAITS = { timeout: 120_000 };
const read = (file: string) => readFileSync(join(packageRoot, file), "utf8");
const pages = readdirSync(join(packageRoot, "docs"), { encoding: "utf8", recursive: true });
const documents = [
  ...["README.md", "CONTRIBUTING.md", "fixtures/catalog/README.md", "examples/checkout/README.md"],
  ...pages.filter((page) => page.endsWith(".md")).map((page) => `docs/${page}`),
];

interface Block {
  readonly document: string;
  readonly language: string;
  readonly text: string;
}

const blocks: readonly Block[] = documents.flatMap((document) =>
  [...read(document).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
    document,
    language,
    text,
  })),
);

/** Pages whose commands follow from each other: `test/process/company-sizes.test.ts` runs each as a whole. */
const IN_ORDER = ["laptop", "one-process", "several-processes"].map((page) => `docs/operations/${page}.md`);

/** Where commands are run that need the packages of others, or what this machine may not have. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^npm start\n$/, "test/process/serve.test.ts"],
  [/^npm run mcpb\n$/, "test/clients/extension.mjs"],
  [/^claude mcp add /, "nowhere: it stores the settings that test/clients/hosts.mjs gives to Claude Code"],
  [/^npx @modelcontextprotocol\/inspector@/, "test/clients/inspector.mjs"],
  [/^npx mcp-remote /, "test/clients/mcp-remote.mjs"],
  [
    /^export [\s\S]*docker compose /,
    "nowhere: it needs containers; test/containers/run.mjs checks their configuration",
  ],
  [/^docker build /, "test/process/image.test.ts"],
  [/^\w+\(\) \{ docker |^mkdir -p maps|^curl -LO /, "nowhere: it needs map data; docs/routing.md says so"],
  [/^npm run compare:roads/, "test/domain/routing/compare-roads.test.ts"],
  [/^transfer-quote-mcp events resend/, "test/operate/commands/events.test.ts"],
  [/^transfer-quote-mcp credentials add /, "test/process/embedded-issuer.test.ts"],
  [/^transfer-quote-mcp confirm /, "test/operate/commands/confirm.test.ts"],
  [/^env .* docs\/operations\/backup\.sh /, "test/process/company-sizes.test.ts"],
  [/^node docs\/rehearsal\.mjs /, "test/service/sandbox/rehearsals.test.ts"],
  [/^npm install\nSERVICE_URL=/, "test/examples/checkout.test.ts"],
];

const TRANSFER_DATA_DIR = aFolder(wholeFile);
const server = await startBuiltServer(wholeFile, { TRANSFER_DATA_DIR });
const { body: quote } = await request(`${server.publicUrl}/api/public/v1/quotes`, {
  token: server.token,
  body: aRealJourney({ origin: "Bern", destination: "Chur" }),
});
const env = cleanEnvironment({
  ...{ HOME: aFolder(wholeFile), TRANSFER_DATA_DIR, TRANSFER_LOG_LEVEL: "error" },
  TRANSFER_HTTP_PORT: new URL(server.publicUrl).port,
});

/** A folder that looks like a built clone, with the command of the package on the PATH. */
function aClone(): string {
  const folder = aFolder(wholeFile);
  for (const name of ["dist", "docs", "node_modules", "package.json"])
    symlinkSync(join(packageRoot, name), join(folder, name));
  const command = join(folder, "transfer-quote-mcp");
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`);
  chmodSync(command, 0o755);
  return folder;
}

/** With the addresses, the secret and the ids of this run. */
async function shell(script: string): Promise<string> {
  const text = script
    .replaceAll("http://127.0.0.1:3000", server.publicUrl)
    .replaceAll("q_Zk3vT0xqQm2nB8sYw1LdUA", quote.quote_id)
    .replace("420 --day 2026-12-03", `${quote.options[0].total_price} --day ${quote.pickup_datetime.slice(0, 10)}`)
    .replace("CLIENT_SECRET=...", `CLIENT_SECRET=${/client_secret (\S+)/.exec(server.welcome)?.[1]}`);
  const cwd = aClone();
  const options = { cwd, env: { ...env, PATH: `${cwd}:${env.PATH}` } };
  return (await promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", text], options)).stdout;
}

suite("every command of the documents", () => {
  for (const { document, language, text } of blocks.filter((block) => ["sh", "js", ""].includes(block.language))) {
    if (IN_ORDER.includes(document) || ELSEWHERE.some(([pattern]) => pattern.test(text))) continue;
    test(`${document}: ${text.split("\n", 1)[0]}`, WAITS, () => run(document, language, text));
  }

  test("names the files that run the others", () => {
    for (const [pattern, where] of ELSEWHERE) {
      assert.ok(where.startsWith("nowhere: ") || existsSync(join(packageRoot, where)), where);
      assert.ok(
        blocks.some(({ text }) => pattern.test(text)),
        `${pattern} is in no document`,
      );
    }
  });
});

async function run(document: string, language: string, text: string): Promise<void> {
  assert.notEqual(language, "", `${document}: a block without a language`);
  if (language === "js") {
    const output = await shell(`cat > agent.mjs <<'END'\n${text}END\nnode agent.mjs`);
    return assert.match(output, /^CHF \d+/);
  }
  // Settings alone: they must be valid.
  const isSettings = /^(TRANSFER_\w+=.*\n)+$/.test(text);
  const output = await shell(isSettings ? `set -a\n${text}transfer-quote-mcp config` : text);
  if (document === "README.md") {
    const [quote = "", link = ""] = output.split("\n");
    assert.equal(JSON.parse(quote).status, "open");
    assert.match(link, /^http\S+\/checkout\?quote_id=\S+$/);
  } else if (document === "docs/rest.md") assert.match(output, /"Hire 4 h"[\s\S]*\nhttp\S+\/checkout\?quote_id=\S+\n$/);
  else if (text.includes("estimate()")) assert.match(output, /ROUTE_UNAVAILABLE[\s\S]*"total_price"/);
  else assert.notEqual(output, "");
}

suite("the documents", () => {
  test("have JSON that parses", () => {
    for (const { text } of blocks.filter(({ language }) => language === "json")) JSON.parse(text);
  });

  test("name commands and scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json"));
    for (const document of documents) {
      for (const [, code = ""] of read(document).matchAll(/`([^`\n]+)`/g)) {
        const [, command] = /^(?:transfer-quote-mcp|node dist\/cli\.js) ([a-z]+)/.exec(code) ?? [];
        assert.ok(command === undefined || command in commands || command === "help", `${document}: ${code}`);
        const [, script] = /^npm run ([\w:]+)/.exec(code) ?? [];
        assert.ok(script === undefined || script in scripts, `${document}: ${code}`);
        const [, file] = /^node ([\w/.-]+\.mjs)/.exec(code) ?? [];
        assert.ok(file === undefined || existsSync(join(packageRoot, file)) || file === "agent.mjs", code);
      }
    }
  });

  test("pin the MCP Inspector that runs in CI", () => {
    const { "@modelcontextprotocol/inspector": tested } = JSON.parse(read("test/clients/package.json")).dependencies;
    assert.ok(read("docs/connect.md").includes(`npx @modelcontextprotocol/inspector@${tested} --cli `));
  });
});
