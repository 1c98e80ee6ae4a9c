import type { Position } from "../places/geo.ts";

/** A point of a journey as the caller described it. */
export interface JourneyPoint {
  /** What the caller calls the field, e.g. `waypoints.2.name`; named in errors. */
  readonly field: string;
  readonly text: string;
  /** Where given, `text` is only a label. */
  readonly position: Position | null;
  /** `null` = not asked, 0 = drive through. Always `null` at both ends. */
  readonly dwellMinutes: number | null;
}

/** A journey to be priced. */
export interface Journey {
  /** Origin, stops and destination in travel order; at least two. */
  readonly points: readonly JourneyPoint[];
  readonly pickupAt: Date;
  readonly returnAt: Date | null;
  /** Hours of hire, or `null` for a point-to-point transfer. */
  readonly hireHours: number | null;
  readonly passengers: number;
  /** `null` = as many as passengers. */
  readonly adults: number | null;
  readonly children: number;
  readonly infants: number;
  /** Luggage units. */
  readonly luggage: number;
  /** Waiting at the pickup. */
  readonly waitingMinutes: number;
  /** The caller's own metrics, honoured on estimates only; `null` within = measure it. */
  readonly callerMetrics: {
    readonly distanceKm: number | null;
    readonly durationMinutes: number | null;
  } | null;
}
