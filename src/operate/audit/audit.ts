import type { Catalog } from "../../domain/catalog/catalog.ts";
import { type Finding, isFault } from "../../domain/catalog/finding.ts";
import type { PlaceFinder } from "../../domain/places/place-finder.ts";
import type { RoadNetwork } from "../../domain/routing/road-network.ts";
import { auditCorridorFigures, auditFleet, auditPolicies, auditPositions, auditRules, auditTariff } from "./likely.ts";
import {
  auditAmounts,
  auditClasses,
  auditDirections,
  auditFares,
  auditFareTexts,
  auditOperator,
  auditRanks,
  auditRates,
} from "./money.ts";
import { auditEnded, auditReach, auditSeasons, auditServiceRules } from "./offers.ts";
import { auditCorridors, auditNodes, auditPlaces } from "./roads.ts";
import { auditTranslations } from "./translations.ts";

/** A catalog that has been read, and what measures journeys in it. */
export interface Audited {
  readonly catalog: Catalog;
  /** Absent where the catalog has mistakes with which journeys cannot be measured. */
  readonly roads?: MeasuredRoads | undefined;
  readonly now: Date;
  /** Whether long lists are complete. Default false. */
  readonly all?: boolean | undefined;
}

interface MeasuredRoads {
  readonly places: PlaceFinder;
  /** The roads alone, without the published distances of corridors. */
  readonly network: RoadNetwork;
}

/** What a check finds; what is not wrong is `false`. */
export type Found = readonly (Finding | false)[];

type Check = (audited: Audited) => Found;

/** The checks that find faults. A start and a reload run them too: a catalog with faults is refused. */
const OF_FAULTS: readonly Check[] = [
  ({ catalog }) => catalog.fileFaults,
  auditOperator,
  auditRates,
  auditClasses,
  auditRanks,
  auditPlaces,
  auditFares,
  auditPositions,
  auditTariff,
  auditCorridorFigures,
  auditPolicies,
  auditRules,
];

/** The checks that find warnings alone. */
const OF_WARNINGS: readonly Check[] = [
  auditFleet,
  auditAmounts,
  auditFareTexts,
  auditDirections,
  auditSeasons,
  auditReach,
  auditTranslations,
  auditServiceRules,
  auditEnded,
  auditNodes,
  auditCorridors,
];

/** For which a start or a reload refuses the catalog. */
export function faultsIn(audited: Audited): readonly Finding[] {
  return OF_FAULTS.flatMap((check) => check(audited))
    .filter((each) => each !== false)
    .filter(isFault);
}

/** All findings. With `hasMistakes` a check that the mistakes make fail finds nothing. */
export function auditCatalog(audited: Audited, hasMistakes: boolean): readonly Finding[] {
  return [...OF_FAULTS, ...OF_WARNINGS].flatMap((check) => {
    try {
      return check(audited).filter((each) => each !== false);
    } catch (error) {
      if (hasMistakes) return [];
      throw error;
    }
  });
}
