import type { Catalog } from "./catalog.ts";

/** Content that differs between two catalogs although it has the same version in both. */
export interface UnversionedChange {
  readonly file: string;
  readonly path: string;
  readonly text: string;
}

export function unversionedChanges(before: Catalog, after: Catalog): readonly UnversionedChange[] {
  const { version } = after.tariff;
  const isSamePrice = JSON.stringify(pricesOf(before)) === JSON.stringify(pricesOf(after));
  const policies = after.policies.filter((policy) =>
    before.policies.some(
      ({ key, version, ...content }) =>
        key === policy.key &&
        version === policy.version &&
        (content.text !== policy.text || content.fullRefundCutoffHours !== policy.fullRefundCutoffHours),
    ),
  );
  return [
    ...(version === before.tariff.version && !isSamePrice
      ? [{ file: "tariff.json", path: "version", text: `prices changed, and the version is still ${version}` }]
      : []),
    ...policies.map((policy) => ({
      file: "policies.json",
      path: `${policy.key}.version`,
      text: `the policy changed, and its version is still ${policy.version}`,
    })),
  ];
}

function pricesOf({ tariff, fares, seasons, clients }: Catalog): readonly unknown[] {
  return [tariff, fares, seasons, clients];
}
