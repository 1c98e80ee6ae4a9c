import type { Operation } from "../src/calls/operation.ts";
import { ERRORS, type ErrorCode } from "../src/contract/errors.ts";
import { API_BASE } from "../src/http/api-base.ts";
import { escapeHtml, page, table } from "./html.ts";
import { operations } from "./operations.ts";
import { bodySchemaOf, parametersOf } from "./parameters.ts";
import { problemsOf } from "./problems.ts";
import type { RestOperation } from "./rest-operation.ts";

/** `/docs`: every operation with its parameters, body fields and responses. */
export function referencePage(): string {
  const errors = (Object.keys(ERRORS) as ErrorCode[]).map((code) => {
    const { status, retryable, when } = ERRORS[code];
    return [codeLink(code), String(status), retryable ? "yes" : "no", escapeHtml(when)];
  });
  return page(
    "API reference",
    `<h1>API reference</h1><p>Machine-readable: <a href="/openapi.json">openapi.json</a>. MCP endpoint: <code>/mcp</code>.</p>` +
      operations.map(section).join("") +
      `<section><h2>Errors</h2>${table(["Code", "Status", "Retryable", "When"], errors)}</section>`,
  );
}

function section(row: RestOperation): string {
  const { operationId, method, path, tool } = row;
  const inputs = table(["Name", "In", "Required", "Description"], inputsOf(row));
  return (
    `<section id="${operationId}"><h2>${escapeHtml(tool.title)}</h2>` +
    `<p><code>${method.toUpperCase()} ${API_BASE}${path}</code></p>` +
    `<p>Operation <code>${operationId}</code>; MCP tool: ${tool.listedOverMcp === false ? "none" : `<code>${tool.name}</code>`}; ` +
    `authorization: ${authorization(tool)}; rate limit tier: <code>${tool.rateTier}</code></p>` +
    `<p>${escapeHtml(tool.description)}</p>${inputs}${exampleBody(row)}` +
    `<p>Responses: ${[String(row.success ?? 200), ...[...problemsOf(row)].map(problem)].join("; ")}</p></section>`
  );
}

function inputsOf(row: RestOperation): readonly (readonly string[])[] {
  const body = bodySchemaOf(row);
  const fields = Object.entries(body?.properties ?? {}).map(([name, { description = "" }]) => {
    return { name, in: "body", required: body?.required?.includes(name), description };
  });
  return [...parametersOf(row), ...fields].map((input) => [
    `<code>${input.name}</code>`,
    input.in,
    input.required ? "yes" : "no",
    escapeHtml(input.description),
  ]);
}

function exampleBody(row: RestOperation): string {
  if (bodySchemaOf(row) === undefined) return "";
  return `<p>Example body:</p><pre>${escapeHtml(JSON.stringify(row.tool.examples?.[0], undefined, 2))}</pre>`;
}

function authorization({ access }: Operation): string {
  if (access.kind === "scope") return `bearer token with scope <code>${access.scope}</code>`;
  return access.kind === "signature" ? "signed link" : "none";
}

function problem([status, codes]: readonly [number, readonly ErrorCode[]]): string {
  return `${status} ${codes.map(codeLink).join(", ")}`;
}

function codeLink(code: ErrorCode): string {
  return `<a href="/docs/errors/${code.toLowerCase()}">${code}</a>`;
}
