import type { Catalog } from "../catalog/catalog.ts";
import { type Notice, notice } from "../contract/notices.ts";
import { crowFliesKm } from "../places/geo.ts";
import type { Place } from "../places/place-finder.ts";
import type { LocatedPoint } from "./locate-points.ts";
import type { JourneyNotice, PricedOption } from "./quote.ts";

/** The VAT that prices of a journey contain, in percent; `null` across a border or where the tariff names none. */
export function createVatOf({ tariff: { vat }, places }: Pick<Catalog, "tariff" | "places">) {
  const countries = new Map(places.map(({ id, country }) => [id, country]));

  return (points: readonly LocatedPoint[]): number | null =>
    vat && points.every(({ place }) => countryOf(place) === vat.country) ? vat.percent : null;

  /** A position outside of every place is in the country of the nearest one. */
  function countryOf(place: Place): string | undefined {
    if (place.id !== null) return countries.get(place.id);
    const nearest = places.reduce((best, each) => (crowFliesKm(place, each) < crowFliesKm(place, best) ? each : best));
    return nearest.country;
  }
}

export function vatIn(totalRappen: number, percent: number | null): number | null {
  return percent === null ? null : Math.round((totalRappen * percent) / (100 + percent));
}

export function vatNotices(
  { vat }: Catalog["tariff"],
  percent: number | null,
  options: readonly PricedOption[],
): readonly (Notice | JourneyNotice)[] {
  if (!vat) return [];
  if (percent === null) return [notice("VAT_NOT_SPLIT")];
  const amount = ({ vatRappen }: PricedOption) => `CHF ${((vatRappen ?? 0) / 100).toFixed(2)}`;
  const amounts = options.map((option) => `${amount(option)} (${option.vehicleClass})`).join(", ");
  const byClass = Object.fromEntries(options.map((option) => [option.vehicleClass, { amounts: amount(option) }]));
  return [{ ...notice("VAT_INCLUDED", { percent, amounts }), byClass }];
}
