import type { SaleGroup } from "./ledger.ts";
import type { LedgerHours } from "./ledger-hours.ts";
import { type CountedQuote, createSalesCount, createSteps } from "./sales-count.ts";

/** The last instant of a `Date`. */
const LATEST = 8.64e15;
/** A quote that is not handed over ends as expired. */
const ALWAYS = { since: new Date(0), until: new Date(LATEST), now: new Date(LATEST), timeZone: "UTC" };

/** A key, then quotes, handed over, opened, expired, and in Rappen quoted, handed over, opened. */
export type SumsRow = readonly [string | null, number, number, number, number, number, number, number];

/** What became of the quotes of an hour by the time at which the last of them ended. Instants are milliseconds since 1970. */
export interface HourSums {
  /** The first and the last quote's creation. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly endedAt: number;
  /** Lines of the hour that could not be read. */
  readonly damagedLines: number;
  readonly total: SumsRow;
  readonly corridor: readonly SumsRow[];
  readonly class: readonly SumsRow[];
  readonly client: readonly SumsRow[];
}

export async function sumHours(
  hours: readonly number[],
  { read }: Pick<LedgerHours, "read">,
): Promise<readonly (readonly [number, HourSums])[]> {
  const steps = createSteps();
  const counts = new Map(hours.map((hour) => [hour, createHourCount()]));
  const damaged = await read(hours, { step: steps.add, quote: (quote, hour) => counts.get(hour)?.quote(quote) });
  return [...counts].map(([hour, { sums }]) => [hour, sums(damaged.get(hour) ?? 0)]);

  function createHourCount() {
    const count = (by: "corridor" | "class" | "client") => createSalesCount({ ...ALWAYS, by }, steps);
    const [corridors, classes, clients] = [count("corridor"), count("class"), count("client")];
    let [firstAt, lastAt, endedAt] = [LATEST, 0, 0];
    return {
      quote(quote: CountedQuote) {
        firstAt = Math.min(firstAt, quote.at);
        lastAt = Math.max(lastAt, quote.at);
        endedAt = Math.max(endedAt, quote.expiresAt);
        for (const each of [corridors, classes, clients]) each.quote(quote);
      },
      sums(damagedLines: number): HourSums {
        const { total, groups } = corridors.result();
        return {
          ...{ firstAt, lastAt, endedAt },
          damagedLines,
          total: rowOf({ key: null, ...total }),
          corridor: groups.map(rowOf),
          class: classes.result().groups.map(rowOf),
          client: clients.result().groups.map(rowOf),
        };
      },
    };
  }
}

function rowOf({ key, quotes, handedOver, opened, expired, ...rappen }: SaleGroup): SumsRow {
  const { quotedRappen, handedOverRappen, openedRappen } = rappen;
  return [key, quotes, handedOver, opened, expired, quotedRappen, handedOverRappen, openedRappen];
}
