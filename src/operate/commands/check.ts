import { inspectIssuer } from "../../adapters/identity/issuer-metadata.ts";
import { counted } from "../../contract/notices.ts";
import { type Catalog, loadCatalog, readCatalog } from "../../domain/catalog/catalog.ts";
import { unversionedChanges } from "../../domain/catalog/changes.ts";
import { CatalogError, type Finding, findingText } from "../../domain/catalog/finding.ts";
import { isPackaged } from "../../domain/catalog/read-contents.ts";
import { createZones } from "../../domain/places/zones.ts";
import { packagedCatalog } from "../../ops/package-root.ts";
import { auditCatalog } from "../audit/audit.ts";
import { SUMMER_NOON, stopsAt } from "../audit/places.ts";
import { pricingOf } from "../compose/embedded-pricing.ts";
import { inspectDependencies } from "../compose/inspect-dependencies.ts";
import { type Config, checkListening, publicUrlOf } from "../config/config.ts";
import { widthsOf } from "./columns.ts";
import type { Arguments } from "./command.ts";
import { colored, jsonText, wrapped } from "./terminal-text.ts";

export const options = {
  strict: { meaning: "exits with 1 on a warning too" },
  all: {
    meaning: "lists all places of a zone, its unknown postcodes, routes of a fare and texts without a translation",
  },
  before: { value: "FOLDER", meaning: "an earlier catalog; default: the packaged one" },
  json: { meaning: "rows and findings as JSON" },
} as const;

/**
 * The `check` command: reads configuration and catalog, audits the catalog, pings every dependency, reads the identity
 * provider's metadata and prints what it finds. It only reads, so that it may run beside a server or before an upgrade.
 * Returns the exit code: 1 for a fault of the catalog or a dependency. Findings about the sign-in of MCP hosts never
 * change it.
 */
export async function run(config: Config, { values }: Arguments<typeof options>): Promise<number> {
  const { strict = false, all, before = packagedCatalog } = values;
  checkListening(config);
  const publicUrl = publicUrlOf(config, config.httpPort);
  const { loaded, findings } = auditFolder(config.catalogDir, { before, all });
  const { states, changes, waiting } = await inspectDependencies(config, loaded);
  // A start and a reload refuse the catalog for it.
  const isRefused = findings.some(({ severity }) => severity !== "warning");
  const isWrong = strict ? findings.length > 0 : isRefused;
  const table: (readonly [string, string, string])[] = [
    ["configuration", "ok", config.unknownVariables.map((name) => `unknown: ${name}`).join(", ")],
    ["sandbox", ...sandboxState(config)],
    ["catalog", isRefused ? "FAULT" : "ok", config.catalogDir],
    ...(loaded ? [["road data", "ok", mostEstimated(corridorRoads(loaded, SUMMER_NOON))] as const] : []),
    ...states.map(({ name, ok, fault = "" }) => [name, ok ? "ok" : "FAULT", fault] as const),
    ...eventsOf(config, waiting),
    ["a start", changes.length > 0 ? "changes" : "ok", changes.join("; ") || "changes nothing"],
    ...(await signInOf(config, `${publicUrl}/mcp`)),
  ];
  const contents = loaded ? loadedCatalog(loaded.catalog, all) : [];
  const rows = table.map(([name, state, text]) => ({ name, state, text }));
  process.stdout.write(
    values.json
      ? `${jsonText({ rows, loaded: contents, findings })}\n`
      : `${shownRows(table)}${listed("Loaded", contents)}${shownFindings(findings)}`,
  );
  return states.every(({ ok }) => ok) && !isWrong ? 0 : 1;
}

/**
 * The catalog, absent where it has mistakes, and all findings: mistakes alone, or faults, then warnings. `before` is the
 * folder of the catalog that was in use before; `all` makes long lists complete.
 */
export function auditFolder(catalogDir: string, { before, all }: { before: string; all?: boolean | undefined }) {
  try {
    const read = readCatalog(catalogDir);
    const loaded = pricingOf(read.catalog);
    const { places, roadNetwork: network } = loaded;
    const findings = auditCatalog({ ...read, places, network, now: new Date(), all });
    const earlier = before === catalogDir ? read.catalog : loadCatalog(before);
    return { loaded, findings: [...findings, ...unversionedChanges(earlier, read.catalog)] };
  } catch (error) {
    if (error instanceof CatalogError) return { loaded: undefined, findings: error.findings };
    throw error;
  }
}

const FEW = 5;

/**
 * What a catalog contains, by file, and whether a file is packaged or merged with the packaged one: the number of
 * records, the places of each zone and the routes of each fare, the first few of them unless all are asked for.
 */
