import type { JsonSchema } from "../../src/contract/json-schema.ts";
import { COPY_BUTTONS, documentBody, escapeHtml, page, table } from "../../src/servers/http/page.ts";
import { API_BASE } from "../../src/servers/http/request.ts";
import { SCOPES } from "../../src/service/calls/operation.ts";
import { type ApiExamples, readApiExamples } from "../api-examples.ts";
import { componentSchemas, withReferences } from "../components.ts";
import { type RestOperation, restOperations, TAGS } from "../operations.ts";
import { bodySchemaOf, httpRequest, type Parameter, parametersOf } from "../parameters.ts";
import { problemsOf } from "../problems.ts";
import type { Site } from "./about-pages.ts";
import { SANDBOX_LINK } from "./sandbox-page.ts";

/** `/docs`: every operation with its fields, an example, code samples and a form that calls it. */
export function referencePage(site: Site): string {
  const examples = readApiExamples(site.publicUrl);
  const schemas = Object.entries(componentSchemas);
  const groups = Object.keys(TAGS).map((tag) => [tag, restOperations.filter((row) => row.tag === tag)] as const);
  const contents = [
    linksTo("Start", [["authorization", "Authorization"]]),
    ...groups.map(([tag, rows]) =>
      linksTo(
        tag,
        rows.map(({ operationId, method, title }) => [operationId, `${verb(method)}${escapeHtml(title)}`]),
      ),
    ),
    linksTo(
      "Schemas",
      schemas.map(([name]) => [name, name]),
    ),
  ];
  const introduction = `<p>REST operations take and return JSON. Their base address:</p>
<code class="address">${escapeHtml(site.publicUrl + API_BASE)}</code>
<p>Every failure is a problem document with a stable <a href="/docs/errors">code</a>. This reference as OpenAPI:
<a href="/openapi.json">openapi.json</a>.</p>${site.sandbox ? SANDBOX_LINK : ""}`;
  return page({
    title: "API reference",
    operator: site.operator,
    description: "Operations, fields and examples of the REST API, with forms that call this server.",
    head: `<link rel="stylesheet" href="/docs/reference.css"><script type="module" src="/docs/reference.js"></script>${COPY_BUTTONS}`,
    body: `<div class="bar"><button class="button" type="button" popovertarget="contents">Contents and search</button></div>
<nav id="contents" popover aria-label="Contents">
<input id="search" type="search" placeholder="Search" aria-label="Search operations, fields and codes">
<p id="found" role="status"></p>${contents.join("\n")}</nav>
${documentBody("API reference", [
  introduction,
  authorization(site),
  ...groups.flatMap(([, rows]) => rows.map((row) => operationSection(row, site, examples))),
  ...schemas.map(([name, schema]) => `<h2 id="${name}">${name}</h2>${fieldTable(schema)}`),
])}`,
  });
}

function linksTo(heading: string, entries: readonly (readonly [id: string, text: string])[]): string {
  const items = entries.map(([id, text]) => `<li><a href="#${id}">${text}</a></li>`);
  return `<h2>${heading}</h2><ul>${items.join("")}</ul>`;
}

/** How to get a token. With the development issuer, whose addresses are known, forms request one. */
function authorization({ issuer, oauth }: Site): string {
  const forms = oauth
    ? `<form id="sign-in" data-oauth="${escapeHtml(JSON.stringify({ ...oauth, scopes: SCOPES }))}">
<label>Client id <input name="client_id" value="${oauth.clientId}" required></label>
<label>Client secret <input name="client_secret" type="password" autocomplete="off"></label>
<p class="buttons"><button class="button" name="grant" value="authorization_code">Sign in</button>
<button name="grant" value="client_credentials" class="quiet">Get a token with the secret</button></p>
<p>The server prints the secret when it starts. Signing in (authorization code with PKCE) needs none.</p></form>`
    : "";
  return `<h2 id="authorization">Authorization</h2>
<p>Operations marked with a scope need an access token of <code>${escapeHtml(issuer)}</code>.</p>${forms}
<label>Access token <input id="token" autocomplete="off" spellcheck="false" placeholder="eyJ…"></label>
<p class="buttons"><span id="signed-in" role="status"></span> <button id="sign-out" type="button" class="quiet" hidden>Sign out</button></p>`;
}

