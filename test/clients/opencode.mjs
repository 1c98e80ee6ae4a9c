import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { aJourney, withServer } from "./journey.mjs";
import { emptyEnvironment, packagePath } from "./server.mjs";

const OPENCODE = packagePath("opencode-linux-x64-baseline/bin/opencode");
const host = { client: "opencode", from: "opencode-linux-x64-baseline" };

/** A model of the test's own calls the tool with an unknown place, reads the error, and then asks for a quote. */
export const opencode = [
  {
    ...host,
    does: "over stdio: the model reads a tool error, then a quote",
    run: ({ cli }) => {
      const environment = emptyEnvironment();
      return ask({ type: "local", command: [process.execPath, cli], environment });
    },
  },
  {
    ...host,
    does: "over HTTP with a token: the same",
    run: (project) =>
      withServer(project, ({ endpoint, authorization }) =>
        ask({ type: "remote", url: endpoint, oauth: false, headers: { Authorization: authorization } }),
      ),
  },
];

async function ask(mcpServer) {
  const { TRANSFER_DATA_DIR: HOME, PATH } = emptyEnvironment();
  const model = await startModel();
  const folder = join(HOME, "project");
  mkdirSync(folder);
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: model.url, apiKey: "none" },
    models: { scripted: { tool_call: true } },
  };
  const settings = {
    ...{ share: "disabled", autoupdate: false, permission: { "*": "allow" } },
    ...{ model: "test/scripted", small_model: "test/scripted", provider: { test: provider } },
    mcp: { transfer: { enabled: true, ...mcpServer } },
  };
  writeFileSync(join(folder, "opencode.json"), JSON.stringify(settings));
  const run = spawn(OPENCODE, ["run", "--format", "json", "A transfer from Zurich Airport to Bern, please."], {
    cwd: folder,
    env: { PATH, HOME, OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed = await text(run.stdout);
  await model.close();
  const [refused, quoted] = model.toolResults;
  assert.match(refused ?? printed, /^INVALID_LOCATION: .* Next: /);
  assert.match(quoted ?? printed, /"quote_id":"[^"]+"/);
  assert.match(printed, /The quote is there/);
}

/** A chat model as the OpenAI API has it. `toolResults` is what it was given of the host's last request. */
async function startModel() {
  const calls = [{ ...aJourney(), origin: "Nowhere at all" }, aJourney()];
  const model = { toolResults: [], url: "", close: () => once(server.close(), "close") };
  const server = createServer(async (request, response) => {
    const { messages, tools = [] } = JSON.parse(await text(request));
    const name = tools.map((tool) => tool.function.name).find((each) => each.endsWith("create_transfer_quote"));
    const results = messages.filter(({ role }) => role === "tool").map(({ content }) => contentText(content));
    if (name) model.toolResults = results;
    const input = name && calls[results.length];
    const call = { index: 0, id: `call_${results.length}`, type: "function" };
    const delta = input
      ? { role: "assistant", tool_calls: [{ ...call, function: { name, arguments: JSON.stringify(input) } }] }
      : { role: "assistant", content: "The quote is there." };
    response.writeHead(200, { "Content-Type": "text/event-stream", Connection: "close" });
    const parts = [{ delta }, { delta: {}, finish_reason: input ? "tool_calls" : "stop" }];
    for (const part of parts) {
      const choices = [{ index: 0, finish_reason: null, ...part }];
      response.write(`data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, choices })}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  model.url = `http://127.0.0.1:${server.address().port}/v1`;
  return model;
}

function contentText(content) {
  return typeof content === "string" ? content : content.map((part) => part.text).join("\n");
}
