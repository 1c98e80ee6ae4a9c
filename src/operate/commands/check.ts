import type { CalendarReading } from "../../adapters/availability/read-calendar.ts";
import { inspectIssuer } from "../../adapters/identity/issuer-metadata.ts";
import { counted } from "../../contract/notices.ts";
import { type Catalog, loadCatalog, readCatalog } from "../../domain/catalog/catalog.ts";
import { type CatalogKind, catalogKinds, kindOf } from "../../domain/catalog/catalog-files.ts";
import { unversionedChanges } from "../../domain/catalog/changes.ts";
import { CatalogError, findingText } from "../../domain/catalog/finding.ts";
import { createZones } from "../../domain/places/zones.ts";
import { packagedCatalog } from "../../ops/package-root.ts";
import { auditCatalog } from "../audit/audit.ts";
import { daysIn } from "../audit/fares.ts";
import { exampleOnSale, pricingOf } from "../compose/embedded-pricing.ts";
import { inspectDependencies } from "../compose/inspect-dependencies.ts";
import { type Config, checkListening, issuerOf, publicUrlOf } from "../config/config.ts";
import type { CommandCall } from "./command.ts";
import { print } from "./print.ts";
import { colored, jsonText, listed } from "./terminal-text.ts";

export const options = {
  strict: { meaning: "exits with 1 on a warning too" },
  before: { value: "FOLDER", meaning: "an earlier catalog; default: the packaged one" },
  json: { meaning: "rows and findings as JSON" },
} as const;

/**
 * The `check` command: reads configuration and catalog, audits the catalog, pings every dependency, reads the identity
 * provider's metadata and prints what it finds. It only reads, so that it may run beside a server or before an upgrade.
 * Returns the exit code: 1 for a fault, with `strict` for a warning too. What an identity provider's metadata lacks for
 * MCP hosts is neither.
 */
export async function run({ config, values, opened }: CommandCall<typeof options>): Promise<number> {
  const { strict = false, before = packagedCatalog } = values;
  checkListening(config);
  const publicUrl = publicUrlOf(config, config.httpPort);
  const { read, loaded, findings } = auditFolder(config.catalogDir, before);
  const { states, changes, waiting, calendar, credentials } = await inspectDependencies(config, loaded, opened);
  // A start and a reload refuse the catalog for it.
  const isRefused = findings.some(({ severity }) => severity !== "warning");
  const [example] = exampleOnSale(config);
  const rows: { readonly name: string; readonly state: string; readonly text: string }[] = [];
  const row = (name: string, state: string, text = "") => void rows.push({ name, state, text });
  row("configuration", ...unknownSettings(config));
  row("sandbox", ...sandboxState(config));
  row("catalog", example || isRefused ? "FAULT" : "ok", example?.text ?? config.catalogDir);
  for (const { name, ok, fault } of states) row(name, ok ? "ok" : "FAULT", fault);
  if (loaded && calendar) row("taken vehicles", ...calendarState(loaded.catalog, calendar));
  if (config.eventsUrl !== undefined) row("events", "ok", eventsText(config.eventsUrl, config.eventsSecrets, waiting));
  row("a start", changes.length > 0 ? "changes" : "ok", changes.join("; ") || "changes nothing");
  if (credentials) row("sign-in", credentials.length > 0 ? "ok" : "WARNING", credentialsText(credentials.length));
  const { authIssuer, authAudiences = [] } = config;
  const needs = authIssuer === undefined ? [] : await inspectIssuer(authIssuer, `${publicUrl}/mcp`, authAudiences);
  for (const { need, state, consequence } of needs) row(`sign-in: ${need}`, state, consequence);
  // The embedded issuer gives nobody a token for their prices.
  const lacking = loaded?.catalog.clients.map(({ id }) => id).filter((id) => credentials && !credentials.includes(id));
  if (lacking?.length) row("clients", "WARNING", `${NO_CREDENTIAL}: ${lacking.join(", ")}`);
  const files = read ? filesOf(read) : [];
  if (values.json) process.stdout.write(`${jsonText({ rows, files, findings })}\n`);
  else {
    await print(rows, (row) => row, "table", "text");
    if (files.length > 0) process.stdout.write("\n");
    await print(files, (file) => file, "table", "has");
    show("Zones", read ? zonesOf(read) : []);
    show("Seasons", read ? seasonsOf(read) : []);
    for (const [severity, title] of Object.entries(TITLES))
      show(title, findings.filter((each) => each.severity === severity).map(findingText));
  }
  const isIn = (state: string) => rows.some((row) => row.state === state);
  return isIn("FAULT") || (strict && (isIn("WARNING") || findings.length > 0)) ? 1 : 0;
}

const NO_CREDENTIAL = "without a credential, so that nobody gets their prices";

const TITLES = {
  mistake: "The catalog cannot be used",
  fault: "Faults in the catalog",
  warning: "Warnings in the catalog",
} as const;

/** Lines under a title; nothing where there are none. */
function show(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`\n${colored("bold", title)}:\n${listed(lines)}`);
}

