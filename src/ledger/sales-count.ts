import { localTimeIn } from "../ops/local-time.ts";
import type { HourSums, SumsRow } from "./hour-sums.ts";
import type { ReportQuery, SaleGroup, SalesReport, SaleTotals } from "./ledger.ts";

export const HOUR_MILLISECONDS = 3_600_000;
/** A step follows its quote within the half hour; the clock of another process, or one that was set, may differ by a day. */
const STEP_MILLISECONDS = 24 * HOUR_MILLISECONDS;
/** In the hours around that of a quote are its steps, also where an event is stored a little after its instant. */
export const AROUND_MILLISECONDS = STEP_MILLISECONDS + 2 * HOUR_MILLISECONDS;

/** A quote, as far as a report counts it. Instants are milliseconds since 1970. */
export interface CountedQuote {
  readonly quoteId: string;
  readonly at: number;
  readonly expiresAt: number;
  readonly client: string | null;
  readonly corridor: string | null;
  readonly origin: string | null;
  readonly destination: string | null;
  /** The cheapest first. */
  readonly classes: readonly string[];
  readonly totalsRappen: readonly number[];
}

/** A handoff or an opening. */
export interface CountedStep {
  readonly quoteId: string;
  readonly at: number;
  readonly isOpening: boolean;
  readonly vehicleClass: string;
  readonly totalRappen: number;
}

/** The steps of quotes, in memory. */
export interface Steps {
  add(step: CountedStep): void;
  /** Those around the instant of the quote. */
  of(quote: CountedQuote): readonly CountedStep[] | undefined;
}

export interface SalesCount {
  /** Its steps are there by then. */
  quote(quote: CountedQuote): void;
  /** Quotes of the period and, by days, of one day. */
  hour(sums: HourSums): void;
  result(): Omit<SalesReport, "damagedLines">;
}

type Sums = { -readonly [K in keyof SaleTotals]: number };

export function createSteps(): Steps {
  const steps = new Map<string, CountedStep[]>();
  return {
    add(step) {
      const known = steps.get(step.quoteId);
      if (known) known.push(step);
      else steps.set(step.quoteId, [step]);
    },
    of: ({ quoteId, at }) => steps.get(quoteId)?.filter((step) => Math.abs(step.at - at) <= STEP_MILLISECONDS),
  };
}

/** Counts a report. In memory are steps and a sum for each group, never the quotes. */
export function createSalesCount({ since, until, now, timeZone, by }: ReportQuery, steps: Steps): SalesCount {
  const total = noSums();
  const groups = new Map<string | null, Sums>();
  const [from, to, present] = [since.getTime(), until.getTime(), now.getTime()];
  const dayOf = createDayOf(timeZone);

  return {
    quote(quote) {
      if (quote.at < from || quote.at >= to) return;
      const taken = steps.of(quote);
      const isExpired = quote.expiresAt <= present && !taken?.some(({ isOpening }) => !isOpening);
      add(total, quote.totalsRappen[0] ?? 0, isExpired, taken);
      if (by === "class") {
        quote.classes.forEach((each, n) => {
          const ofClass = taken?.filter(({ vehicleClass }) => vehicleClass === each);
          add(group(each), quote.totalsRappen[n] ?? 0, isExpired, ofClass);
        });
      } else if (by) add(group(keyOf(quote)), quote.totalsRappen[0] ?? 0, isExpired, taken);
    },
    hour(sums) {
      addRow(total, sums.total);
      if (by === "day") addRow(group(dayOf(sums.firstAt)), sums.total);
      else if (by) for (const row of sums[by]) addRow(group(row[0]), row);
    },
    result: () => ({
      total,
      groups: [...groups]
        .map(([key, sums]): SaleGroup => ({ key, ...sums }))
        .sort((a, b) => ((a.key ?? "") < (b.key ?? "") ? -1 : 1)),
    }),
  };

  function group(key: string | null): Sums {
    const known = groups.get(key) ?? noSums();
    groups.set(key, known);
    return known;
  }

  function keyOf({ at, corridor, origin, destination, client }: CountedQuote): string | null {
    if (by === "day") return dayOf(at);
    return by === "client" ? client : (corridor ?? `${origin ?? "?"} > ${destination ?? "?"}`);
  }
}

function noSums(): Sums {
  return {
    ...{ quotes: 0, handedOver: 0, opened: 0, expired: 0 },
    ...{ quotedRappen: 0, handedOverRappen: 0, openedRappen: 0 },
  };
}

function addRow(sums: Sums, row: SumsRow): void {
  const [, quotes, handedOver, opened, expired, quotedRappen, handedOverRappen, openedRappen] = row;
  sums.quotes += quotes;
  sums.handedOver += handedOver;
  sums.opened += opened;
  sums.expired += expired;
  sums.quotedRappen += quotedRappen;
  sums.handedOverRappen += handedOverRappen;
  sums.openedRappen += openedRappen;
}

function add(sums: Sums, totalRappen: number, isExpired: boolean, taken: readonly CountedStep[] | undefined): void {
  sums.quotes += 1;
  sums.quotedRappen += totalRappen;
  if (isExpired) sums.expired += 1;
  if (!taken) return;
  const [handoff, opening] = [false, true].map((isOpening) => last(taken, isOpening));
  if (handoff) {
    sums.handedOver += 1;
    sums.handedOverRappen += handoff.totalRappen;
  }
  if (opening) {
    sums.opened += 1;
    sums.openedRappen += opening.totalRappen;
  }
}

/** Of two at the same instant the dearer, in whatever order they are read. */
function last(taken: readonly CountedStep[], isOpening: boolean): CountedStep | undefined {
  let latest: CountedStep | undefined;
  for (const step of taken) {
    if (step.isOpening !== isOpening) continue;
    const after = latest ? step.at - latest.at || step.totalRappen - latest.totalRappen : 1;
    if (after > 0) latest = step;
  }
  return latest;
}

/** The start of the hour (UTC) that an instant lies in. */
export function hourOf(at: number): number {
  return at - (((at % HOUR_MILLISECONDS) + HOUR_MILLISECONDS) % HOUR_MILLISECONDS);
}

/** The local day of an instant. Asked for instants near each other: offsets change on the hour. */
export function createDayOf(timeZone: string): (at: number) => string {
  const local = localTimeIn(timeZone);
  let hour = Number.NaN;
  let day = "";
  return (at) => {
    const startsAt = hourOf(at);
    if (startsAt !== hour) {
      // Some zones begin their days within an hour of UTC.
      const [first, end] = [startsAt, startsAt + HOUR_MILLISECONDS - 1].map((each) =>
        local(new Date(each)).slice(0, 10),
      );
      if (first !== end) return local(new Date(at)).slice(0, 10);
      hour = startsAt;
      day = first ?? "";
    }
    return day;
  };
}
