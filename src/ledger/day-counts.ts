import type { Clock } from "../ops/clock.ts";
import { localTimeIn } from "../ops/local-time.ts";
import type { Log } from "../ops/log.ts";

/** How often something happened on a day: a code to a client, or a text that names no place. */
export interface DayCount {
  readonly kind: "code" | "place";
  /** The client, `null` where a token names none, or the text. */
  readonly name: string | null;
  /** Of a place the empty string. */
  readonly code: string;
  readonly count: number;
}

export interface DayCountStore {
  /** Adds to what is stored of the day (`2026-11-20`), by all processes. Rejects where the storage fails. */
  addCounts(day: string, counts: readonly DayCount[]): Promise<void>;
}

export interface DayCounts {
  finished(client: string | null, code: string): void;
  /** A text of a caller that names no place, or several. */
  unclear(text: string): void;
  /** Stores what has been counted since the last time. */
  flush(): Promise<void>;
  /** Stores the last counts and ends. */
  close(): Promise<void>;
}

export interface DayCountsParts {
  readonly store: DayCountStore;
  readonly clock: Clock;
  /** The operator's, IANA name. */
  readonly timeZone: () => string;
  /** As places are compared, so that spellings are one. */
  readonly fold: (text: string) => string;
  readonly log: Log;
}

const FLUSH_MILLISECONDS = 5_000;
/** Of a day; what is new beyond them counts under this name. */
const MOST_NAMES = 1_000;
export const OTHERS = "(others)";
const LONGEST_NAME = 60;

/** Counts in memory, and adds to the store every few seconds; a process that is killed loses those seconds. */
export function createDayCounts({ store, clock, timeZone, fold, log }: DayCountsParts): DayCounts {
  const known = { code: new Set<string>(), place: new Set<string>() };
  let pending = new Map<string | null, Map<string, number>>();
  let places = new Map<string, number>();
  let day = "";
  let failing = false;
  let flushing = Promise.resolve();
  const timer = setInterval(flush, FLUSH_MILLISECONDS).unref();

  return {
    finished(client, code) {
      const name = client === null ? null : bounded("code", client.slice(0, LONGEST_NAME));
      const codes = pending.get(name) ?? new Map<string, number>();
      codes.set(code, (codes.get(code) ?? 0) + 1);
      pending.set(name, codes);
    },
    unclear(text) {
      const name = text.includes("@") ? "" : withoutDigits(fold(text)).slice(0, LONGEST_NAME);
      if (name === "") return;
      const counted = bounded("place", name);
      places.set(counted, (places.get(counted) ?? 0) + 1);
    },
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };

  function bounded(kind: "code" | "place", name: string): string {
    const names = known[kind];
    if (!names.has(name) && names.size >= MOST_NAMES) return OTHERS;
    names.add(name);
    return name;
  }

  function flush(): Promise<void> {
    flushing = flushing.then(save);
    return flushing;
  }

  async function save(): Promise<void> {
    const today = localTimeIn(timeZone())(clock.now()).slice(0, 10);
    const counts = [
      ...[...pending].flatMap(([name, codes]) =>
        [...codes].map(([code, count]): DayCount => ({ kind: "code", name, code, count })),
      ),
      ...[...places].map(([name, count]): DayCount => ({ kind: "place", name, code: "", count })),
    ];
    if (today !== day) for (const names of Object.values(known)) names.clear();
    day = today;
    if (counts.length === 0) return;
    const [codesBefore, placesBefore] = [pending, places];
    pending = new Map();
    places = new Map();
    try {
      await store.addCounts(today, counts);
      failing = false;
    } catch (error) {
      if (!failing) log.warn({ err: error }, "counts of codes and places could not be stored; they are kept in memory");
      failing = true;
      // Counted meanwhile: little, and names are bounded.
      const [codesSince, placesSince] = [pending, places];
      [pending, places] = [codesBefore, placesBefore];
      for (const [name, count] of placesSince) places.set(name, (places.get(name) ?? 0) + count);
      for (const [name, codes] of codesSince) {
        const sums = pending.get(name) ?? new Map<string, number>();
        for (const [code, count] of codes) sums.set(code, (sums.get(code) ?? 0) + count);
        pending.set(name, sums);
      }
    }
  }
}

/** A house number or a telephone number could name a person. */
function withoutDigits(text: string): string {
  return text
    .replace(/\p{N}+/gu, " ")
    .replace(/ *, */g, ", ")
    .replace(/ +/g, " ")
    .replace(/^[ ,]+|[ ,]+$/g, "");
}

/** The sums of several days, the most frequent first. */
export function summed(counts: Iterable<DayCount>): readonly DayCount[] {
  const sums = new Map<string, DayCount>();
  for (const each of counts) {
    const key = JSON.stringify([each.kind, each.name, each.code]);
    const before = sums.get(key)?.count ?? 0;
    sums.set(key, { kind: each.kind, name: each.name, code: each.code, count: before + each.count });
  }
  return [...sums.values()].sort((a, b) => b.count - a.count);
}
