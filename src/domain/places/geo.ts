import type { ServiceArea } from "../catalog/catalog-schema.ts";

export interface Position {
  readonly lat: number;
  readonly lng: number;
}

/** Also false where a coordinate is NaN. */
export function isInBox({ lat, lng }: Position, { south, west, north, east }: ServiceArea["box"]): boolean {
  return lat >= south && lat <= north && lng >= west && lng <= east;
}

const EARTH_RADIUS_KM = 6371.0088;

/** Great-circle distance in km. */
export function crowFliesKm(a: Position, b: Position): number {
  const dLat = radians(b.lat - a.lat);
  const dLng = radians(b.lng - a.lng);
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLng / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The nearest of a list, which is not empty. */
export function nearestTo<T extends Position>(position: Position, list: readonly T[]): T {
  const km = (each: T) => crowFliesKm(each, position);
  return list.reduce((best, each) => (km(each) < km(best) ? each : best));
}

export function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
