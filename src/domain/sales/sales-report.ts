import { DAY, HOUR } from "../../ops/durations.ts";
import { localDateTime } from "../../ops/local-time.ts";
import type { SaleEvent } from "./sale-event.ts";

export const REPORT_GROUPS = ["day", "corridor", "class", "client"] as const;
type ReportGroup = (typeof REPORT_GROUPS)[number];

/** All steps of a quote happen within this time of its creation, even if the clocks of two processes differ. */
const STEPS_WITHIN_MILLISECONDS = 2 * HOUR;
/** The same of one that the operator was asked to confirm, within a day, for up to another day. */
export const CONFIRMED_STEPS_WITHIN_MILLISECONDS = 2 * DAY + 2 * HOUR;

/** A quote and what became of it. */
export interface Sale {
  readonly created: SaleEvent;
  /** Handoffs and openings, in the order in which they happened, each once. */
  readonly steps: readonly SaleEvent[];
  /** Absent where it was not paid, or the operator has no list of what was. */
  readonly payment?: Payment | undefined;
}

/** What was paid for a quote, as the operator's own list has it. */
export interface Payment {
  /** As it is written there. */
  readonly paidAt: string;
  /** Before refunds. */
  readonly paidRappen: number;
  /** After refunds: negative where the list has no more than these. */
  readonly rappen: number;
}

export interface ReportQuery {
  /** Quotes created at or after this instant. */
  readonly since: Date;
  /** Quotes created before this instant. */
  readonly until: Date;
  /** Quotes whose validity has ended by then without a handoff count as expired. */
  readonly now: Date;
  /** IANA name of the time zone in which days begin. */
  readonly timeZone: string;
  /** Several make one group for each combination. */
  readonly by: readonly ReportGroup[];
}

/** What a quote adds to the counts of a report. */
const COUNTED = {
  quotes: () => 1,
  /** Quotes with at least one checkout link. */
  handedOver: (sale) => Number(lastOf(sale, "handoff.created") !== undefined),
  /** Quotes for which a link was asked for that the operator has to confirm. */
  requested: (sale) => Number(lastOf(sale, "handoff.requested") !== undefined),
  /** Quotes with a link that was opened. */
  opened: (sale) => Number(lastOf(sale, "handoff.opened") !== undefined),
  /** Quotes past their end without a link. */
  expired: (_, isExpired) => Number(isExpired),
  /** The lowest total of each quote. */
  quotedRappen: ({ created }) => created.options[0]?.totalRappen ?? 0,
  /** The total of the class that was handed over last. */
  handedOverRappen: (sale) => lastOf(sale, "handoff.created")?.totalRappen ?? 0,
  /** The total of the class whose link was opened last. */
  openedRappen: (sale) => lastOf(sale, "handoff.opened")?.totalRappen ?? 0,
  /** Quotes with a payment that was not wholly refunded, what was paid, and the commission of their clients on it. */
  sold: (sale) => Number(isSold(sale)),
  soldRappen: ({ payment }) => payment?.rappen ?? 0,
  commissionRappen: ({ created, payment }) => commissionOf(created, payment?.rappen) ?? 0,
} satisfies Readonly<Record<string, (sale: Sale, isExpired: boolean) => number>>;

const COUNTS = Object.keys(COUNTED) as (keyof typeof COUNTED)[];

/** What became of the quotes of a period. */
export type SaleTotals = Readonly<Record<keyof typeof COUNTED, number>>;

/**
 * One for each of `by`: a day (`2026-11-20`), a corridor's key or `<origin> > <destination>` with `?` for an end outside
 * of the catalog, a vehicle class, or a client (`null` if the token names none). The group of a class counts the quotes
 * that offer it; its `requested`, `handedOver`, `opened` and `sold` count those of which this class was asked for,
 * handed over last, opened, or sold.
 */
type Keys = readonly (string | null)[];

/** Counts in all and by group. */
export interface GroupedReport<Counts> {
  readonly total: Counts;
  readonly groups: readonly (Counts & { readonly keys: Keys })[];
}

