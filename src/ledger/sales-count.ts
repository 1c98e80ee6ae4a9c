import { localTimeIn } from "../ops/local-time.ts";
import type { ReportQuery, SaleGroup, SalesReport, SaleTotals } from "./ledger.ts";

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

export interface SalesCount {
  /** All steps come before the quotes. */
  step(step: CountedStep): void;
  quote(quote: CountedQuote): void;
  result(): Omit<SalesReport, "damagedLines">;
}

type Sums = { -readonly [K in keyof SaleTotals]: number };

/** Counts a report. In memory are the steps of the period and a sum for each group, never the quotes. */
export function createSalesCount({ since, until, now, timeZone, by }: ReportQuery): SalesCount {
  const steps = new Map<string, CountedStep[]>();
  const total = noSums();
  const groups = new Map<string | null, Sums>();
  const [from, to, present] = [since.getTime(), until.getTime(), now.getTime()];
  const dayOf = createDayOf(timeZone);

  return {
    step(step) {
      const known = steps.get(step.quoteId);
      if (known) known.push(step);
      else steps.set(step.quoteId, [step]);
    },
    quote(quote) {
      if (quote.at < from || quote.at >= to) return;
      const taken = steps.get(quote.quoteId);
      const isExpired = quote.expiresAt <= present && !taken?.some(({ isOpening }) => !isOpening);
      add(total, quote.totalsRappen[0] ?? 0, isExpired, taken);
      if (by === "class") {
        quote.classes.forEach((each, n) => {
          const ofClass = taken?.filter(({ vehicleClass }) => vehicleClass === each);
          add(group(each), quote.totalsRappen[n] ?? 0, isExpired, ofClass);
        });
      } else if (by) add(group(keyOf(quote)), quote.totalsRappen[0] ?? 0, isExpired, taken);
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

function last(taken: readonly CountedStep[], isOpening: boolean): CountedStep | undefined {
  return taken
    .filter((step) => step.isOpening === isOpening)
    .reduce<CountedStep | undefined>((latest, step) => (latest && latest.at > step.at ? latest : step), undefined);
}

const HOUR = 3_600_000;

/** The local day of an instant. Asked for instants near each other: offsets change on the hour. */
function createDayOf(timeZone: string): (at: number) => string {
  const local = localTimeIn(timeZone);
  let hour = Number.NaN;
  let day = "";
  return (at) => {
    const of = Math.floor(at / HOUR);
    if (of !== hour) {
      // Some zones begin their days within an hour of UTC.
      const [first, end] = [of * HOUR, of * HOUR + HOUR - 1].map((each) => local(new Date(each)).slice(0, 10));
      if (first !== end) return local(new Date(at)).slice(0, 10);
      hour = of;
      day = first ?? "";
    }
    return day;
  };
}
