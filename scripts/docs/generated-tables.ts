import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "prom-client";
import { restOperations } from "../../rest-shim/operations.ts";
import { rehearsalTable } from "../../rest-shim/site/sandbox-page.ts";
import { ERRORS } from "../../src/contract/errors.ts";
import { READINGS } from "../../src/domain/places/gazetteer.ts";
import { commands } from "../../src/operate/commands/main.ts";
import { optionOf } from "../../src/operate/config/found-settings.ts";
import { settings } from "../../src/operate/config/settings.ts";
import { createMetrics } from "../../src/ops/metrics.ts";
import { packageRoot } from "../../src/ops/package-root.ts";
import { API_BASE } from "../../src/servers/http/request.ts";
import { cellsOf, HEAD, type Results } from "../../test/bench/benchmark-table.ts";
import { defaultCatalog } from "../../test/support/quoting-fixture.ts";
import { tools } from "../../tools/tools.ts";
import { NAMES } from "./listing.ts";
import { table, withMarked } from "./with-marked.ts";

/** The generated tables of the documents by the name of their marker. */
// biome-ignore format: a table reads by its columns
const generatedTables: Readonly<Record<string, string>> = {
  tools: table(
    ["Tool", "What it does", "Scope besides `discovery`", "Budget"],
    tools.map(({ name, title, access, rateTier }) => [`\`${name}\``, title, access.kind === "scope" ? `\`${access.scope}\`` : "none", rateTier]),
  ),
  operations: table(
    ["Operation", "Method and path", "Tool", "Access", "Budget"],
    restOperations.map(({ operationId, method, path, tool }) => [
      operationId,
      `\`${method.toUpperCase()} ${API_BASE}${path}\``,
      tool.listedOverMcp === false ? "none" : `\`${tool.name}\``,
      tool.access.kind === "scope" ? `\`${tool.access.scope}\`` : tool.access.kind === "signature" ? "signed link" : "none",
      tool.rateTier,
    ]),
  ),
  commands: table(
    ["Command", "Does"],
    Object.values(commands).map(({ usage, summary }) => [`\`transfer-quote-mcp ${usage}\``, summary]),
  ),
  settings: table(
    ["Variable", "Option", "Default", "Meaning", "Allowed"],
    Object.values(settings).map(({ variable, shown, meaning, schema }) => [`\`${variable}\``, `\`--${optionOf(variable)}\``, shown, meaning, schema.description ?? ""]),
  ),
  benchmark: benchmark(),
  metrics: table(["Metric", "Type", "Labels", "Meaning"], ownMetrics()),
  names: table(["", ""], NAMES),
  rehearsals: table(
    ["Send", "Response", "Then"],
    rehearsalTable.map(({ send, response, next }) => [send, response, next]),
  ),
  readings: table(["Reading", "Reads", "Example", "Gives"], READINGS.map(({ name, reads, example }) => [`\`${name}\``, reads, example, given(example)])),
  errors: table(
    ["Code", "Status", "Retryable", "When"],
    Object.entries(ERRORS).map(([code, { status, retryable, when }]) => [`\`${code}\``, String(status), retryable ? "yes" : "no", when]),
  ),
};

/** What the packaged catalog has for the text of a place. */
function given(text: string): string {
  const location = defaultCatalog.gazetteer.geocode(text);
  if (location.kind === "found") return `${location.place.name}${location.isOnlyTownKnown ? ", only the town" : ""}`;
  if (location.kind !== "question") return location.kind;
  return location.candidates.length > 0 ? `asks: ${location.candidates.join("; ")}` : "asks for its town";
}

/** The latest results of `npm run bench -- --write`. */
function benchmark(): string {
  const { date, machine, loadBefore, rows }: Results = JSON.parse(
    readFileSync(join(packageRoot, "test/bench/results.json"), "utf8"),
  );
  const noise = loadBefore >= 0.5 ? `, beside other work (load ${loadBefore} before the run)` : "";
  return `Measured on ${date}: ${machine}${noise}.\n\n${table(HEAD, rows.map(cellsOf))}`;
}

/** The metrics of a service, without those that every Node.js process has. */
function ownMetrics(): readonly (readonly string[])[] {
  const registry = new Registry();
  const metrics = createMetrics([], registry);
  metrics.watchCallsInFlight(() => 0);
  metrics.watchCatalog(() => ({ version: "", tariffVersion: "", loadedAt: new Date(0) }));
  metrics.watchDependencies(async () => []);
  metrics.events([]);
  return registry.getMetricsAsArray().map((metric) => {
    // Label names are known to the client, not to its types.
    const { name, type, help, labelNames } = metric as typeof metric & { labelNames: readonly string[] };
    const labels = labelNames.map((label) => `\`${label}\``).join(", ") || "none";
    return [`\`${name}\``, String(type), labels, help];
  });
}

/** A document with the named tables between the markers of their names. */
export function withTables(document: string, names: readonly string[]): string {
  return names.reduce((result, name) => withMarked(result, name, generatedTables[name] ?? ""), document);
}
