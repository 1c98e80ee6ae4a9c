import type { z } from "zod/v3";
import type { Position } from "../places/geo.ts";
import type { Stated } from "./quote.ts";

/** A point of a journey as the caller described it. */
export interface JourneyPoint {
  /** The request field, e.g. `waypoints.2.name`; named in errors. */
  readonly field: string;
  readonly text: string;
  /** Where given, `text` is only a label. */
  readonly position: Position | null;
  /** `null` = not stated, 0 = drive through. Always `null` at both ends. */
  readonly dwellMinutes: number | null;
}

/** A journey to be priced. */
export interface Journey extends Readonly<z.output<typeof Stated>> {
  /** Origin, stops and destination in travel order; at least two. */
  readonly points: readonly JourneyPoint[];
  readonly pickupAt: Date;
  readonly returnAt: Date | null;
  /** `null` = as many as passengers. */
  readonly adults: number | null;
  /** The caller's own metrics, on estimates only; `null` within = measure it. */
  readonly callerMetrics: { readonly distanceKm: number | null; readonly durationMinutes: number | null } | null;
}
