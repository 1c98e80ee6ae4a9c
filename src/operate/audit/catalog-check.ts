import type { readCatalog } from "../../domain/catalog/catalog.ts";
import type { Finding } from "../../domain/catalog/finding.ts";
import type { PlaceFinder } from "../../domain/places/place-finder.ts";
import type { Zones } from "../../domain/places/zones.ts";
import type { RoadNetwork } from "../../domain/routing/road-network.ts";

/** A catalog without mistakes, and what measures journeys in it. */
export interface Audited extends ReturnType<typeof readCatalog> {
  readonly places: PlaceFinder;
  /** The roads alone, without the published distances of corridors. */
  readonly network: RoadNetwork;
  readonly zones: Zones;
  readonly now: Date;
}

/** The same text for each record, or one that depends on it. */
type Text<Each> = string | ((each: Each) => string);

export interface Check {
  readonly severity: "fault" | "warning";
  find(audited: Audited): readonly Finding[];
}

/**
 * One thing that can be wrong with each of some records: file, record and field (empty for the whole file), whether it is
 * wrong, and what to say, with the value and what to do.
 */
type Row<Each> = [
  each: (audited: Audited) => readonly Each[],
  file: Text<Each>,
  at: Text<Each>,
  wrong: (each: Each) => boolean,
  text: Text<Each>,
];

export const fault = <Each>(...row: Row<Each>): Check => check("fault", row);
export const warning = <Each>(...row: Row<Each>): Check => check("warning", row);

function check<Each>(severity: Check["severity"], [each, file, at, wrong, text]: Row<Each>): Check {
  const of = (column: Text<Each>, one: Each) => (typeof column === "string" ? column : column(one));
  const finding = (one: Each) => ({ severity, file: of(file, one), path: of(at, one), text: of(text, one) });
  return { severity, find: (audited) => each(audited).filter(wrong).map(finding) };
}

/** Each record of which an earlier one has the same content, with the first of these. */
export function repeated<Each>(records: readonly Each[], contentOf: (each: Each) => unknown) {
  const firsts = new Map<string, Each>();
  return records.flatMap((each) => {
    const content = JSON.stringify(contentOf(each));
    const earlier = firsts.get(content);
    if (earlier === undefined) firsts.set(content, each);
    return earlier === undefined ? [] : [{ each, earlier }];
  });
}

/** For rows whose records are wrong already. */
export const always = () => true;