function loadedCatalog(catalog: Catalog, all = false): readonly string[] {
  const { zones, fares, places, vehicleClasses, corridors, seasons, stopSales, bookingWindows } = catalog;
  const { placesIn } = createZones(catalog);
  const inZone = (id: string) => [...placesIn(id)].map((place) => place.id);
  const count = (things: readonly unknown[], one: string, many?: string) => counted(things.length, one, many);
  const from = (file: string) => {
    const source = catalog.sources.get(file) ?? "no file";
    return source === "own" ? "" : ` (${source})`;
  };
  const named = (names: readonly string[], one: string, separator = ", ") => {
    const shown = all ? names : names.slice(0, FEW);
    const more = names.length > shown.length ? ` and ${names.length - shown.length} more, which --all lists` : "";
    return names.length === 0 ? `no ${one}` : `${count(names, one)}: ${shown.join(separator)}${more}`;
  };
  const line = (file: string, text: string) => `${file}: ${text}${from(file)}`;
  const files = [...catalog.sources].map(([file]) => file);
  const packaged = files.filter((file) => catalog.sources.get(file) === "packaged");
  const own = files.filter((file) => !packaged.includes(file));
  return [
    line("corridors.json", count(corridors, "corridor")),
    line("vehicle-classes.json", count(vehicleClasses, "class", "classes")),
    `places/: ${count(places, "place")}; roads/: ${count(catalog.roads.edges, "road")}`,
    line("availability.json", `${count(stopSales, "stop-sale")}, ${count(bookingWindows, "booking window")}`),
    line("fares.json", count(fares, "fare")),
    line("seasons.json", count(seasons, "season")),
    line("place-fees.json", count(catalog.placeFees, "fee")),
    line("service-rules.json", count(catalog.serviceRules, "rule")),
    line("closures.json", count(catalog.closures, "closure")),
    line("clients.json", count(catalog.clients, "client")),
    line("zones.json", count(zones, "zone")),
    ...zones.map(({ id }) => `zone ${id} contains ${named(inZone(id), "place")}`),
    ...fares.map(({ id, routes, rappen }) => {
      const ends = routes.map(({ from, to, bothWays }) => `${from} ${bothWays ? "and" : "to"} ${to}`);
      return `fare ${id} is for ${named(ends, "route", "; ")}: ${Object.keys(rappen).join(", ")}`;
    }),
    ...(isPackaged(catalog.folder)
      ? []
      : [`from the folder: ${own.join(", ") || "nothing"}`, `from the package: ${packaged.join(", ") || "nothing"}`]),
  ];
}

/** Lines under a title; nothing where there are none. */
function listed(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return `\n${colored("bold", title)}:\n${lines.map((line) => `- ${wrapped(line, 2)}`).join("")}`;
}

const TITLES = {
  mistake: "The catalog cannot be used",
  fault: "Faults in the catalog",
  warning: "Warnings in the catalog",
} as const;

function shownFindings(findings: readonly Finding[]): string {
  return Object.entries(TITLES)
    .map(([severity, title]) => listed(title, findings.filter((each) => each.severity === severity).map(findingText)))
    .join("");
}

const COLORS: Readonly<Record<string, "green" | "yellow" | "red">> = { ok: "green", WARNING: "yellow", FAULT: "red" };

/** One line for each row; a text that is too long goes on below itself. */
function shownRows(rows: readonly (readonly [string, string, string])[]): string {
  const [first = 0, second = 0] = widthsOf(rows).map((width) => width + 2);
  const line = ([what, state, text]: (typeof rows)[number]) => {
    const [color, cell] = [COLORS[state], state.padEnd(second)];
    return `${what.padEnd(first)}${color ? colored(color, cell) : cell}${wrapped(text, first + second)}`;
  };
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

function sandboxState({ sandbox, authIssuer }: Config): readonly [string, string] {
  if (!sandbox) return ["off", ""];
  return authIssuer === undefined
    ? ["on", "the development issuer runs"]
    : ["WARNING", "on with an external issuer: callers can provoke errors and quotes of no real place"];
}

/** The receiver of events, and how many wait in a database. The embedded outbox is open in the server alone. */
function eventsOf({ eventsUrl, eventsSecrets = [] }: Config, waiting: number | undefined) {
  if (eventsUrl === undefined) return [];
  const signed = eventsSecrets.length === 1 ? "1 secret signs" : `${eventsSecrets.length} secrets sign`;
  const length = waiting === undefined ? "" : `; ${waiting} waiting`;
  return [["events", "ok", `to ${new URL(eventsUrl).origin}, ${signed}${length}`] as const];
}

/** How MCP hosts can sign in at an external identity provider. */
async function signInOf({ authIssuer, authAudiences = [] }: Config, resource: string) {
  if (authIssuer === undefined) return [];
  const found = await inspectIssuer(authIssuer, resource, [...new Set([...authAudiences, resource])]);
  return found.map(({ need, state, consequence }) => [`sign-in: ${need}`, state, consequence] as const);
}

type Loaded = Pick<ReturnType<typeof pricingOf>, "catalog" | "places" | "network">;

/** The roads of each published corridor at `departure`: their kilometers, and what share is estimated, 0 to 1. */
export function corridorRoads({ catalog, places, network }: Loaded, departure: Date) {
  return catalog.corridors.map(({ key, origin, destination }) => {
    const stops = stopsAt(places, [origin, destination]);
    const roads = network.joins(stops, departure) ? network.journey(stops, departure).roads : [];
    const kmOf = (some: typeof roads) => some.reduce((sum, road) => sum + road.km, 0);
    const km = kmOf(roads);
    return { key, km, estimated: km && kmOf(roads.filter(({ source }) => source === "estimate")) / km };
  });
}

export function mostEstimated(corridors: ReturnType<typeof corridorRoads>): string {
  const most = Math.max(0, ...corridors.map(({ estimated }) => estimated));
  return `${corridors.length} published corridors; at most ${(most * 100).toFixed(1)} % of one is estimated`;
}
