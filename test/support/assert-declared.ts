import assert from "node:assert/strict";
import { type RestOperation, restOperations } from "../../rest-shim/operations.ts";
import { problemsOf } from "../../rest-shim/problems.ts";
import type { Problem } from "../../src/contract/problem.ts";
import type { Operation } from "../../src/service/calls/operation.ts";
import { problemCodesOf } from "../../src/service/calls/operation.ts";
import { tools } from "../../tools/tools.ts";

/** Derived once, because that takes longer than a call. */
const PROBLEMS = new Map(restOperations.map((row) => [row, problemsOf(row)]));

/** The operation of a request; `path` is relative to the API's base. */
function operationAt(method: string, path: string): RestOperation | undefined {
  const [pathname = ""] = path.split("?", 1);
  return restOperations.find((each) => each.method === method.toLowerCase() && patternOf(each.path).test(pathname));
}

/** Fails where an operation does not declare this response or problem. `path` is relative to the API's base. */
export function assertDeclared(
  method: string,
  path: string,
  { status, body, text }: { readonly status: number; readonly body?: Problem; readonly text: string },
): void {
  // Without an instance the server rejected the request before it knew the operation.
  const isSuccess = status <= 299;
  if (!isSuccess && (!body?.code || body.instance === null)) return;
  const row = operationAt(method, path);
  if (!row) return;
  if (isSuccess) return assertValid(row.tool, text);
  const code = body?.code;
  const declared = PROBLEMS.get(row)?.get(status) ?? [];
  assert.ok(code && declared.includes(code), `${row.operationId} does not declare ${status} ${code}`);
}

/** What quotes omit where it has its default, because a model reads every field. */
const LEFT_OUT: Readonly<Record<string, unknown>> = {
  ...{ on_request: false, requires_manual_confirmation: false, children: 0, infants: 0, currency: "CHF" },
};

/**
 * Fails where parsing a response with its schema changes it: a default is missing, or fields are unknown or in another
 * order. Nothing validates responses in production.
 */
export function assertMadeBy(schema: Operation["output"], response: unknown, message?: string): void {
  const written = (value: unknown) =>
    JSON.stringify(value, (name, each) => (LEFT_OUT[name] === each ? undefined : each));
  assert.equal(written(response), written(schema.parse(response)), message);
}

function assertValid({ output }: Pick<Operation, "output">, text: string): void {
  const response = JSON.parse(text);
  assert.equal(text, JSON.stringify(response));
  assertMadeBy(output, response);
}

/** Fails where the text of a tool's success does not match its output schema. */
export function assertValidOfTool(name: string, text: string): void {
  assertValid(toolNamed(name), text);
}

/** Fails where a tool does not declare this problem. Over MCP every call also needs the `discovery` scope. */
export function assertDeclaredByTool(name: string, { code }: Pick<Problem, "code">): void {
  const tool = toolNamed(name);
  const declared = [...problemCodesOf(tool), "AUTHENTICATION_REQUIRED"];
  assert.ok(declared.includes(code), `${name} does not declare ${code}`);
}

function toolNamed(name: string): Operation {
  const tool = tools.find((each) => each.name === name);
  assert.ok(tool, `unknown tool ${name}`);
  return tool;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
}
