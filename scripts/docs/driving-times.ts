import { PublicError } from "../../src/contract/errors.ts";
import { stopOf } from "../../src/domain/quotes/locate-points.ts";
import { recordsOf } from "../../test/support/csv-records.ts";
import { defaultCatalog } from "../../test/support/quoting-fixture.ts";
import { pathOf } from "./road-distances.ts";
import { table } from "./with-marked.ts";

const HEAD = ["ends", "july_noon", "january_15_10_00", "july_02_00", "published", "by", "difference_at_noon"];
const NOON = new Date("2027-07-15T10:00:00Z");
const OTHER_INSTANTS = [new Date("2027-01-15T09:00:00Z"), new Date("2027-07-15T00:00:00Z")];

interface PublishedTime {
  readonly ends: string;
  readonly publishedMinutes: number;
  readonly by: string;
  readonly source: string;
  readonly noonMinutes: number;
  /** The part of `noonMinutes` on mountain roads, 0 to 1. */
  readonly mountainShare: number;
  /** In winter by day and in summer by night; absent where no open road joins the ends. */
  readonly otherMinutes: readonly (number | undefined)[];
}

/** The published times of `test/domain/routing/driving-times.csv`, and those of the packaged roads. */
export async function publishedTimes(): Promise<PublishedTime[]> {
  const { places, roadNetwork: network } = defaultCatalog;
  const { signal } = new AbortController();
  const times = recordsOf(pathOf("driving-times.csv")).map(async (row) => {
    const [origin = "", destination = "", published = "", by = "", source = ""] = row.split(",");
    const located = await Promise.all([origin, destination].map((text) => places.find(text, signal)));
    const stops = located.flatMap((location) => (location.kind === "found" ? [stopOf(location)] : []));
    if (stops.length < 2) throw new Error(`Not found: ${row}`);
    const noon = network.journey(stops, NOON);
    const mountainMinutes = noon.roads
      .filter(({ road }) => road === "mountain")
      .reduce((sum, { minutes }) => sum + minutes, 0);
    return {
      ends: `${origin} – ${destination}`,
      publishedMinutes: Number(published),
      by,
      source,
      noonMinutes: noon.durationMinutes,
      mountainShare: mountainMinutes / noon.durationMinutes,
      otherMinutes: OTHER_INSTANTS.map((instant) => {
        try {
          return network.journey(stops, instant).durationMinutes;
        } catch (error) {
          if (error instanceof PublicError && error.code === "UNSUPPORTED_ROUTE") return undefined;
          throw error;
        }
      }),
    };
  });
  return Promise.all(times);
}

/** Those by car, calculated by no routing engine, of journeys that are at least 60 % of their minutes on mountain roads. */
export function mountainTimes(times: readonly PublishedTime[]): PublishedTime[] {
  return times.filter(({ by, mountainShare }) => ["guide", "taxi"].includes(by) && mountainShare >= 0.6);
}

/** The median of the published times, as shares of the network's. */
export function medianRatio(times: readonly PublishedTime[]): number {
  const ratios = times.map(({ publishedMinutes, noonMinutes }) => publishedMinutes / noonMinutes);
  const sorted = ratios.sort((a, b) => a - b);
  const half = sorted.length / 2;
  const middle = sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
  return middle.reduce((sum, ratio) => sum + ratio, 0) / middle.length;
}

/** The minutes of the packaged roads beside each published time: `driving-times.measured.csv`. */
export async function measuredTimes(): Promise<string> {
  const rows = (await publishedTimes()).map(({ ends, publishedMinutes, by, noonMinutes, otherMinutes }) => [
    ends,
    ...[noonMinutes, ...otherMinutes].map((minutes) => (minutes === undefined ? "closed" : `${Math.round(minutes)}`)),
    `${publishedMinutes}`,
    by,
    signedPercent(noonMinutes / publishedMinutes),
  ]);
  return `${[HEAD, ...rows].map((cells) => cells.join(",")).join("\n")}\n`;
}

/** The table of `docs/maintainers/roads.md`: how far the minutes of the packaged roads are from published ones. */
export async function timeErrors(): Promise<string> {
  const times = await publishedTimes();
  const rows = [...new Set(times.map(({ by }) => by))].map((kind) => {
    const ours = times.filter(({ by }) => by === kind);
    const ratios = ours.map(({ publishedMinutes, noonMinutes }) => noonMinutes / publishedMinutes);
    const all = [1 / medianRatio(ours), Math.min(...ratios), Math.max(...ratios)];
    return [kind, `${ours.length}`, ...all.map(signedPercent)];
  });
  const mountain = mountainTimes(times);
  const sources = new Set(mountain.map(({ source }) => source));
  const ratio = medianRatio(mountain);
  const percent = Math.round(Math.abs(ratio - 1) * 100);
  return `${table(["Published by", "Times", "Ours at the median", "Shortest", "Longest"], rows)}

Of these, ${mountain.length} times of ${sources.size} sources are by car, of no routing engine, and mostly on mountain roads: at the median they are ${percent} % ${ratio < 1 ? "shorter" : "longer"} than ours.`;
}

function signedPercent(ratio: number): string {
  const percent = Math.round((ratio - 1) * 100);
  return `${percent > 0 ? "+" : ""}${percent} %`;
}
