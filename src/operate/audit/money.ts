import { type Finding, fault, warning } from "../../domain/catalog/finding.ts";
import { didYouMean } from "../../domain/catalog/nearest-name.ts";
import type { Rate } from "../../domain/catalog/tariff-schema.ts";
import { createZones } from "../../domain/places/zones.ts";
import type { RouteStop } from "../../domain/routing/router.ts";
import type { Audited, Found } from "./audit.ts";
import { directionsOf, fareConflicts } from "./fare-conflicts.ts";
import { SUMMER_NOON, stopsAt } from "./roads.ts";

const MOST_LEAD_HOURS = 30 * 24;
const MOST_FEE_RAPPEN = 20_000;
/** Below this share of the price by kilometers a fixed fare is probably wrong, below `WRONG_PART` certainly. */
const DOUBTFUL_PART = 0.6;
const WRONG_PART = 0.25;
/** The same for fares above the price by kilometers. */
const DOUBTFUL_TIMES = 2.5;
const WRONG_TIMES = 6;

/** How texts of the packaged operator look, which every operator replaces. */
const PLACEHOLDER = /^example\b|^\+41 ?0|\.example(\/|$)|^CHE\W?0{3}\W?0{3}\W?0{3}/i;

export function auditOperator({ catalog: { operator } }: Audited): Found {
  return Object.entries(operator).flatMap(([field, text]) => {
    if (typeof text !== "string") return [];
    return [
      PLACEHOLDER.test(text) && warning("operator.json", field, `${text} is a placeholder: state your own`),
      hasWrongCheckDigit(text) && fault("operator.json", field, `${text} has a wrong check digit`),
    ];
  });
}

/** In a Swiss UID the sum of the weighted digits and the check digit is a multiple of 11. */
function hasWrongCheckDigit(uid: string): boolean {
  const digits = /^CHE\W?(\d{3})\W?(\d{3})\W?(\d{3})/.exec(uid)?.slice(1).join("") ?? "";
  const weights = [5, 4, 3, 2, 7, 6, 5, 4, 1];
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index] ?? 0), 0) % 11 !== 0;
}

/** Numbers that the schemas allow but that are probably mistakes. */
export function auditAmounts({ catalog }: Audited): Found {
  const { seasons, clients, tariff, placeFees, bookingWindows, vehicleClasses } = catalog;
  const rows = [
    ...seasons.map((season) => ({ file: "seasons.json", ...season })),
    ...clients.map((client) => ({ file: "clients.json", ...client })),
  ];
  const percentages: readonly (readonly [string, string, number | undefined])[] = [
    ...(["night", "holidays", "returnDiscount"] as const).map(
      (field) => [TARIFF, `${field}.percent`, tariff[field].percent] as const,
    ),
    ...rows.map(({ file, id, percent }) => [file, `${id}.percent`, percent] as const),
    ...clients.map(
      ({ id, commissionPercent }) => ["clients.json", `${id}.commissionPercent`, commissionPercent] as const,
    ),
  ];
  const isUnusual = (rappen: number) => rappen < 100 || rappen > MOST_FEE_RAPPEN;
  const tooLong = (file: string, path: string, hours = 0) => {
    const text = `${hours} h: no journey of the next ${Math.floor(hours / 24)} days is sold`;
    return hours > MOST_LEAD_HOURS && warning(file, path, text);
  };
  return [
    ...seasons.map(
      ({ id, percent }) => percent > 100 && warning("seasons.json", id, `${percent} % more than doubles the fare`),
    ),
    ...rows.map(({ file, id, percent = 0, label = "" }) => {
      const opposite = percent < 0 ? /surcharge|supplement/i : /discount|reduction/i;
      return opposite.test(label) && warning(file, id, `"${label}" has ${percent} %: check its sign`);
    }),
    ...placeFees.map(
      ({ id, rappen }) => isUnusual(rappen) && warning("place-fees.json", `${id}.rappen`, inFrancs(rappen)),
    ),
    ...Object.entries(tariff.specialItemRappen).map(
      ([kind, rappen]) =>
        rappen > 0 && isUnusual(rappen) && warning(TARIFF, `specialItemRappen.${kind}`, inFrancs(rappen)),
    ),
    ...percentages.map(([file, path, percent = 0]) => {
      const meant = Number((percent * 100).toFixed(2));
      const text = `${percent} % is less than one percent: state it in percent, such as ${meant}`;
      return percent !== 0 && Math.abs(percent) < 1 && warning(file, path, text);
    }),
    tooLong(TARIFF, "leadTimeHours", tariff.leadTimeHours),
    ...bookingWindows.map(({ id, leadTimeHours }) => tooLong("availability.json", id, leadTimeHours)),
    ...vehicleClasses.map(
      ({ id, passengerCapacity }) => passengerCapacity === 1 && warning(CLASSES, id, "seats one passenger"),
    ),
  ];
}

