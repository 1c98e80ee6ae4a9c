import type { Finding } from "../../domain/catalog/finding.ts";
import { createZones } from "../../domain/places/zones.ts";
import type { Audited, Check } from "./catalog-check.ts";
import { ofFares } from "./fares.ts";
import { ofOperator } from "./operator.ts";
import { ofPlaces } from "./places.ts";
import { ofRules } from "./rules.ts";
import { ofTariff } from "./tariff.ts";
import { ofTexts } from "./texts.ts";

const CHECKS: readonly Check[] = [...ofOperator, ...ofTariff, ...ofPlaces, ...ofFares, ...ofRules, ...ofTexts];
const FAULTS = CHECKS.filter(({ severity }) => severity === "fault");
const WARNINGS = CHECKS.filter(({ severity }) => severity === "warning");

type Read = Omit<Audited, "zones">;

/** For which a start or a reload refuses the catalog. */
export function faultsIn(read: Read): readonly Finding[] {
  return findingsOf(read, FAULTS);
}

/** Faults, then warnings. */
export function auditCatalog(read: Read): readonly Finding[] {
  return findingsOf(read, [...FAULTS, ...WARNINGS]);
}

function findingsOf(read: Read, checks: readonly Check[]): readonly Finding[] {
  const audited = { ...read, zones: createZones(read.catalog) };
  return [...read.faults, ...checks.flatMap(({ find }) => find(audited))];
}
