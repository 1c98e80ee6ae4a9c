import type { VehicleClass } from "../../domain/catalog/catalog-schema.ts";
import { type Audited, type Check, fault, warning } from "./catalog-check.ts";

const CLASSES = "vehicle-classes.json";

/** What people call cars that never have more seats than these. */
const SMALL_CAR = /\b(sedan|saloon|estate|wagon|suv)\b/i;
const MOST_IN_SMALL_CAR = 8;

/** What can be wrong with vehicle classes. */
// biome-ignore format: a table reads by its columns
export const ofFleet: readonly Check[] = [
  warning(fleet, CLASSES, ({ id }) => `${id}.passengerCapacity`, ({ passengerCapacity }) => passengerCapacity > 90, ({ passengerCapacity }) => `${passengerCapacity} seats are more than any coach has: correct it`),
  warning(fleet, CLASSES, ({ id }) => `${id}.passengerCapacity`, ({ id, type, passengerCapacity }) => passengerCapacity > MOST_IN_SMALL_CAR && SMALL_CAR.test(`${id.replaceAll("_", " ")} ${type}`), ({ type, passengerCapacity }) => `${passengerCapacity} seats are more than "${type}" has: correct it`),
  warning(largerBefore, CLASSES, ({ id }) => id, ({ smaller }) => smaller !== undefined, ({ passengerCapacity, smaller }) => `has ${passengerCapacity} seats, but is listed before ${smaller?.id} with ${smaller?.passengerCapacity}: list the smallest first, or correct the seats`),
  warning(fleet, CLASSES, ({ id }) => `${id}.luggageCapacity`, ({ luggageCapacity, passengerCapacity }) => luggageCapacity > 4 * passengerCapacity + 4, ({ luggageCapacity, passengerCapacity }) => `${luggageCapacity} pieces of luggage with ${passengerCapacity} seats: correct it`),
  warning(fleet, CLASSES, ({ id }) => `${id}.specialItemPlaces`, ({ specialItemPlaces, passengerCapacity }) => specialItemPlaces > 3 * passengerCapacity + 8, ({ specialItemPlaces, passengerCapacity }) => `${specialItemPlaces} places for special items with ${passengerCapacity} seats: correct it`),
  fault(fleet, CLASSES, ({ id }) => id, ({ largeLuggageCapacity, luggageCapacity }) => largeLuggageCapacity > luggageCapacity, ({ largeLuggageCapacity, luggageCapacity }) => `takes ${largeLuggageCapacity} large pieces, but only ${luggageCapacity} in all`),
  warning(fleet, CLASSES, ({ id }) => `${id}.smallLuggageCapacity`, ({ smallLuggageCapacity, luggageCapacity }) => smallLuggageCapacity > luggageCapacity, ({ smallLuggageCapacity, luggageCapacity }) => `${smallLuggageCapacity} small pieces, but only ${luggageCapacity} in all: correct one of them`),
  warning(fleet, CLASSES, ({ id }) => `${id}.smallestParty`, ({ smallestParty = 0, passengerCapacity }) => smallestParty > passengerCapacity, ({ smallestParty, passengerCapacity }) => `${smallestParty} is more than its ${passengerCapacity} seats, so that nobody is offered it: lower it`),
  warning(sameTypes, CLASSES, ({ id }) => `${id}.type`, ({ other }) => other !== undefined, ({ type, other }) => `"${type}" is what ${other?.id} is called: correct one of them`),
];

function fleet({ catalog }: Audited): readonly VehicleClass[] {
  return catalog.vehicleClasses;
}

/** Each class with a later one that has less than two thirds of its seats, if there is one. */
function largerBefore({ catalog: { vehicleClasses } }: Audited) {
  return vehicleClasses.map((each, index) => {
    const isMuchSmaller = ({ passengerCapacity }: VehicleClass) => passengerCapacity * 1.5 < each.passengerCapacity;
    return { ...each, smaller: vehicleClasses.slice(index + 1).find(isMuchSmaller) };
  });
}

/** Each class with an earlier one of the same name, if there is one. */
function sameTypes({ catalog: { vehicleClasses } }: Audited) {
  return vehicleClasses.map((each, index) => {
    return { ...each, other: vehicleClasses.slice(0, index).find(({ type }) => type === each.type) };
  });
}
