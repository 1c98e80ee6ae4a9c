import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { emptyEnvironment, packagePath, startProgram, startProxy } from "./server.mjs";

const PRISM = packagePath("@stoplight/prism-cli/dist/index.js");
/** Fewer would mean that the tests no longer go through it. */
const FEWEST_RESPONSES = 700;

export const checks = [
  {
    client: "Prism, as a proxy",
    from: "@stoplight/prism-cli",
    does: "the REST tests, every response as `docs/openapi.json` has it",
    async run({ root, openApi }) {
      const { status, printed, responses } = await restTests(root, openApi, "rest-shim/");
      assert.equal(status, 0, printed.slice(printed.indexOf("failing tests")));
      assert.ok(responses >= FEWEST_RESPONSES, `${responses} responses`);
      const planted = await restTests(root, withWrongType(openApi), "rest-shim/end-of-v1");
      assert.match(planted.printed, /GET \/vehicle-classes: /, "a planted fault is not found");
    },
  },
];

/** Runs tests through a Prism that has `document` (test/support/service.ts). */
async function restTests(root, document, word) {
  let responses = 0;
  // Each test has a service of its own, which it names, and all have one Prism.
  const upstream = await startProxy(({ "x-upstream": origin, host: _, ...headers }) => {
    responses += 1;
    return { origin, headers };
  });
  const options = ["--port", "0", "--validate-request", "false", "--cors", "false"];
  const listening = /listening on (http:\/\/[\w.]+:\d+)/;
  const proxy = [PRISM, "proxy", document, `${upstream.url}/api/public/v1`, ...options];
  const { printed: started, close } = await startProgram(proxy, { NO_COLOR: "1" }, listening);
  try {
    const [, PRISM_URL] = listening.exec(started);
    const env = { ...process.env, PRISM_URL };
    const tests = spawn(process.execPath, ["--import", "tsx", "test/run.ts", word], { cwd: root, env, stdio: "pipe" });
    const ended = once(tests, "close");
    const [printed] = await Promise.all([text(tests.stdout), text(tests.stderr)]);
    const [status] = await ended;
    return { status, printed, responses };
  } finally {
    await close();
    upstream.close();
  }
}

/** The document with another type of one response. */
function withWrongType(openApi) {
  const file = join(emptyEnvironment().TRANSFER_DATA_DIR, "openapi.json");
  const document = JSON.parse(readFileSync(openApi, "utf8"));
  const { responses } = document.paths["/vehicle-classes"].get;
  responses[200].content["application/json"].schema = { type: "array" };
  writeFileSync(file, JSON.stringify(document));
  return file;
}
