import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { aJourney, withServer } from "./journey.mjs";
import { emptyEnvironment, packagePath } from "./server.mjs";

const PROMPT = "A transfer from Zurich Airport to Bern, please.";
const LONGEST_MS = 280_000;

/** `setUp` writes the settings of a host for a model and a server, and returns its arguments and variables. */
const HOSTS = [
  {
    client: "Claude Code",
    from: "@anthropic-ai/claude-code-linux-x64",
    program: ["@anthropic-ai/claude-code-linux-x64/claude"],
    setUp(home, model, { url, ...server }) {
      const file = join(home, "mcp.json");
      const transport = url ? { type: "http", url, headers: server.headers } : { type: "stdio", ...server };
      write(file, { mcpServers: { transfer: transport } });
      const flags = ["--strict-mcp-config", "--allowedTools", "mcp__transfer", "--output-format", "json"];
      return {
        args: ["--print", PROMPT, "--mcp-config", file, ...flags, "--model", "scripted"],
        env: {
          ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: "none", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
          ...{ ENABLE_TOOL_SEARCH: "false", MCP_TIMEOUT: "60000" },
        },
      };
    },
  },
  {
    client: "opencode",
    from: "opencode-linux-x64-baseline",
    program: ["opencode-linux-x64-baseline/bin/opencode"],
    setUp(home, model, { command, args, env, url, headers }) {
      const options = { baseURL: `${model}/v1`, apiKey: "none" };
      const provider = { npm: "@ai-sdk/openai-compatible", options, models: { scripted: { tool_call: true } } };
      const remote = { type: "remote", url, oauth: false, headers };
      const transfer = url ? remote : { type: "local", command: [command, ...args], environment: env };
      write(join(home, "project/opencode.json"), {
        ...{ share: "disabled", autoupdate: false, permission: { "*": "allow" } },
        ...{ model: "test/scripted", small_model: "test/scripted", provider: { test: provider } },
        mcp: { transfer: { enabled: true, ...transfer } },
      });
      return {
        args: ["run", "--format", "json", PROMPT],
        env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" },
      };
    },
  },
  {
    client: "Codex CLI",
    from: "codex-linux-x64",
    program: ["codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"],
    setUp(_home, model, { command, args, env, url, headers }) {
      const settings = {
        ...{ model: "scripted", model_provider: "test", check_for_update_on_startup: false },
        ...{ "analytics.enabled": false, "mcp_servers.transfer.required": true },
        ...{ "model_providers.test.name": "test", "model_providers.test.base_url": `${model}/v1` },
        ...under("mcp_servers.transfer", url ? { url } : { command, args }),
        ...under(`mcp_servers.transfer.${url ? "http_headers" : "env"}`, url ? headers : env),
      };
      const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${JSON.stringify(value)}`]);
      const flags = ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      return { args: ["exec", ...flags, ...options, PROMPT], env: {} };
    },
  },
  {
    client: "Gemini CLI",
    from: "@google/gemini-cli",
    program: [process.execPath, "@google/gemini-cli/bundle/gemini.js"],
    setUp(home, model, { command, args, env, url, headers }) {
      write(join(home, ".gemini/settings.json"), {
        security: { auth: { selectedType: "gemini-api-key" } },
        ...{ privacy: { usageStatisticsEnabled: false }, general: { enableAutoUpdate: false } },
        mcpServers: { transfer: url ? { httpUrl: url, headers } : { command, args, env } },
      });
      const flags = "--model gemini-2.5-flash --approval-mode yolo --skip-trust --output-format json".split(" ");
      return { args: [...flags, "--prompt", PROMPT], env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model } };
    },
  },
  {
    client: "Cline CLI",
    from: "@cline/cli-linux-x64",
    program: ["@cline/cli-linux-x64/bin/cline"],
    setUp(home, model, { url, ...server }) {
      const provider = "openai-compatible";
      const settings = { provider, apiKey: "none", model: "scripted", baseUrl: `${model}/v1` };
      const folder = join(home, ".cline/data/settings");
      const saved = { settings, updatedAt: new Date().toISOString(), tokenSource: "manual" };
      write(join(folder, "providers.json"), { version: 1, providers: { [provider]: saved } });
      write(join(folder, "global-settings.json"), { telemetryOptOut: true, autoUpdateEnabled: false });
      const transport = url ? { type: "streamableHttp", url, headers: server.headers } : { type: "stdio", ...server };
      write(join(folder, "cline_mcp_settings.json"), { mcpServers: { transfer: { timeout: 60, transport } } });
      const args = ["--json", "--provider", provider, "--model", "scripted", PROMPT];
      return { args, env: { CLINE_SESSION_BACKEND_MODE: "local" } };
    },
  },
];

/** A model of the test's own asks for a quote from an unknown place, reads the error, gets a quote, and hands it off. */
export const checks = HOSTS.flatMap((host) => {
  const { client, from } = host;
  return [
    {
      ...{ client, from, does: "short journey over stdio" },
      run: ({ cli }) => ask(host, { command: process.execPath, args: [cli], env: emptyEnvironment() }),
    },
    {
      ...{ client, from, does: "over HTTP with a token" },
      run: (project) =>
        withServer(project, ({ endpoint, authorization }) =>
          ask(host, { url: endpoint, headers: { Authorization: authorization } }),
        ),
    },
  ];
});

async function ask({ program, setUp }, server) {
  const { TRANSFER_DATA_DIR: HOME, PATH } = emptyEnvironment();
  const model = await startModel();
  const cwd = join(HOME, "project");
  mkdirSync(cwd);
  const { args, env } = setUp(HOME, model.url, server);
  const [file, ...first] = program.map((each) => (each === process.execPath ? each : packagePath(each)));
  // Nothing is reached but this machine.
  const nowhere = { HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9", NO_PROXY: "127.0.0.1" };
  const run = spawn(file, [...first, ...args], {
    ...{ cwd, env: { PATH, HOME, ...nowhere, ...env }, timeout: LONGEST_MS },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, errors] = await Promise.all([text(run.stdout), text(run.stderr)]);
  await model.close();
  const [refused, quoted, handedOff] = model.toolResults;
  assert.match(refused ?? printed + errors, /"INVALID_LOCATION: .* Next: /);
  assert.match(quoted ?? printed + errors, QUOTE_ID);
  assert.match(handedOff ?? printed + errors, /"checkout_url":\s*"http[^"]+sig=/);
  assert.match(printed, /The quote is there/);
}

/** What the APIs of models have in common, by the end of their path. `events` are the data of a stream. */
const PROTOCOLS = {
  "/chat/completions": {
    tools: ({ tools = [] }) => tools.map(({ function: { name } }) => ({ name })),
    results: ({ messages }) => messages.filter(({ role }) => role === "tool").map(({ content }) => content),
    events(call, said) {
      const callOf = { index: 0, id: `call_${call?.number}`, type: "function" };
      const calls = [{ ...callOf, function: { name: call?.name, arguments: JSON.stringify(call?.input) } }];
      const delta = { role: "assistant", ...(call ? { tool_calls: calls } : { content: said }) };
      const chunks = [{ delta }, { delta: {}, finish_reason: call ? "tool_calls" : "stop" }].map((part) => {
        const choices = [{ index: 0, finish_reason: null, ...part }];
        return { id: "1", object: "chat.completion.chunk", created: 1, choices };
      });
      return [...chunks, "[DONE]"];
    },
  },
  "/responses": {
    tools: ({ tools }) =>
      tools.flatMap(({ type, name, tools: within }) =>
        type === "namespace" ? within.map((tool) => ({ name: tool.name, namespace: name })) : [{ name }],
      ),
    results: ({ input }) => input.filter(({ type }) => type === "function_call_output").map(({ output }) => output),
    events(call, said) {
      const { number, name, namespace, input } = call ?? {};
      const made = {
        type: "function_call",
        call_id: `call_${number}`,
        name,
        namespace,
        arguments: JSON.stringify(input),
      };
      const message = { type: "message", role: "assistant", content: [{ type: "output_text", text: said }] };
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      return [
        { type: "response.created", response: { id: "1" } },
        {
          type: "response.output_item.done",
          output_index: 0,
          item: { id: `item_${number}`, ...(call ? made : message) },
        },
        { type: "response.completed", response: { id: "1", usage } },
      ];
    },
  },
  "/messages": {
    tools: ({ tools = [] }) => tools,
    results: ({ messages }) =>
      messages
        .flatMap(({ content }) => (Array.isArray(content) ? content : []))
        .filter(({ type }) => type === "tool_result")
        .map(({ content }) => content),
    events(call, said) {
      const begun = { id: "msg_1", type: "message", role: "assistant", model: "scripted", content: [] };
      const block = call
        ? { type: "tool_use", id: `toolu_${call.number}`, name: call.name, input: {} }
        : { type: "text", text: "" };
      const delta = call
        ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
        : { type: "text_delta", text: said };
      const usage = { input_tokens: 1, output_tokens: 1 };
      return [
        { type: "message_start", message: { ...begun, stop_reason: null, usage } },
        { type: "content_block_start", index: 0, content_block: block },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason: call ? "tool_use" : "end_turn" }, usage },
        { type: "message_stop" },
      ];
    },
  },
  ":streamGenerateContent": {
    tools: ({ tools = [] }) => tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
    results: ({ contents }) =>
      contents.flatMap(({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse ?? [])),
    events(call, said) {
      const parts = [call ? { functionCall: { name: call.name, args: call.input } } : { text: said }];
      return [{ candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }] }];
    },
  },
};

const QUOTE_ID = /"quote_id":\s*"(q_[\w-]+)"/;

/** The tool that the model calls next and its arguments, by what it was answered before. */
function nextCall([refused, quoted, handedOff]) {
  if (refused === undefined) return ["create_transfer_quote", { ...aJourney(), origin: "Nowhere at all" }];
  if (quoted === undefined) return ["create_transfer_quote", aJourney()];
  const quote_id = QUOTE_ID.exec(quoted)?.[1];
  return handedOff === undefined ? ["create_checkout_handoff", { quote_id, fleet_id: 1, traveler_approval: true }] : [];
}

/** `toolResults` is what the model was given in the host's last request, as JSON. */
async function startModel() {
  const model = { toolResults: [], url: "", close: () => once(server.close(), "close") };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const [, protocol] = Object.entries(PROTOCOLS).find(([end]) => pathname.endsWith(end)) ?? [];
    if (!protocol) return response.writeHead(404).end();
    const body = JSON.parse(await text(request));
    const tools = protocol.tools(body);
    const results = protocol.results(body).map(unescaped);
    if (tools.some(({ name }) => name?.endsWith("create_transfer_quote"))) model.toolResults = results;
    const number = results.length;
    const [called, input] = nextCall(results);
    const tool = called && tools.find(({ name }) => name?.endsWith(called));
    response.writeHead(200, { "Content-Type": "text/event-stream", Connection: "close" });
    for (const event of protocol.events(tool && { ...tool, number, input }, "The quote is there.")) {
      if (event.type) response.write(`event: ${event.type}\n`);
      response.write(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
    }
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  model.url = `http://127.0.0.1:${server.address().port}`;
  return model;
}

/** As JSON, whatever of it the host has put into texts. */
function unescaped(result) {
  return JSON.stringify(result).replaceAll("\\", "");
}

function under(path, settings) {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${path}.${name}`, value]));
}

function write(file, settings) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(settings));
}
