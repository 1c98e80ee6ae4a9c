import { sha256 } from "../ops/ids.ts";

type SaleEventType = "quote.created" | "handoff.created" | "handoff.opened";

/** What a step of a sale is, without personal data: no texts, addresses, positions, times of the journey or subjects. */
export interface SaleFacts {
  /** The same for the same step, so that it is kept once: opaque, 26 characters. */
  readonly id: string;
  readonly type: SaleEventType;
  readonly quoteId: string;
  /** Key of the published corridor that the journey is; `null` where it is none. */
  readonly corridor: string | null;
  /** Ids of places or zones of the catalog; `null` for an address or a position outside them. */
  readonly origin: string | null;
  readonly destination: string | null;
  /** Kilometers of the outbound journey. */
  readonly distanceKm: number;
  readonly tariffVersion: string;
  /** ISO 8601 UTC, of the quote. */
  readonly expiresAt: string;
  /** Every class of a new quote, the cheapest first; afterwards the one that was handed off. */
  readonly options: readonly SaleOption[];
}

interface SaleOption {
  readonly vehicleClass: string;
  readonly totalRappen: number;
  readonly vatRappen?: number | null;
}

/** A step of a sale as it is kept, and as the operator's own systems hear of it. */
export interface SaleEvent extends SaleFacts {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The request that made it. */
  readonly requestId: string;
  readonly surface: string;
  /** The client that the token was issued to; `null` where it names none, and for openings. */
  readonly client: string | null;
}

/** What the facts are taken from; a stored quote is one. */
interface QuotedSale {
  readonly id: string;
  readonly ends: Pick<SaleFacts, "corridor" | "origin" | "destination">;
  readonly route: Pick<SaleFacts, "distanceKm">;
  readonly tariffVersion: string;
  readonly expiresAt: string;
  readonly options: readonly QuotedOption[];
}
type QuotedOption = SaleOption & { readonly fleetId: number };

/** What a step of a sale is: the creation of a quote, or what became of the option that was handed off. */
export function saleFacts(type: SaleFacts["type"], quote: QuotedSale, option?: QuotedOption): SaleFacts {
  const { id: quoteId, ends, route, tariffVersion, expiresAt } = quote;
  const options = (option ? [option] : quote.options).map(({ vehicleClass, totalRappen, vatRappen = null }) => ({
    ...{ vehicleClass, totalRappen },
    ...(vatRappen !== null && { vatRappen }),
  }));
  return {
    id: `evt_${sha256(`${type}\n${quoteId}\n${option?.fleetId ?? ""}`, "base64url").slice(0, 22)}`,
    ...{ type, quoteId, ...ends, distanceKm: route.distanceKm, tariffVersion, expiresAt },
    options: options.sort((a, b) => a.totalRappen - b.totalRappen),
  };
}