function inFrancs(rappen: number): string {
  return `${rappen} Rappen is ${chf(rappen)}: correct it`;
}

function chf(rappen: number): string {
  return `CHF ${(rappen / 100).toFixed(2)}`;
}

/** Fixed fares in one direction only: the other direction is then priced by kilometers. */
export function auditDirections({ catalog: { fares } }: Audited): readonly Finding[] {
  const directions = fares.flatMap(({ routes }) => directionsOf(routes));
  return fares.flatMap(({ id, routes }) =>
    directionsOf(routes)
      .filter(({ from, to }) => !directions.some((other) => other.from === to && other.to === from))
      .map(({ from, to }) => {
        const text = `no fare leads from ${to} to ${from}, so that the return journey goes by kilometers: set bothWays`;
        return warning("fares.json", `${id}.routes`, text);
      }),
  );
}

/** Pairs of fixed fares that apply to the same journey with the same priority. */
export function auditRanks({ catalog }: Audited): readonly Finding[] {
  return fareConflicts(catalog).map(([{ id }, other]) => {
    const text = `equal in rank to ${other.id}, and both could apply to one journey: remove one of them or limit it to other times`;
    return fault("fares.json", id, text);
  });
}

/** Fixed fares far below the price by kilometers for the shortest journey to which they apply. */
export function auditFares({ catalog, roads }: Audited): readonly Finding[] {
  if (!roads) return [];
  const { places, network } = roads;
  const zones = createZones(catalog);
  const stopsIn = (end: string) => {
    const ids = catalog.places.flatMap((place) => (place.id === end || zones.of(place).includes(end) ? place.id : []));
    return stopsAt(places, ids);
  };
  return catalog.fares.flatMap(({ id, routes, rappen }) => {
    const distances = routes.flatMap(({ from, to }) =>
      stopsIn(from).flatMap((start) => stopsIn(to).flatMap((end) => kmBetween(start, end))),
    );
    if (distances.length === 0) return [];
    const km = Math.min(...distances);
    return Object.entries(rappen).flatMap(([vehicleClass, fare]) => {
      const rate = catalog.tariff.rates[vehicleClass];
      const usual = rate ? Math.max(rate.minimumRappen, rate.baseRappen + km * rate.perKmRappen) : 0;
      const part = fare / usual;
      if (usual === 0 || (part >= DOUBTFUL_PART && part <= DOUBTFUL_TIMES)) return [];
      const text = `${chf(fare)} for ${Math.round(km)} km; by kilometers ${chf(usual)}: correct it, in Rappen`;
      const isWrong = part < WRONG_PART || part > WRONG_TIMES;
      return [(isWrong ? fault : warning)("fares.json", `${id}.rappen.${vehicleClass}`, text)];
    });
  });

  function kmBetween(start: RouteStop, end: RouteStop) {
    return network.joins([start, end], SUMMER_NOON) ? [network.journey([start, end], SUMMER_NOON).distanceKm] : [];
  }
}

