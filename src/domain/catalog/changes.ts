import { isDeepStrictEqual } from "node:util";
import type { Catalog } from "./catalog.ts";
import { type Finding, fault, warning } from "./finding.ts";

/** Content that differs between two catalogs although it has the same version in both. */
export function unversionedChanges(before: Catalog, after: Catalog): readonly Finding[] {
  const { version } = after.tariff;
  const isSamePrice = isDeepStrictEqual(pricesOf(before), pricesOf(after));
  const policies = after.policies.filter((policy) =>
    before.policies.some(
      (each) => each.key === policy.key && each.version === policy.version && !isDeepStrictEqual(each, policy),
    ),
  );
  return [
    ...(version === before.tariff.version && !isSamePrice
      ? [warning("tariff.json", "version", `prices changed, and the version is still ${version}: change it`)]
      : []),
    ...policies.map(({ key, version: kept }) =>
      warning("policies.json", `${key}.version`, `the policy changed, and its version is still ${kept}: change it`),
    ),
  ];
}

function pricesOf({ tariff, fares, seasons, placeFees, clients }: Catalog): readonly unknown[] {
  return [tariff, fares, seasons, placeFees, clients.map(({ budgets: _, ...priced }) => priced)];
}

/** The operator's files of the catalog in use that the next one lacks: a folder that was copied in part would sell without them. */
export function missingFiles(before: Catalog, after: Catalog): readonly Finding[] {
  const isOwn = ({ sources }: Catalog, file: string) => ![undefined, "packaged"].includes(sources.get(file));
  return [...before.sources.keys()]
    .filter((file) => isOwn(before, file) && !isOwn(after, file))
    .map((file) => fault(file, "", "missing, and the catalog in use has it: add it, with an empty list for none"));
}
