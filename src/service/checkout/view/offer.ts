import type { CheckoutHandoff, CheckoutJourney, Imprint, Leg } from "../../../contract/checkout.ts";
import type { NoticeAttributes } from "../../../contract/notice-codes.ts";
import type { Value } from "../../../contract/notice-formats.ts";

/** The fields that the contract names, without those that it lets clients ignore. */
export type Known<Fields> = { readonly [Name in keyof Fields as string extends Name ? never : Name]: Fields[Name] };

export type ShownLeg = Known<Leg>;
export type Direction = ShownLeg["direction"];
export type PriceLine = Known<NonNullable<CheckoutJourney["price_lines"]>[number]>;

/** Lists are texts in a resolved link, and lists in the `_meta` of a quote. Hosts that pass no `_meta` on leave texts alone. */
export interface ShownNotice extends NoticeAttributes {
  readonly code?: string | undefined;
  readonly values?: Readonly<Record<string, Value>> | undefined;
  readonly text: string;
}

type Shown = Known<CheckoutHandoff> & Known<CheckoutJourney>;
type ShownOperator = Known<NonNullable<CheckoutHandoff["operator"]>> & Known<Imprint>;
type Ends = Pick<Shown, "origin" | "destination" | "passengers">;

/**
 * What the view reads, as it stands on the wire: a resolved link, an expired offer, or a quote or estimate with the legs
 * and notices of its `_meta`. A quote has several vehicles, the others one.
 */
export interface Offer extends Ends, Partial<Omit<Shown, keyof Ends | keyof Differing>>, Differing {}

interface Differing {
  /** `null` on an estimate. */
  readonly quote_id?: string | null | undefined;
  readonly pickup_datetime?: string | null | undefined;
  readonly legs?: readonly ShownLeg[] | undefined;
  readonly notices?: readonly ShownNotice[] | undefined;
  readonly operator?: ShownOperator | undefined;
  readonly cancellation_policy?: string | undefined;
  readonly continue_url?: string | undefined;
}
