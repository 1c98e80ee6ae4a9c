import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { assertDeclaredByTool, assertValidOfTool } from "./assert-declared.ts";
import { BIN, cleanEnvironment } from "./built-process.ts";
import { compiledSchemas } from "./compiled-schemas.ts";
import { aFolder } from "./lifetime.ts";
import { patientFetch } from "./patient-fetch.ts";

export type TestMcpClient = Awaited<ReturnType<typeof connected>>;

/** A parsed answer of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: tests read fields of many shapes
export type Fields = any;

/** The official client over any transport, which validates results against the tool's output schema. */
export async function connected(t: Pick<TestContext, "after">, transport: Transport) {
  const client = new Client({ name: "tests", version: "1.0.0" }, { jsonSchemaValidator: compiledSchemas });
  t.after(() => client.close());
  await client.connect(transport);
  await client.listTools();
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;

  return {
    client,
    /** The result of a successful call; fails where the call fails. */
    async value(name: string, args: Record<string, unknown> = {}): Promise<Fields> {
      const result = await call(name, args);
      const [text = "", ...others] = textsOf(result);
      assert.notEqual(result.isError, true, text);
      assert.deepEqual(others, []);
      assert.deepEqual(JSON.parse(text), result.structuredContent);
      assertValidOfTool(name, text);
      return result.structuredContent;
    },
    /** The problem of a failed call; fails where the call succeeds. */
    async problem(name: string, args: Record<string, unknown> = {}): Promise<Fields> {
      const result = await call(name, args);
      const [sentence = "", document = "", ...others] = textsOf(result);
      assert.equal(result.isError, true, sentence);
      assert.equal(result.structuredContent, undefined);
      assert.deepEqual(others, []);
      const problem = JSON.parse(document);
      const { code, detail, field_errors: [first] = [] } = problem;
      // A detail that says how many more fields there are is not repeated before all of them.
      const starts = [detail, `${first?.field}: ${first?.message}`].map((start) => `${code}: ${start}`);
      assert.ok(
        starts.some((start) => sentence.startsWith(start)),
        sentence,
      );
      assertDeclaredByTool(name, problem);
      return problem;
    },
  };
}

/** The official client of a service over Streamable HTTP. */
export function anMcpClient(t: Pick<TestContext, "after">, publicUrl: string, token: string): Promise<TestMcpClient> {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  return connected(
    t,
    new StreamableHTTPClientTransport(new URL(`${publicUrl}/mcp`), { requestInit, fetch: patientFetch }),
  );
}

/** The official client of the built program over stdio; `args` are what Node runs. */
export function anMcpHost(
  t: Pick<TestContext, "after">,
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [BIN],
): Promise<TestMcpClient> {
  const settings = { TRANSFER_DATA_DIR: aFolder(t), TRANSFER_LOG_LEVEL: "silent", ...env };
  const command = { command: process.execPath, args: [...args], env: cleanEnvironment(settings) };
  return connected(t, new StdioClientTransport({ ...command, stderr: "pipe" }));
}

function textsOf({ content }: CallToolResult): readonly string[] {
  return content.map((block) => {
    assert.equal(block.type, "text");
    return block.text;
  });
}
