import type { Value } from "../../../contract/notice-formats.ts";

export type Direction = "outbound" | "return";

/** A leg as `Leg` of the contract describes it. */
export interface ShownLeg {
  readonly direction: Direction;
  readonly place: string;
  readonly exact?: boolean | undefined;
  readonly action: string;
  readonly at: string | null;
  readonly departs_at: string | null;
  readonly landing?: boolean | undefined;
  readonly free_until?: string | null | undefined;
  readonly means: string | null;
  readonly minutes: number | null;
  readonly every_minutes: number | null;
  readonly included: boolean;
}

/** Lists are texts in a resolved link, and lists in the `_meta` of a quote. Hosts that pass no `_meta` on leave texts alone. */
export interface ShownNotice {
  readonly code?: string | undefined;
  readonly values?: Readonly<Record<string, Value>> | undefined;
  readonly text: string;
  /** It says what the price includes. */
  readonly included?: true | undefined;
  /** The view shows the same by itself. */
  readonly in_legs?: true | undefined;
  /** A traveler has to have read it before paying. */
  readonly decisive?: true | undefined;
}

export interface PriceLine {
  readonly label: string;
  readonly amount: number;
  readonly code?: string | undefined;
  readonly count?: number | undefined;
  readonly direction?: Direction | undefined;
  readonly name?: string | undefined;
}

interface ShownOperator {
  readonly name: string;
  readonly phone: string;
  readonly email: string;
  readonly website?: string | undefined;
  readonly phone_hours?: string | undefined;
  readonly payment_methods?: string | undefined;
}

/**
 * What the view reads, as it stands on the wire: a resolved link, an expired offer, or a quote or estimate with the legs
 * and notices of its `_meta`. A quote has several vehicles, the others one.
 */
export interface Offer {
  readonly quote_id?: string | null | undefined;
  readonly fleet_id?: number | undefined;
  readonly origin: string;
  readonly destination: string;
  readonly pickup_datetime?: string | null | undefined;
  readonly return_datetime?: string | null | undefined;
  readonly waypoints?: readonly {
    readonly name: string;
    readonly near?: string | undefined;
    readonly stop_duration_min?: number | null | undefined;
  }[];
  readonly legs?: readonly ShownLeg[] | undefined;
  readonly notices?: readonly ShownNotice[] | undefined;
  readonly passengers: number;
  readonly adults?: number | undefined;
  readonly children?: number | undefined;
  readonly infants?: number | undefined;
  readonly luggage?: number | undefined;
  readonly large_luggage?: number | null | undefined;
  readonly special_items?: readonly { readonly kind: string; readonly count: number }[] | undefined;
  readonly flight_number?: string | undefined;
  readonly waiting_minutes?: number | undefined;
  readonly duration_hours?: number | null | undefined;
  readonly distance_km?: number | undefined;
  readonly duration_min?: number | undefined;
  readonly return_distance_km?: number | undefined;
  readonly return_duration_min?: number | undefined;
  readonly free_cancellation_until?: string | null | undefined;
  readonly return_free_cancellation_until?: string | null | undefined;
  readonly cancellation_policy?: string | undefined;
  readonly expires_at?: string | null | undefined;
  readonly total_price?: number | undefined;
  readonly currency?: string | undefined;
  readonly price_lines?: readonly PriceLine[] | undefined;
  readonly vehicle_type?: string | undefined;
  readonly passenger_capacity?: number | undefined;
  readonly operator?: ShownOperator | undefined;
  readonly continue_url?: string | undefined;
}
