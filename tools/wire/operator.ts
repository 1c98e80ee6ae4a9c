import { textsOf } from "../../src/contract/notices.ts";
import type { Policy } from "../../src/domain/catalog/catalog-schema.ts";
import { asksOperator } from "../../src/domain/quotes/party.ts";
import type { PricedJourney, Services, StoredQuote } from "../../src/service/calls/operation.ts";
import { wired } from "./wired.ts";

type Seller = PricedJourney["terms"]["operator"];

export function wireOperator(operator: Seller) {
  return wired(operator, "name", "phone", "email", "website", "termsUrl", "vatNumber", "phoneHours");
}

/** What nobody can order here. */
export function wireNotOffered({ luggage, operator }: Services["catalog"]) {
  return luggage.notOffered.map(({ item }) => ({ item, next_action: `Not offered: ${asksOperator(operator)}.` }));
}

/** Whom to ask about a payment. */
export function paymentNote({ name, phone, email }: Seller): string {
  return `This service does not see payments: whether a journey is paid, ask ${name} (${phone}, ${email}).`;
}

/** How a journey is canceled once it is paid. */
export function cancelNote({ phone, email }: Seller): string {
  return `To cancel, the traveler calls ${phone} or writes to ${email}.`;
}

/** What is canceled of a journey with a return; how much is refunded for one leg is in no policy. */
export function legsNote({ name }: Seller, { legsSeparately, fullRefundCutoffHours: hours }: Policy): string {
  return legsSeparately
    ? `Of a round trip either leg can be canceled alone, free until ${hours} h before its own pickup; ${name} tells what is refunded for one leg.`
    : `A round trip can only be canceled as a whole, free until ${hours} h before the outbound pickup.`;
}

/** Where free cancellation has ended, what a cancellation costs now; begins the operator's general text. */
export function endedNote(quote: StoredQuote, now: Date): string {
  const { freeCancellationUntil: outbound, returnFreeCancellationUntil: back, notices } = quote;
  const hasEnded = (at: string | null) => at !== null && Date.parse(at) < now.getTime();
  if (!hasEnded(outbound)) return "";
  const journey = back === null || hasEnded(back) ? "journey" : "outbound journey";
  const refunds = textsOf(notices.filter(({ code }) => code === "REFUND")).join(" ");
  const due = refunds || `A cancellation of the ${journey} costs its full price.`;
  return `Free cancellation of this ${journey} has ended. ${due} In general: `;
}

/** Of an expired quote, which is also that of a journey that was paid in time: ends what an agent does with it. */
export function unlessPaid({ name, phone, email }: Seller): string {
  return `unless the traveler has paid: the booking is then unaffected. This service does not see payments; in doubt, ask ${name} (${phone}, ${email}).`;
}

/** What a page that sells also has to say of the operator, and an agent need not read. */
export function wireImprint({ terms: { operator } }: Pick<PricedJourney, "terms">) {
  const fields = ["postalAddress", "registerNumber", "license", "phoneHours", "paymentMethods", "privacyUrl"] as const;
  return wired(operator, ...fields);
}
