import { instantOf } from "../src/contract/date-time.ts";
import { type FieldError, invalidRequest } from "../src/contract/errors.ts";
import type { EstimateRequest, QuoteRequest } from "../src/contract/quote-request.ts";
import type { Journey, JourneyPoint } from "../src/quotes/journey.ts";

type JourneyRequest = Omit<QuoteRequest, "return_datetime"> & Partial<Pick<QuoteRequest, "return_datetime">>;
type CallerMetrics = Pick<EstimateRequest, "distance_km" | "duration_min">;

/** The journey that a request describes. Throws INVALID_REQUEST where fields that belong together do not fit. */
export function journeyOf(request: JourneyRequest, metrics?: CallerMetrics): Journey {
  const faults = [...stopFaults(request), ...hireFaults(request)];
  if (faults.length > 0) throw invalidRequest(faults);
  const { return_datetime: returnAt, duration_hours: hours } = request;
  return {
    points: [end("origin", request.origin), ...stopsOf(request), end("destination", request.destination)],
    pickupAt: instantOf(request.pickup_datetime),
    returnAt: returnAt ? instantOf(returnAt) : null,
    hireHours: request.booking_type === "hourly" ? (hours ?? null) : null,
    passengers: request.passengers,
    adults: request.adults ?? null,
    children: request.children,
    infants: request.infants,
    luggage: request.luggage,
    waitingMinutes: request.waiting_minutes,
    callerMetrics: metrics
      ? { distanceKm: metrics.distance_km ?? null, durationMinutes: metrics.duration_min ?? null }
      : null,
  };
}

function end(field: string, text: string): JourneyPoint {
  return { field, text, position: null, dwellMinutes: null };
}

function stopsOf({ waypoints }: JourneyRequest): readonly JourneyPoint[] {
  return (waypoints ?? []).map(({ name, lat, lng, stop_duration_min }, index) => ({
    field: `waypoints.${index}.name`,
    text: name,
    position: typeof lat === "number" && typeof lng === "number" ? { lat, lng } : null,
    dwellMinutes: stop_duration_min ?? null,
  }));
}

function stopFaults({ waypoints }: JourneyRequest): readonly FieldError[] {
  return (waypoints ?? []).flatMap(({ lat, lng }, index) => {
    const hasLat = typeof lat === "number";
    const hasLng = typeof lng === "number";
    if (hasLat === hasLng) return [];
    const field = `waypoints.${index}.${hasLat ? "lng" : "lat"}`;
    return [{ field, message: "Required: lat and lng are given together or not at all." }];
  });
}

function hireFaults({
  booking_type,
  duration_hours,
  return_datetime,
}: JourneyRequest): readonly FieldError[] {
  if (booking_type !== "hourly") return [];
  const faults: FieldError[] = [];
  if (!duration_hours) {
    faults.push({
      field: "duration_hours",
      message: "Required for booking_type hourly, more than 0 and at most 240.",
    });
  }
  if (return_datetime) {
    faults.push({
      field: "return_datetime",
      message: "An hourly hire has no way back; use duration_hours instead.",
    });
  }
  return faults;
}
