import type { SaleEvent } from "../../src/domain/sales/sale-event.ts";

/** What a client saw of one answer; bodies as digests, so that an hour fits in memory. */
export interface Seen {
  readonly status: number;
  /** Of a problem. */
  readonly code: string | null;
  /** Whether it was marked as the replay of an earlier answer. */
  readonly replayed: boolean;
  /** Of the body, byte for byte. */
  readonly digest: string;
  /** Of a quote but for what its expiry changes. */
  readonly terms: string | null;
  readonly quoteId: string | null;
  readonly quoteStatus: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number | null;
}

/** One call as its client saw it. Instants are milliseconds since 1970 by the clock of the harness. */
export interface ObservedCall {
  /** `charge` is a call that only uses a budget. */
  readonly kind: "create" | "read" | "handoff" | "charge";
  readonly subject: string;
  /** Idempotency key, or `null`. */
  readonly key: string | null;
  /** The quote that is read or handed off. */
  readonly quoteId: string | null;
  readonly sentAt: number;
  readonly endedAt: number;
  /** The earliest and the latest that the clock of the asked process can have shown meanwhile. */
  readonly clock: readonly [number, number];
  /** "unknown" where the answer was lost: the call may have had its effect, or not. */
  readonly answer: Seen | "unknown";
}

/** What was done to a deployment, and all that its clients saw. */
export interface History {
  readonly calls: readonly ObservedCall[];
  /** What the ledger holds at the end; absent where it is not looked at. */
  readonly sales?: readonly Pick<SaleEvent, "type" | "quoteId">[];
  readonly processes: number;
  /** The budget that `charge` calls use. */
  readonly budget: { readonly points: number; readonly seconds: number };
  /** When processes may have counted that budget separately, or have forgotten what they had counted. */
  readonly countingApart: readonly (readonly [number, number])[];
}

export const PROMISES = {
  "lost quote": "An acknowledged quote is found by its owner, through every fault.",
  "doubled key": "A key has one quote, however often and wherever it is sent.",
  "foreign read": "A quote is read and handed off by its owner only.",
  "changed replay": "A replay is the original answer, byte for byte.",
  "changed quote": "A quote keeps its terms.",
  "early expiry": "A quote is open for 30 minutes by the clock of the process that is asked.",
  "late expiry": "After that it is expired, and is not handed off.",
  "budget exceeded": "No more calls are accepted than the budget has; times the processes while they count apart.",
  "budget withheld": "No call is rejected before the budget is used.",
  "lost sale": "An acknowledged quote or handoff is in the ledger, through every fault.",
  "doubled sale": "The ledger has each quote and each handoff once.",
  "unexpected answer": "Every answer is one that the contract has for the call.",
  "no recovery": "Every process is ready again within two minutes after a fault.",
} as const;
export type Promised = keyof typeof PROMISES;

export interface Violation {
  readonly promise: Promised;
  readonly detail: string;
}
