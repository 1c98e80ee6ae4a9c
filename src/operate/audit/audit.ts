import type { Finding } from "../../domain/catalog/finding.ts";
import { createZones } from "../../domain/places/zones.ts";
import type { Audited, Check } from "./catalog-check.ts";
import { ofFares } from "./fares.ts";
import { ofNumbers } from "./numbers.ts";
import { ofOperator } from "./operator.ts";
import { ofPlaces } from "./places.ts";
import { ofRules } from "./rules.ts";
import { ofTariff } from "./tariff.ts";
import { ofTexts } from "./texts.ts";

const CHECKS: readonly Check[] = [
  ...[...ofOperator, ...ofNumbers, ...ofTariff, ...ofPlaces, ...ofFares, ...ofRules, ...ofTexts],
];

/** Faults, for which a start or a reload refuses the catalog, then warnings, unless faults alone are asked for. */
export function auditCatalog(
  read: Omit<Audited, "zones">,
  severities: readonly Check["severity"][] = ["fault", "warning"],
): readonly Finding[] {
  const audited = { ...read, zones: createZones(read.catalog) };
  const checks = severities.flatMap((each) => CHECKS.filter(({ severity }) => severity === each));
  return [...read.faults, ...checks.flatMap(({ find }) => find(audited))];
}