const TARIFF = "tariff.json";
const CLASSES = "vehicle-classes.json";

/** Fixed fares whose label names another airport, and larger classes that cost less although their rates are higher. */
export function auditFareTexts({ catalog: { fares, places, vehicleClasses, tariff } }: Audited): Found {
  const airports = places.filter(({ kind }) => kind === "airport");
  const perKm = (id: string) => tariff.rates[id]?.perKmRappen ?? 0;
  return fares.flatMap(({ id, label, routes, rappen }) => {
    const ends = [...new Set(routes.flatMap(({ from, to }) => [from, to]))];
    const other = airports.find((airport) => label.includes(airport.name) && !ends.includes(airport.id));
    const isOtherAirport = airports.some((airport) => ends.includes(airport.id));
    const classes = vehicleClasses.flatMap((each) => {
      const fare = rappen[each.id];
      return fare === undefined ? [] : [{ ...each, fare }];
    });
    return [
      other !== undefined &&
        isOtherAirport &&
        warning("fares.json", id, `the label names ${other.name}, the routes ${ends.join(", ")}: correct one of them`),
      ...classes.map((larger) => {
        const smaller = classes.find(
          (each) =>
            each.passengerCapacity < larger.passengerCapacity &&
            perKm(each.id) < perKm(larger.id) &&
            each.fare > larger.fare,
        );
        const [low, high] = [larger.fare, smaller?.fare ?? 0].map(chf);
        const text = `${low} is less than ${high} of ${smaller?.id}, which has fewer seats: correct one of them`;
        return smaller !== undefined && warning("fares.json", `${id}.rappen.${larger.id}`, text);
      }),
    ];
  });
}

/** Rates without a class, and rates below the floor. A class without a rate is an error when the catalog is loaded. */
export function auditRates({ catalog: { tariff, vehicleClasses } }: Audited): Found {
  const classIds = new Set(vehicleClasses.map(({ id }) => id));
  return Object.entries(tariff.rates).flatMap(([id, rate]) => {
    const unknown = `${CLASSES} has no class ${id}; it prices nothing${didYouMean(id, classIds)}`;
    if (!classIds.has(id)) return [warning(TARIFF, `rates.${id}`, unknown)];
    return USUAL_RATES.map(([field, least, most, floorOf]) => {
      const amount = rate[field];
      const floor = floorOf ? Math.max(1, tariff.floor?.[floorOf] ?? 1) : 0;
      const why = amount === 0 ? "0, which is free of charge" : `${amount}, below the floor of ${floor}`;
      if (amount >= 0 && amount < floor) return fault(TARIFF, `rates.${id}.${field}`, `${why}: raise it`);
      const isUnusual = amount > 0 && (amount < least || amount > most);
      return isUnusual && warning(TARIFF, `rates.${id}.${field}`, inFrancs(amount));
    });
  });
}

/** The least and most usual amounts in Rappen, and the floor. */
const USUAL_RATES: readonly (readonly [keyof Rate, number, number, ("perKmRappen" | "hourRappen")?])[] = [
  ["baseRappen", 100, 50_000],
  ["perKmRappen", 50, 2_000, "perKmRappen"],
  ["minimumRappen", 1_000, 300_000],
  ["firstHourRappen", 1_000, 100_000, "hourRappen"],
  ["furtherHourRappen", 1_000, 100_000, "hourRappen"],
  ["waitingStepRappen", 100, 20_000],
];

/** Vehicle classes that take no luggage, or more large pieces than pieces. */
export function auditClasses({ catalog: { vehicleClasses } }: Audited): Found {
  return vehicleClasses.map(({ id, luggageCapacity, largeLuggageCapacity }) => {
    if (luggageCapacity === 0) return warning(CLASSES, id, "takes no luggage: no party with luggage fits it");
    const most = `takes ${largeLuggageCapacity} large pieces, but only ${luggageCapacity} in all`;
    return largeLuggageCapacity > luggageCapacity && fault(CLASSES, id, most);
  });
}
