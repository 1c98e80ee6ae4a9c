import { type Catalog, loadCatalog, uncheckedCatalog } from "../../catalog/catalog.ts";
import { CatalogError, openCatalogFolder } from "../../catalog/catalog-folder.ts";
import type { Corridor } from "../../catalog/catalog-schema.ts";
import { unversionedChanges } from "../../catalog/unversioned-changes.ts";
import { fareMistakes } from "../../compose/compose-pricing.ts";
import { openTerminalQuotes, type TerminalQuotes } from "../../compose/compose-terminal.ts";
import type { Config } from "../../config/config.ts";
import { instantOfLocal, localDateTime } from "../../ops/local-time.ts";
import { packagedCatalog } from "../../ops/package-root.ts";
import { createRoadNetwork } from "../../routing/road-network.ts";
import { type CorridorPrices, corridorPrices } from "../corridor-prices.ts";
import { type Finding, isFault, warning } from "./finding.ts";
import { auditAmounts, auditClasses, auditDirections, auditFares, auditOperator, auditRates } from "./money.ts";
import { auditEnded, auditReach, auditSeasons } from "./offers.ts";
import { auditCorridors, auditNodes, auditPlaces } from "./roads.ts";
import { auditTranslations } from "./translations.ts";

const WEEK = 7 * 24 * 60 * 60 * 1000;

interface AuditOptions {
  /** Folder of the catalog that was in use before. */
  readonly before?: string | undefined;
  /** Whether long lists are complete. */
  readonly all?: boolean | undefined;
}

/** Findings about a catalog that can be loaded, faults first. Throws CatalogError where it cannot. */
export async function auditCatalog(
  config: Config,
  { before = packagedCatalog, all = false }: AuditOptions = {},
): Promise<readonly Finding[]> {
  const folder = openCatalogFolder(config.catalogDir);
  folder.readAll();
  const today = new Date();
  let now = today;
  const quotes = await openTerminalQuotes(config, { now: () => now }, { everyClass: true });
  try {
    const { catalog, places } = quotes;
    const { roads, tariff } = catalog;
    now = new Date(ordinaryNoon(tariff.timeZone).getTime() - WEEK);
    const audited = { folder, catalog, places, network: createRoadNetwork(roads, tariff.timeZone) };
    const findings = [
      ...auditFiles(catalog, today, all),
      ...unversionedChanges(loadCatalog(before), catalog).map(({ file, path, text }) => warning(file, path, text)),
      ...[auditNodes, auditPlaces, auditCorridors, auditFares].flatMap((audit) => audit(audited)),
      ...(await auditPrices(quotes)),
    ];
    return findings.sort((a, b) => Number(isFault(b)) - Number(isFault(a)));
  } finally {
    await quotes.close();
  }
}

/** Findings about a catalog that cannot be loaded, of the audits that need neither roads nor prices. */
export function auditUnloaded({ catalogDir }: Config) {
  try {
    const catalog = uncheckedCatalog(catalogDir);
    return { mistakes: fareMistakes(catalog, catalogDir), findings: auditFiles(catalog, new Date(), false) };
  } catch (error) {
    if (error instanceof CatalogError) return { mistakes: [], findings: [] };
    throw error;
  }
}

function auditFiles(catalog: Catalog, today: Date, all: boolean): readonly Finding[] {
  const audits = [auditOperator, auditRates, auditAmounts, auditClasses, auditDirections, auditSeasons, auditReach];
  const found = audits.flatMap((audit) => audit(catalog));
  return [...found, ...auditTranslations(catalog, all), ...auditEnded(catalog, today)];
}

/** Noon of a Tuesday that is no holiday anywhere. */
const ORDINARY_NOON = "2026-09-15T12:00:00";
const ordinaryNoon = (timeZone: string) => instantOfLocal(ORDINARY_NOON, timeZone);

/** Corridors that cost less than a shorter one from the same place. Each is reported for one vehicle class. */
async function auditPrices(quotes: TerminalQuotes): Promise<readonly Finding[]> {
  const { corridors, tariff, vehicleClasses } = quotes.catalog;
  const pickup = localDateTime(ordinaryNoon(tariff.timeZone), tariff.timeZone);
  const priced: (CorridorPrices & Pick<Corridor, "origin">)[] = [];
  for (const corridor of corridors)
    priced.push({ origin: corridor.origin, ...(await corridorPrices(quotes, corridor, pickup)) });
  return priced.flatMap((longer) => {
    const shorter = priced.filter(({ origin, km }) => origin === longer.origin && (km ?? 0) < (longer.km ?? 0));
    for (const { id } of vehicleClasses) {
      const price = withoutFees(longer, id);
      const dearer = shorter.find((each) => (withoutFees(each, id) ?? 0) > (price ?? Number.POSITIVE_INFINITY));
      if (!dearer) continue;
      const costs = (corridor: CorridorPrices) => `${withoutFees(corridor, id)?.toFixed(2)} for ${corridor.km} km`;
      const text = `${id} costs ${costs(longer)} without tolls, but ${dearer.key} costs ${costs(dearer)}`;
      return [warning("corridors.json", longer.key, text)];
    }
    return [];
  });
}

function withoutFees({ prices }: CorridorPrices, id: string): number | undefined {
  const price = prices.get(id);
  return price && price.total - price.fees;
}
