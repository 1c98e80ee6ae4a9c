import type { Catalog } from "../catalog/catalog.ts";
import type { VehicleClass } from "../catalog/catalog-schema.ts";
import { PublicError } from "../contract/errors.ts";
import { totalOf } from "../pricing/charge.ts";
import { type PricingRequest, priceOf } from "../pricing/price.ts";
import type { PricedOption } from "./quote.ts";

/** Throws QUOTE_UNAVAILABLE if the tariff has a price for none of the classes. */
export function optionsFor(
  { tariff, vehicleClasses }: Pick<Catalog, "tariff" | "vehicleClasses">,
  classes: readonly VehicleClass[],
  request: PricingRequest,
  vatPercent: number | null,
): readonly PricedOption[] {
  const options = classes.flatMap((vehicle) => {
    const { id } = vehicle;
    const charges = priceOf(tariff, vehicle.several?.class ?? id, request, vehicle.several?.count);
    if (!charges) return [];
    const totalRappen = totalOf(charges);
    if (!Number.isSafeInteger(totalRappen)) throw new Error(`the price of ${id} is not a safe integer: ${totalRappen}`);
    // Field by field, because a rest and a spread for each class take a tenth of a quote's time.
    return [
      {
        fleetId: vehicleClasses.findIndex((each) => each.id === id) + 1,
        vehicleClass: id,
        vehicleType: vehicle.type,
        totalRappen,
        vatRappen: vatPercent === null ? null : Math.round((totalRappen * vatPercent) / (100 + vatPercent)),
        charges,
        passengerCapacity: vehicle.passengerCapacity,
        luggageCapacity: vehicle.luggageCapacity,
        largeLuggageCapacity: vehicle.largeLuggageCapacity,
        smallLuggageCapacity: vehicle.smallLuggageCapacity,
        onRequest: vehicle.onRequest,
      },
    ];
  });
  if (options.length > 0) return options;
  throw new PublicError("QUOTE_UNAVAILABLE", "The tariff cannot price this journey now.");
}
