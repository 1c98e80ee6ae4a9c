import type { Catalog } from "../catalog/catalog.ts";
import type { VehicleClass } from "../catalog/catalog-schema.ts";
import type { Tariff } from "../catalog/tariff-schema.ts";
import { totalOf } from "../pricing/charge.ts";
import { type PricingRequest, priceOf } from "../pricing/price.ts";
import type { PricedOption } from "./quote.ts";

/** What a vehicle class of the fleet costs; `undefined` if the tariff has no price for it. */
export function pricedOption(
  vehicle: VehicleClass,
  { vehicleClasses }: Pick<Catalog, "vehicleClasses">,
  rates: Tariff,
  request: PricingRequest,
  vatPercent: number | null,
): PricedOption | undefined {
  const { id } = vehicle;
  const charges = priceOf(rates, id, request);
  if (!charges) return undefined;
  const totalRappen = totalOf(charges);
  if (!Number.isSafeInteger(totalRappen)) throw new Error(`the price of ${id} is not a safe integer: ${totalRappen}`);
  // Field by field, because a rest and a spread for each class take a tenth of a quote's time.
  return {
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
  };
}
