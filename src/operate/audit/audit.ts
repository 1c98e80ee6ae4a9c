import type { Finding } from "../../domain/catalog/finding.ts";
import { createZones } from "../../domain/places/zones.ts";
import type { Audited, Check } from "./catalog-check.ts";
import { ofClients } from "./clients.ts";
import { ofFares } from "./fares.ts";
import { ofFleet } from "./fleet.ts";
import { ofOperator } from "./operator.ts";
import { ofPlaces } from "./places.ts";
import { ofRules } from "./rules.ts";
import { ofSeasons } from "./seasons.ts";
import { ofTariff } from "./tariff.ts";
import { ofTexts } from "./texts.ts";
import { ofValues } from "./values.ts";

const CHECKS: readonly Check[] = [
  ...[...ofOperator, ...ofTariff, ...ofFleet, ...ofClients, ...ofPlaces],
  ...[...ofFares, ...ofSeasons, ...ofRules, ...ofTexts, ...ofValues],
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