type Period = Pick<ReportQuery, "since" | "until">;

/**
 * Joins the events of each quote created within a period, in order of creation, those later that the operator was asked
 * to confirm. The source returns events as the port
 * `Sales` does. A sale is returned once no more events can follow, so that memory holds only a few hours of quotes.
 */
export async function* joinSales(
  source: { events(period: Period): AsyncIterable<readonly SaleEvent[]> },
  { since, until }: Period,
): AsyncGenerator<Sale> {
  const [from, to] = [since.toISOString(), until.toISOString()];
  /** By quote, in the order of their first events. */
  const open = new Map<string, OpenSale>();
  const around = {
    since: new Date(since.getTime() - STEPS_WITHIN_MILLISECONDS),
    until: new Date(until.getTime() + CONFIRMED_STEPS_WITHIN_MILLISECONDS),
  };
  for await (const batch of source.events(around)) {
    const last = batch.at(-1);
    for (const event of batch) add(event);
    if (last) yield* ended(Date.parse(last.at));
  }
  yield* ended(Number.POSITIVE_INFINITY);

  function add(event: SaleEvent): void {
    const sale = open.get(event.quoteId) ?? { firstAt: Date.parse(event.at), created: undefined, steps: [] };
    open.set(event.quoteId, sale);
    if (event.type === "quote.created") sale.created = event;
    else if (!sale.steps.some(({ id }) => id === event.id)) sale.steps.push(event);
  }

  function* ended(now: number): Generator<Sale> {
    for (const [quoteId, { firstAt, created, steps }] of open) {
      if (firstAt + STEPS_WITHIN_MILLISECONDS >= now) return;
      const isRequested = steps.some(({ type }) => type === "handoff.requested" || type === "quote.confirmed");
      if (isRequested && firstAt + CONFIRMED_STEPS_WITHIN_MILLISECONDS >= now) continue;
      open.delete(quoteId);
      if (created && created.at >= from && created.at < to) yield { created, steps: steps.sort(byInstant) };
    }
  }
}

interface OpenSale {
  readonly firstAt: number;
  created: SaleEvent | undefined;
  readonly steps: SaleEvent[];
}

/** By time; at the same instant the more expensive is last. */
function byInstant(a: SaleEvent, b: SaleEvent): number {
  return Date.parse(a.at) - Date.parse(b.at) || (a.options[0]?.totalRappen ?? 0) - (b.options[0]?.totalRappen ?? 0);
}

type Sums = Record<keyof SaleTotals, number>;

/**
 * Counts sales in one pass; memory holds one set of sums for each group. The groups are sorted by key; there are none if
 * `by` is empty. Grouped by day alone, every day of the period is a group, even without quotes.
 */
export async function reportSales(sales: AsyncIterable<Sale>, query: ReportQuery): Promise<GroupedReport<SaleTotals>> {
  const { now, timeZone, by } = query;
  const end = now.toISOString();
  const total = noSums();
  const groups = new Map<string, { readonly keys: Keys; readonly sums: Sums }>();
  if (by.length === 1 && by[0] === "day") for (const day of daysOf(query)) group([day]);

  for await (const sale of sales) {
    const isExpired = expiresAtOf(sale) <= end && !lastOf(sale, "handoff.created");
    count(total, sale, isExpired);
    const parts = by.includes("class") ? partsOf(sale) : by.length > 0 ? [sale] : [];
    for (const part of parts) count(group(keysOf(part.created)), part, isExpired);
  }
  // By their first key, then the second, and so on.
  const sortKeyOf = ({ keys }: { readonly keys: Keys }) => keys.map((key) => key ?? "").join("\u0000");
  const sorted = [...groups.values()].sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
  return { total, groups: sorted.map(({ keys, sums }) => ({ keys, ...sums })) };

  function group(keys: Keys): Sums {
    const name = JSON.stringify(keys);
    const known = groups.get(name) ?? { keys, sums: noSums() };
    groups.set(name, known);
    return known.sums;
  }

  function keysOf(created: SaleEvent): Keys {
    const vehicleClass = created.options[0]?.vehicleClass ?? null;
    return by.map((each) => (each === "class" ? vehicleClass : keyOf(created, each, timeZone)));
  }
}