function operationSection(row: RestOperation, { publicUrl }: Site, examples: ApiExamples): string {
  const { operationId, method, path, title, tool, description, success = 200 } = row;
  const { access } = tool;
  const example = examples.operations.find((each) => each.operationId === operationId);
  const parameters = parametersOf(row);
  const body = bodySchemaOf(row);
  const inputs = parameters.map(({ name, argument, in: where, required }) => {
    // No idempotency key: the same key would return the first response even after a change of the body.
    const value = where === "header" ? "" : String(example?.args[argument] ?? "");
    return `<label>${name} <input name="${name}" data-in="${where}" value="${escapeHtml(value)}"${required ? " required" : ""}></label>`;
  });
  const { body: sent } = httpRequest(row, example?.args ?? {});
  const text = sent && escapeHtml(json(sent));
  const editor = text
    ? `<label>Body <textarea name="body" spellcheck="false" rows="${text.split("\n").length}">${text}</textarea></label>`
    : "";
  const codes = [...problemsOf(row)].flatMap(([status, all]) =>
    all.map((code) => `${status} <a href="/docs/errors/${code.toLowerCase()}">${code}</a>`),
  );
  const { $ref } = withReferences(tool.output);
  return `<div class="operation"><div><h2 id="${operationId}">${escapeHtml(title)}</h2>
<p>${verb(method)} <code>${path}</code> ${access.kind === "scope" ? `scope <code>${access.scope}</code>` : "no token needed"}</p>
<p>${escapeHtml(description)}</p>
${parameters.length > 0 ? `<h3>Parameters</h3>${parameterTable(parameters)}` : ""}
${body ? `<h3>Body</h3>${fieldTable(body)}` : ""}
<h3>Response</h3>
<p>${success} ${typeText({ $ref: $ref ?? "" })}; ${codes.join(", ")}</p>
<details><summary>Example of a response</summary><pre tabindex="0">${escapeHtml(json(example?.response))}</pre></details>
</div><div class="try"><h3>Try it</h3>
<form class="call" data-method="${method.toUpperCase()}" data-path="${API_BASE}${path}" data-origin="${escapeHtml(publicUrl)}"${access.kind === "scope" ? " data-scope" : ""}>
${inputs.join("\n")}${editor}
<p class="buttons"><button class="button">Send</button></p>
<div role="status"></div>
<details open><summary>curl</summary><pre tabindex="0" class="curl"></pre></details>
<details><summary>JavaScript</summary><pre tabindex="0" class="javascript"></pre></details></form></div></div>`;
}

function verb(method: string): string {
  return `<span class="verb ${method}">${method.toUpperCase()} </span>`;
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: where, description, schema, required }) =>
    fieldRow(name, { ...schema, description: `${description} (${where})` }, required),
  );
  return table(FIELD_HEADS, rows, false);
}

const FIELD_HEADS = ["Field", "Type", "Description"];

function fieldTable(schema: JsonSchema): string {
  return table(FIELD_HEADS, fieldRows(schema), false);
}

function fieldRows({ properties = {}, required = [] }: JsonSchema, path = ""): readonly string[][] {
  return Object.entries(properties).flatMap(([name, field]) => [
    fieldRow(path + name, field, required.includes(name)),
    ...fieldRows(field, `${path}${name}.`),
    ...(field.items ? fieldRows(field.items, `${path}${name}.`) : []),
  ]);
}

function fieldRow(path: string, field: JsonSchema, isRequired: boolean): string[] {
  return [`<code>${path}</code>${isRequired ? " required" : ""}`, typeText(field), escapeHtml(field.description ?? "")];
}

function typeText({ $ref, type = "any", format, enum: values, items, additionalProperties }: JsonSchema): string {
  if ($ref) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return `<a href="#${name}">${name}</a>`;
  }
  if (items) return `array of ${typeText(items)}`;
  if (typeof additionalProperties === "object") return `map of ${typeText(additionalProperties)}`;
  if (values) return values.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(", ");
  return [format ?? type].flat().join(" or ");
}

function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
