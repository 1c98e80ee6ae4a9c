import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CatalogError } from "../catalog/catalog-folder.ts";
import { compose, type Service } from "../compose/compose.ts";
import { embeddedPricing, engineNames } from "../compose/compose-pricing.ts";
import { type Config, checkListening, publicUrlOf } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { stateOf } from "../http/health.ts";
import { type IssuerFinding, inspectIssuer } from "../identity/issuer-metadata.ts";
import { silentLog } from "../ops/log.ts";
import { auditCatalog, auditUnloaded } from "./audit/audit.ts";
import { isFault, shownFindings, shownMistakes } from "./audit/finding.ts";
import { SUMMER_NOON, stopsAt } from "./audit/roads.ts";
import { colored, columns, wrapped } from "./columns.ts";
import { type Arguments, defineCommand } from "./command.ts";

const options = {
  strict: { type: "boolean", meaning: "exits with 1 on a warning too" },
  all: { type: "boolean", meaning: "lists every text that has no translation, rather than three" },
  before: { type: "string", value: "FOLDER", meaning: "an earlier catalog; default: the packaged one" },
  sources: { type: "boolean", meaning: "kilometers of each published corridor by the source of the road data" },
  against: { type: "string", value: "URL", meaning: "compares corridors and 500 pairs with a routing engine instead" },
  engine: { type: "string", value: "NAME", meaning: `of --against: ${engineNames.join(", ")}; default: the first` },
  threshold: {
    type: "string",
    value: "PERCENT",
    meaning: "exits with 1 above this difference of --against; default 8",
  },
  csv: { type: "boolean", meaning: "differences of --against as CSV" },
} as const;

/**
 * The `check` command: reads configuration and catalog, audits the catalog, pings every dependency, reads the identity
 * provider's metadata and prints what it finds. It uses a store of its own, so that it may run beside a server. Returns
 * the exit code: 1 for a fault of the catalog or a dependency. Findings about the sign-in of MCP hosts never change it.
 */
async function run(config: Config, { values }: Arguments<typeof options>): Promise<number> {
  const { sources, against, strict = false, all, before, ...comparison } = values;
  if (against !== undefined)
    return (await import("./check-against.ts")).checkAgainst(config, { against, ...comparison });
  const unused = (["engine", "threshold", "csv"] as const).find((name) => comparison[name] !== undefined);
  if (unused !== undefined) throw new ConfigError(`--${unused} needs --against URL`);
  checkListening(config);
  const folder = await mkdtemp(join(tmpdir(), "transfer-quote-check-"));
  try {
    const publicUrl = publicUrlOf(config, config.httpPort);
    const site = { publicUrl, issuerOrigin: publicUrl, quotesFolder: folder, sendsEvents: false, servesHttp: false };
    const findings = await auditCatalog(config, { all, before });
    const isWrong = findings.some((each) => strict || isFault(each));
    const service = await compose(config, site, { log: silentLog });
    const states = await Promise.all(service.dependencies.map(stateOf));
    const events = await eventsOf(config, service);
    await service.close();
    const table: (readonly [string, string, string])[] = [];
    table.push(["configuration", "ok", config.unknownVariables.map((name) => `unknown: ${name}`).join(", ")]);
    table.push(["sandbox", ...sandboxState(config)]);
    table.push(["catalog", findings.some(isFault) ? "FAULT" : "ok", config.catalogDir]);
    const corridors = corridorSources(embeddedPricing(config), SUMMER_NOON);
    table.push(["road data", "ok", mostEstimated(corridors)]);
    for (const { name, ok, fault } of states) table.push([name, ok ? "ok" : "FAULT", fault ?? ""]);
    if (events) table.push(["events", ...events]);
    for (const { need, state, consequence } of await signInOf(config, `${publicUrl}/mcp`))
      table.push([`sign-in: ${need}`, state, consequence]);
    process.stdout.write(`${shownRows(table)}${shownFindings(findings)}`);
    if (sources) process.stdout.write(`\n${sourcesTable(corridors)}`);
    return states.every(({ ok }) => ok) && !isWrong ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const { mistakes, findings } = auditUnloaded(config);
    process.stdout.write(`${shownMistakes([...new Set([...error.mistakes, ...mistakes])])}${shownFindings(findings)}`);
    return 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const COLORS: Readonly<Record<string, "green" | "yellow" | "red">> = { ok: "green", WARNING: "yellow", FAULT: "red" };

/** One line for each row; a text that is too long goes on below itself. */
function shownRows(rows: readonly (readonly [string, string, string])[]): string {
  const [first, second] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)) + 2);
  const indent = (first ?? 0) + (second ?? 0);
  const line = ([what, state, text]: (typeof rows)[number]) => {
    const [color, cell] = [COLORS[state], state.padEnd(second ?? 0)];
    return `${what.padEnd(first ?? 0)}${color ? colored(color, cell) : cell}${wrapped(text, indent)}`;
  };
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

