import type { LostReport } from "../../domain/sales/lost-demand.ts";
import type { SaleEvent } from "../../domain/sales/sale-event.ts";
import { commissionOf, type Sale, type SaleTotals } from "../../domain/sales/sales-report.ts";
import { type Columns, francs } from "./print.ts";

/** A share of quotes, to four decimals. */
function share(count: number, { quotes }: SaleTotals): number | null {
  return quotes === 0 ? null : Math.round((count / quotes) * 10_000) / 10_000;
}

/** What became of quotes. Only where the operator has a list of what was paid, anything is called sold. */
export const totalColumns = (hasPayments: boolean): Columns<SaleTotals> => ({
  quotes: ({ quotes }) => quotes,
  handed_over: ({ handedOver }) => handedOver,
  opened: ({ opened }) => opened,
  expired: ({ expired }) => expired,
  quoted_chf: ({ quotedRappen }) => francs(quotedRappen),
  handed_over_chf: ({ handedOverRappen }) => francs(handedOverRappen),
  opened_chf: ({ openedRappen }) => francs(openedRappen),
  handed_over_share: (sums) => share(sums.handedOver, sums),
  ...(hasPayments && {
    sold: ({ sold }) => sold,
    sold_chf: ({ soldRappen }) => francs(soldRappen),
    sold_share: (sums) => share(sums.sold, sums),
    commission_chf: ({ commissionRappen }) => francs(commissionRappen),
  }),
  requested: ({ requested }) => requested,
});

export const LOST_COLUMNS: Columns<LostReport["total"]> = { refused: ({ refused }) => refused };

/** Checkout links can be created for several classes of a quote: the row has the last one and their number. */
const handoffsOf = ({ steps }: Sale) => steps.filter(({ type }) => type === "handoff.created");
const handoffOf = (sale: Sale) => handoffsOf(sale).at(-1);
const requestOf = ({ steps }: Sale) => steps.findLast(({ type }) => type === "handoff.requested");
const openingOf = ({ steps }: Sale) => steps.findLast(({ type }) => type === "handoff.opened");
const optionOf = (event: SaleEvent | undefined) => event?.options[0];
const totalOf = (event: SaleEvent | undefined) => francs(optionOf(event)?.totalRappen);
const classOf = (event: SaleEvent | undefined) => optionOf(event)?.vehicleClass ?? null;

/** A row for each quote; `showTime` writes an instant (ISO 8601 UTC). With a list of payments commissions are on these. */
export function saleColumns(showTime: (instant: string) => string, hasPayments: boolean): Columns<Sale> {
  const timeOf = (event: SaleEvent | undefined) => (event ? showTime(event.at) : null);
  const commission = (sale: Sale) => {
    const earning = hasPayments ? sale.payment?.rappen : optionOf(handoffOf(sale))?.totalRappen;
    return francs(earning === undefined ? undefined : commissionOf(sale.created, earning));
  };
  return {
    quote_id: ({ created }) => created.quoteId,
    request_id: ({ created }) => created.requestId,
    created_at: ({ created }) => timeOf(created),
    expires_at: ({ created }) => showTime(created.expiresAt),
    surface: ({ created }) => created.surface,
    client: ({ created }) => created.client,
    corridor: ({ created }) => created.corridor,
    origin: ({ created }) => created.origin,
    destination: ({ created }) => created.destination,
    distance_km: ({ created }) => created.distanceKm,
    tariff_version: ({ created }) => created.tariffVersion,
    currency: () => "CHF",
    quoted_class: ({ created }) => classOf(created),
    quoted_total: ({ created }) => totalOf(created),
    handoffs: (sale) => handoffsOf(sale).length,
    handed_over_at: (sale) => timeOf(handoffOf(sale)),
    handed_over_request_id: (sale) => handoffOf(sale)?.requestId ?? null,
    handed_over_class: (sale) => classOf(handoffOf(sale)),
    handed_over_total: (sale) => totalOf(handoffOf(sale)),
    handed_over_vat: (sale) => francs(optionOf(handoffOf(sale))?.vatRappen),
    ...(hasPayments && {
      sold_at: ({ payment }: Sale) => payment?.paidAt ?? null,
      sold_total: ({ payment }: Sale) => francs(payment?.rappen),
    }),
    commission_percent: ({ created }) => created.commissionPercent ?? null,
    commission_total: commission,
    opened_at: (sale) => timeOf(openingOf(sale)),
    opened_class: (sale) => classOf(openingOf(sale)),
    opened_total: (sale) => totalOf(openingOf(sale)),
    requested_at: (sale) => timeOf(requestOf(sale)),
    requested_class: (sale) => classOf(requestOf(sale)),
  };
}
