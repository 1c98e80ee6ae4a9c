import type { DayCount } from "../ledger/day-counts.ts";
import { columns } from "./columns.ts";

/** What a report lists besides sales. */
export interface ReportCounts {
  readonly unclearPlaces: readonly DayCount[];
  readonly codes: readonly DayCount[];
}

const MOST_PLACES = 50;

export function countsOf(counts: readonly DayCount[]): ReportCounts {
  return {
    unclearPlaces: counts.filter(({ kind }) => kind === "place").slice(0, MOST_PLACES),
    codes: counts.filter(({ kind }) => kind === "code"),
  };
}

/** For people, in 80 columns: names have at most 60 characters. */
export function countTables({ unclearPlaces, codes }: ReportCounts): string {
  const places = unclearPlaces.map(({ name, count }) => [printable(name), String(count)]);
  const byClient = codes.map(({ name, code, count }) => [short(printable(name)), code, String(count)]);
  return [
    ...(places.length > 0 ? [columns([["places not found, or several of the name", "texts"], ...places])] : []),
    ...(byClient.length > 0 ? [columns([["client", "code", "calls"], ...byClient], 2)] : []),
  ]
    .map((table) => `\n${table}`)
    .join("");
}

export function wireCounts({ unclearPlaces, codes }: ReportCounts) {
  return {
    unclear_places: unclearPlaces.map(({ name, count }) => ({ text: name, count })),
    codes: codes.map(({ name, code, count }) => ({ client: name, code, count })),
  };
}

const CLIENT_WIDTH = 36;

function short(name: string): string {
  return name.length > CLIENT_WIDTH ? `${name.slice(0, CLIENT_WIDTH - 1)}…` : name;
}

/** Without what moves the cursor of a terminal. */
export function printable(name: string | null): string {
  return name?.replace(/\p{C}/gu, "?") ?? "(none)";
}