/**
 * The catalog, absent where it has mistakes, and all findings: mistakes alone, or faults, then warnings. `before` is the
 * folder of the catalog that was in use before.
 */
export function auditFolder(catalogDir: string, before: string) {
  try {
    const read = readCatalog(catalogDir);
    const loaded = pricingOf(read.catalog);
    const { places, roadNetwork: network } = loaded;
    const findings = auditCatalog({ ...read, places, network, now: new Date() });
    const earlier = before === catalogDir ? read.catalog : loadCatalog(before);
    return { read, loaded, findings: [...findings, ...unversionedChanges(earlier, read.catalog)] };
  } catch (error) {
    if (error instanceof CatalogError) return { read: undefined, loaded: undefined, findings: error.findings };
    throw error;
  }
}

type Read = ReturnType<typeof readCatalog>;

/** The files of a catalog: where each is from, and how many records it has. */
function filesOf({ contents: { files, sources } }: Read) {
  return [...files].map(([file, content]) => {
    const { keys } = catalogKinds[kindOf(file) as CatalogKind];
    const lists = Object.keys(keys).map((list) => `${Object.keys(Object(content[list])).length} ${list}`);
    return { file, from: sources.get(file) ?? "", has: lists.join(", ") };
  });
}

const FEW = 5;

/** The first few places of each zone. */
function zonesOf({ catalog }: Read): readonly string[] {
  const { placesIn } = createZones(catalog);
  return catalog.zones.map(({ id }) => {
    const places = [...placesIn(id)].map((place) => place.id);
    const others = places.length - FEW;
    const more = others > 0 ? ` and ${others} more, which the command places ${id} lists` : "";
    return `${id} contains ${places.slice(0, FEW).join(", ") || "no place"}${more}`;
  });
}

/** A misspelled setting is as if it were not set; any other may be that of another version. */
function unknownSettings({ unknownVariables }: Config): readonly [string, string] {
  const text = unknownVariables
    .map(({ name, meant }) => `unknown: ${name}${meant ? `; did you mean ${meant}?` : ""}`)
    .join(", ");
  return [unknownVariables.some(({ meant }) => meant) ? "WARNING" : "ok", text];
}

/** The days of each season, so that two that are swapped stand out. */
function seasonsOf({ catalog: { seasons } }: Read): readonly string[] {
  return seasons.map(({ id, percent, dates = [] }) => {
    const days = dates.map((each) => `${each.from} to ${each.to} (${counted(daysIn(each), "day")})`);
    return `${id} ${percent} %, ${days.join(", ") || "without dates"}`;
  });
}

function sandboxState(config: Config): readonly [string, string] {
  if (!config.sandbox) return ["off", ""];
  return issuerOf(config) === "development"
    ? ["on", "the development issuer runs"]
    : ["WARNING", "on without the development issuer: callers can provoke errors and quotes of no real place"];
}

/** What the calendar of taken vehicles says of them; nothing of the texts of its events. */
function calendarState({ vehicleClasses }: Catalog, reading: CalendarReading): readonly [string, string] {
  const { events, named, unreadable, nextUnnamed, nextMisspelled, nextReversed } = reading;
  const uncounted = vehicleClasses.filter(({ id, vehicles }) => vehicles === undefined && named.has(id));
  const other = events - [...named.values()].reduce((sum, count) => sum + count, 0);
  const next = nextUnnamed.length > 0 ? ` (next: ${nextUnnamed.join(", ")})` : "";
  const counts = [...named, ...(other > 0 ? [["of no class", `${other}${next}`] as const] : [])];
  const text = [
    `${counted(events, "event")}${counts.map(([word, count]) => `, ${word} ${count}`).join("")}`,
    ...[...nextMisspelled].map(([id, begins]) => `of no class: ${begins.join(", ")}; did you mean ${id}?`),
    ...nextReversed.map((begin) => `the one on ${begin} ends before it begins and takes no vehicle: correct it`),
    ...(unreadable > 0 ? [`${unreadable} cannot be read and take no vehicle`] : []),
    ...uncounted.map(({ id }) => `${id} has no vehicles in vehicle-classes.json: only events for all take it`),
  ];
  const isWrong = unreadable + uncounted.length + nextMisspelled.size + nextReversed.length > 0;
  return [isWrong ? "WARNING" : "ok", text.join("; ")];
}

/** The receiver of events, and how many wait in a database. The embedded outbox is open in the server alone. */
function eventsText(url: string, secrets: readonly string[] = [], waiting?: number): string {
  const signed = secrets.length === 1 ? "1 secret signs" : `${secrets.length} secrets sign`;
  return `to ${new URL(url).origin}, ${signed}${waiting === undefined ? "" : `; ${waiting} waiting`}`;
}

/** How MCP hosts can sign in with the embedded issuer. */
function credentialsText(count: number): string {
  const limits =
    "whoever uses an admitted host can sign in, and only budgets and a handoff to the traveler limit what they do";
  return `${counted(count, "credential")} of the embedded issuer; it has no accounts: ${limits}`;
}