export const check = defineCommand({ operands: [], options, run });

function sandboxState({ sandbox, authIssuer }: Config): readonly [string, string] {
  if (!sandbox) return ["off", ""];
  return authIssuer === undefined
    ? ["on", "the development issuer runs"]
    : ["WARNING", "on with an external issuer: callers can provoke errors and quotes of no real place"];
}

/** The receiver of events, and the length of the outbox in a database. The embedded outbox is open in the server alone. */
async function eventsOf({ eventsUrl, eventsSecrets = [], databaseUrl }: Config, { outbox }: Service) {
  if (eventsUrl === undefined) return undefined;
  const signed = eventsSecrets.length === 1 ? "1 secret signs" : `${eventsSecrets.length} secrets sign`;
  const target = `to ${new URL(eventsUrl).origin}, ${signed}`;
  if (databaseUrl === undefined || !outbox) return ["ok", target] as const;
  try {
    const { length } = await outbox.backlog();
    return ["ok", `${target}; ${length} waiting`] as const;
  } catch {
    // Another row of the table has the cause.
    return ["FAULT", target] as const;
  }
}

/** How MCP hosts can sign in at an external identity provider. */
async function signInOf(
  { authIssuer, authAudiences = [] }: Config,
  resource: string,
): Promise<readonly IssuerFinding[]> {
  return authIssuer === undefined ? [] : inspectIssuer(authIssuer, resource, [...authAudiences, resource]);
}

/** Where the kilometers of a published corridor on the embedded network come from. */
export interface CorridorSources {
  readonly key: string;
  /** Kilometers by the source of their roads. */
  readonly km: ReadonlyMap<string, number>;
  /** Share of the length that is estimated, 0 to 1. */
  readonly estimated: number;
}

type Loaded = Pick<ReturnType<typeof embeddedPricing>, "catalog" | "places" | "network">;

/** Measures every published corridor at `departure`. */
export function corridorSources({ catalog, places, network }: Loaded, departure: Date): readonly CorridorSources[] {
  return catalog.corridors.map(({ key, origin, destination }) => {
    const stops = stopsAt(places, [origin, destination]);
    const km = new Map<string, number>();
    let length = 0;
    for (const road of network.joins(stops, departure) ? network.journey(stops, departure).roads : []) {
      km.set(road.source, (km.get(road.source) ?? 0) + road.km);
      length += road.km;
    }
    return { key, km, estimated: length === 0 ? 0 : (km.get("estimate") ?? 0) / length };
  });
}

/** A line for each corridor, the most estimated one first. */
export function sourcesTable(corridors: readonly CorridorSources[]): string {
  const sources = [...new Set(corridors.flatMap(({ km }) => [...km.keys()]))].sort();
  const head = ["Kilometers by source", ...sources, "est. %"];
  const rows = [...corridors]
    .sort((a, b) => b.estimated - a.estimated)
    .map(({ key, km, estimated }) => [
      key,
      ...sources.map((source) => (km.get(source) ?? 0).toFixed(1)),
      (estimated * 100).toFixed(1),
    ]);
  return columns([head, ...rows]).join("");
}

export function mostEstimated(corridors: readonly CorridorSources[]): string {
  const most = Math.max(0, ...corridors.map(({ estimated }) => estimated));
  return `${corridors.length} published corridors; at most ${(most * 100).toFixed(1)} % of one is estimated`;
}
