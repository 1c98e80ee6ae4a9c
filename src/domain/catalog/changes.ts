import { isDeepStrictEqual } from "node:util";
import type { Catalog } from "./catalog.ts";
import { createFindings, type Finding } from "./finding.ts";

/** Content that differs between two catalogs although it has the same version in both. */
export function unversionedChanges(before: Catalog, after: Catalog): readonly Finding[] {
  const { all, warning } = createFindings();
  const { version } = after.tariff;
  if (version === before.tariff.version && !isDeepStrictEqual(pricesOf(before), pricesOf(after)))
    warning("tariff.json", "version", `prices changed, and the version is still ${version}: change it`);
  for (const policy of after.policyRecords) {
    const { key, version } = policy;
    const earlier = before.policyRecords.find((each) => each.key === key && each.version === version);
    if (earlier && !isDeepStrictEqual(earlier, policy))
      warning("policies.json", `${key}.version`, `the policy changed, and its version is still ${version}: change it`);
  }
  return all;
}

/** Of clients those with prices of their own: budgets and commissions are none. */
function pricesOf({ tariff, fares, seasons, placeFees, clients }: Catalog): readonly unknown[] {
  const ofClients = clients.flatMap(({ id, label, percent = 0 }) => (percent === 0 ? [] : [{ id, label, percent }]));
  return [tariff, fares, seasons, placeFees, ofClients];
}

/** The operator's files of the catalog in use that the next one lacks: a folder that was copied in part would sell without them. */
export function missingFiles(before: Catalog, after: Catalog): readonly Finding[] {
  const { all, fault } = createFindings();
  const isOwn = ({ sources }: Catalog, file: string) => ![undefined, "packaged"].includes(sources.get(file));
  for (const file of before.sources.keys())
    if (isOwn(before, file) && !isOwn(after, file))
      fault(file, "", "missing, and the catalog in use has it: add it, with an empty list for none");
  return all;
}
