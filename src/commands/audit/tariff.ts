import type { Catalog } from "../../catalog/catalog.ts";
import type { Rate } from "../../catalog/tariff-schema.ts";
import { type Finding, fault, warning } from "./finding.ts";

const TARIFF = "tariff.json";
const CLASSES = "vehicle-classes.json";

/** A class without a rate does not load. */
export function auditRates({ tariff, vehicleClasses }: Catalog): readonly Finding[] {
  const classIds = new Set(vehicleClasses.map(({ id }) => id));
  return Object.entries(tariff.rates).flatMap(([id, rate]) => {
    if (!classIds.has(id)) return [warning(TARIFF, `rates.${id}`, `${CLASSES} has no class ${id}; it prices nothing`)];
    return FLOORS.flatMap(([field, floorOf]) => {
      const floor = Math.max(1, tariff.floor?.[floorOf] ?? 1);
      const why = rate[field] === 0 ? "0: that is free of charge" : `${rate[field]}, below the floor of ${floor}`;
      return rate[field] < floor ? [fault(TARIFF, `rates.${id}.${field}`, why)] : [];
    });
  });
}

const FLOORS: readonly (readonly [keyof Rate, "perKmRappen" | "hourRappen"])[] = [
  ["perKmRappen", "perKmRappen"],
  ["firstHourRappen", "hourRappen"],
  ["furtherHourRappen", "hourRappen"],
];

/** Capacities that contradict each other, or exclude every party that travels with luggage. */
export function auditClasses({ vehicleClasses }: Catalog): readonly Finding[] {
  return vehicleClasses.flatMap(({ id, luggageCapacity, largeLuggageCapacity }) => {
    if (luggageCapacity === 0) return [warning(CLASSES, id, "takes no luggage: no party with luggage fits it")];
    const most = `takes ${largeLuggageCapacity} large pieces, but only ${luggageCapacity} in all`;
    return largeLuggageCapacity > luggageCapacity ? [fault(CLASSES, id, most)] : [];
  });
}
