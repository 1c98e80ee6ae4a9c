import { referenceOf } from "../../contract/notice-formats.ts";
import type { SaleEvent } from "../../domain/sales/sale-event.ts";
import {
  commissionOf,
  expiresAtOf,
  isSold,
  type Sale,
  type SaleTotals,
  soldOption,
} from "../../domain/sales/sales-report.ts";
import { type Cells, francs } from "./print.ts";

/** What became of quotes. Only where the operator has a list of what was paid, anything is called sold. */
export function totalCells(sums: SaleTotals, hasPayments: boolean): Cells {
  /** Of the quotes, to four decimals. */
  const share = (count: number) => (sums.quotes === 0 ? null : Math.round((count / sums.quotes) * 10_000) / 10_000);
  return {
    quotes: sums.quotes,
    handed_over: sums.handedOver,
    opened: sums.opened,
    expired: sums.expired,
    quoted_chf: francs(sums.quotedRappen),
    handed_over_chf: francs(sums.handedOverRappen),
    opened_chf: francs(sums.openedRappen),
    handed_over_share: share(sums.handedOver),
    ...(hasPayments && {
      sold: sums.sold,
      sold_chf: francs(sums.soldRappen),
      sold_share: share(sums.sold),
      commission_chf: francs(sums.commissionRappen),
    }),
    requested: sums.requested,
  };
}

/**
 * Each direction of an option with its day of service, which events of a preview lack. `charged`: what was kept of the
 * total of the option; `commission`: of the whole quote. Both in Rappen.
 */
function servicesOf(
  created: SaleEvent,
  option: SaleEvent["options"][number],
  charged = option.totalRappen,
  commission: number | null = null,
) {
  const { totalRappen, returnRappen } = option;
  const vatRappen = option.vatRappen ? Math.round((option.vatRappen * charged) / totalRappen) : null;
  const back = (whole: number | null) => whole && Math.round((whole * (returnRappen ?? 0)) / totalRappen);
  const there = (whole: number | null) => whole && whole - (back(whole) ?? 0);
  const service = (direction: "outbound" | "return", day: string | undefined, part: typeof there) => ({
    ...{ direction, day, rappen: part(charged) ?? 0 },
    ...{ vatRappen: part(vatRappen), commissionRappen: part(commission) },
  });
  const outbound = service("outbound", created.pickupOn, there);
  return returnRappen === undefined ? [outbound] : [outbound, service("return", created.returnOn, back)];
}

/** A row for each direction of what was handed over or, with a list of payments, paid and not wholly refunded. */
export function serviceRows(sale: Sale, hasPayments: boolean) {
  const { created, steps, payment } = sale;
  const isListed = hasPayments ? isSold(sale) : steps.some(({ type }) => type === "handoff.created");
  const option = soldOption(sale);
  if (!option || !isListed) return [];
  const charged = hasPayments ? payment?.rappen : option.totalRappen;
  return servicesOf(created, option, charged, commissionOf(created, charged)).flatMap(({ day, ...service }) => {
    if (day === undefined) return [];
    return {
      service_date: day,
      direction: service.direction,
      quote_id: created.quoteId,
      reference: referenceOf(created.quoteId),
      client: created.client,
      corridor: created.corridor,
      origin: created.origin,
      destination: created.destination,
      ...bookingCells(created),
      currency: "CHF",
      class: option.vehicleClass,
      total: francs(service.rappen),
      vat: francs(service.vatRappen),
      ...(hasPayments && { sold_at: payment?.paidAt, sold_total: francs(payment?.rappen) }),
      commission_percent: created.commissionPercent,
      commission_total: francs(service.commissionRappen),
    };
  });
}

export function bookingCells({ hireHours: hours }: Pick<SaleEvent, "hireHours">) {
  return { booking_type: hours === null ? "transfer" : "hire", hours };
}

const optionOf = (event: SaleEvent | undefined) => event?.options[0];
const totalOf = (event: SaleEvent | undefined) => francs(optionOf(event)?.totalRappen);

/**
 * A row for each quote; `showTime` writes an instant (ISO 8601 UTC). Checkout links can be created for several classes of
 * a quote: the row has the last one and their number. With a list of payments commissions are on these.
 */
export function saleCells(sale: Sale, showTime: (instant: string) => string, hasPayments: boolean): Cells {
  const { created, steps, payment } = sale;
  const handoffs = steps.filter(({ type }) => type === "handoff.created");
  const handoff = handoffs.at(-1);
  const opening = steps.findLast(({ type }) => type === "handoff.opened");
  const request = steps.findLast(({ type }) => type === "handoff.requested");
  const [there, back] = handoff?.options.flatMap((option) => servicesOf(created, option)) ?? [];
  return {
    quote_id: created.quoteId,
    reference: referenceOf(created.quoteId),
    request_id: created.requestId,
    created_at: showTime(created.at),
    expires_at: showTime(expiresAtOf(sale)),
    surface: created.surface,
    client: created.client,
    corridor: created.corridor,
    origin: created.origin,
    destination: created.destination,
    pickup_date: created.pickupOn,
    return_date: created.returnOn,
    ...bookingCells(created),
    distance_km: created.distanceKm,
    tariff_version: created.tariffVersion,
    currency: "CHF",
    quoted_class: optionOf(created)?.vehicleClass,
    quoted_total: totalOf(created),
    handoffs: handoffs.length,
    handed_over_at: handoff && showTime(handoff.at),
    handed_over_request_id: handoff?.requestId,
    handed_over_class: optionOf(handoff)?.vehicleClass,
    handed_over_total: totalOf(handoff),
    handed_over_vat: francs(optionOf(handoff)?.vatRappen),
    pickup_total: francs(there?.rappen),
    pickup_vat: francs(there?.vatRappen),
    return_total: francs(back?.rappen),
    return_vat: francs(back?.vatRappen),
    ...(hasPayments && { sold_at: payment?.paidAt, sold_total: francs(payment?.rappen) }),
    commission_percent: created.commissionPercent,
    commission_total: francs(commissionOf(created, hasPayments ? payment?.rappen : optionOf(handoff)?.totalRappen)),
    opened_at: opening && showTime(opening.at),
    opened_class: optionOf(opening)?.vehicleClass,
    opened_total: totalOf(opening),
    requested_at: request && showTime(request.at),
    requested_class: optionOf(request)?.vehicleClass,
  };
}