/** The key of a group. */
export function keyOf(
  event: Pick<SaleEvent, "at" | "client" | "corridor" | "origin" | "destination">,
  by: Exclude<ReportGroup, "class">,
  timeZone: string,
): string | null {
  if (by === "day") return localDay(event.at, timeZone);
  return by === "client" ? event.client : corridorOf(event);
}

/** The key of the published corridor, or both ends, `?` where the catalog has no place or zone. */
export function corridorOf({ corridor, origin, destination }: Pick<SaleEvent, "corridor" | "origin" | "destination">) {
  return corridor ?? `${origin ?? "?"} > ${destination ?? "?"}`;
}

/** The day of an instant, such as `2026-11-20`. */
function localDay(at: string, timeZone: string): string {
  return localDateTime(new Date(at), timeZone).slice(0, 10);
}

/** The local days of a period, the first and last perhaps in part. */
function daysOf({ since, until, timeZone }: ReportQuery): readonly string[] {
  const [first, last] = [since.getTime(), until.getTime() - 1].map((at) =>
    Date.parse(localDateTime(new Date(at), timeZone).slice(0, 10)),
  ) as [number, number];
  const days = Math.round((last - first) / DAY) + 1;
  return Array.from({ length: days }, (_, n) => new Date(first + n * DAY).toISOString().slice(0, 10));
}

function noSums(): Sums {
  return Object.fromEntries(COUNTS.map((name) => [name, 0])) as Sums;
}

/** When its validity ends: a confirmation gives a quote a new end. */
export function expiresAtOf({ created, steps }: Sale): string {
  return (steps.at(-1) ?? created).expiresAt;
}

/** What was wholly refunded is not sold. */
export function isSold({ payment }: Sale): boolean {
  return payment !== undefined && payment.rappen > 0;
}

/** At the rate of the day of the quote, in Rappen; `undefined` where its client has none, and of no amount. */
export function commissionOf({ commissionPercent }: SaleEvent, rappen: number | undefined): number | undefined {
  if (typeof commissionPercent !== "number" || rappen === undefined) return undefined;
  return Math.round((rappen * commissionPercent) / 100);
}

/** What the traveler could pay: the options with a link or, without one, those that the operator was asked to confirm. */
export function payableOptions({ steps }: Sale): SaleEvent["options"] {
  const of = (type: SaleEvent["type"]) => steps.flatMap((step) => (step.type === type ? step.options : []));
  const linked = of("handoff.created");
  return linked.length > 0 ? linked : of("handoff.requested");
}

/** The payable option whose price was paid, or the last one; without any, the one that alone has this price. */
export function soldOption(sale: Sale): SaleEvent["options"][number] | undefined {
  const isPaid = ({ totalRappen }: SaleEvent["options"][number]) => totalRappen === sale.payment?.paidRappen;
  const payable = payableOptions(sale);
  const [priced, ...others] = sale.created.options.filter(isPaid);
  return payable.findLast(isPaid) ?? payable.at(-1) ?? (others.length === 0 ? priced : undefined);
}

/** A sale by vehicle class. */
function partsOf(sale: Sale): readonly Sale[] {
  const { created, steps, payment } = sale;
  const paid = soldOption(sale)?.vehicleClass;
  return created.options.map((option) => ({
    created: { ...created, options: [option] },
    steps: steps.filter(({ options: [handedOver] }) => handedOver?.vehicleClass === option.vehicleClass),
    payment: option.vehicleClass === paid ? payment : undefined,
  }));
}

/** The option of the last step of this type. */
function lastOf({ steps }: Sale, type: SaleEvent["type"]) {
  return steps.findLast((step) => step.type === type)?.options[0];
}

function count(sums: Sums, sale: Sale, isExpired: boolean): void {
  for (const name of COUNTS) sums[name] += COUNTED[name](sale, isExpired);
}
