import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { QUOTE_VALIDITY_MILLISECONDS } from "../../src/domain/quotes/quote.ts";
import { runBuilt, startBuiltServer } from "../support/built-process.ts";
import { aRealJourney, asCreated } from "../support/journey-fixture.ts";
import { aFolder, wholeFile } from "../support/lifetime.ts";
import { anMcpClient, anMcpHost, type TestMcpClient } from "../support/mcp-client.ts";
import { runsModule } from "../support/run-module.ts";
import { request } from "../support/service.ts";

/** What must work on every supported version of Node and at every hour; CI runs this file on each of them. */
const WAITS = { timeout: 60_000 };
const { publicUrl, token, welcome } = await startBuiltServer(wholeFile);

test("prints a request that returns a quote when pasted", WAITS, async () => {
  const command = welcome.slice(welcome.indexOf("curl -s"));
  const { status, destination, options } = JSON.parse((await promisify(execFile)("bash", ["-c", command])).stdout);
  assert.deepEqual([status, destination], ["open", "Interlaken"]);
  assert.ok(options.length > 0);
});

test("creates and reads a quote over REST that is valid for 30 minutes", WAITS, async () => {
  const { status, body, text, headers } = await request(`${publicUrl}/api/public/v1/quotes`, {
    token,
    body: aRealJourney(),
  });
  assert.equal(status, 201, text);
  const leftMs = Date.parse(body.expires_at) - Date.now();
  assert.ok(Math.abs(leftMs - QUOTE_VALIDITY_MILLISECONDS) < 60_000, "server and test differ in time");
  assert.deepEqual(asCreated((await request(publicUrl + headers.get("location"), { token })).body), body);
});

test("creates and hands off a quote over Streamable HTTP", WAITS, async (t) => {
  await journeyOver(await anMcpClient(t, publicUrl, token));
});

test("creates and hands off a quote over stdio", WAITS, async (t) => {
  await journeyOver(await anMcpHost(t));
});

test("the extension for desktop hosts runs on its own, as its manifest says", WAITS, async (t) => {
  const folder = aFolder(t);
  await promisify(execFile)(process.execPath, [...runsModule("scripts/write-extension"), folder]);
  const { server, icon, tools } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  for (const file of [server.entry_point, icon, "LICENSE"]) assert.ok(existsSync(join(folder, file)), file);
  const args = server.mcp_config.args.map((arg: string) => arg.replace("$" + "{__dirname}", folder));
  const client = await anMcpHost(t, {}, args);
  assert.equal((await client.client.listTools()).tools.length, tools.length);
  await journeyOver(client);
});

test("knows the letters of Switzerland's languages", WAITS, async () => {
  for (const destination of ["Weißbad", "Goßau SG", "Küßnacht am Rigi", "Château-d'Œx"]) {
    const body = aRealJourney({ destination });
    assert.equal((await request(`${publicUrl}/api/public/v1/quote-intents`, { body })).status, 200, destination);
  }
});

test("runs the commands that an operator begins with", WAITS, async (t) => {
  for (const args of [["quote", "Bern", "Chur"], ["token"], ["check"]]) {
    const { code, stdout, stderr } = await runBuilt(t, args);
    assert.equal(code, 0, stderr);
    assert.ok(stdout.length > 0);
  }
});

async function journeyOver({ value }: TestMcpClient): Promise<void> {
  assert.ok((await value("list_transfer_services")).services.length >= 25);
  const quote = await value("create_transfer_quote", aRealJourney());
  const { quote_id, options } = quote;
  assert.deepEqual(asCreated(await value("get_transfer_quote", { quote_id })), quote);
  const terms = { quote_id, fleet_id: options[0].fleet_id, traveler_approval: true };
  const { checkout_url } = await value("create_checkout_handoff", terms);
  assert.equal((await fetch(checkout_url)).status, 200);
}
