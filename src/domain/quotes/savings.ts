import { type Charge, hireHoursOf } from "../../contract/charges.ts";
import { PublicError } from "../../contract/errors.ts";
import { classNames, dateName, francsText, instantName } from "../../contract/notice-formats.ts";
import { DAY, HOUR, MINUTE } from "../../ops/durations.ts";
import { instantOfLocal, localDateTime } from "../../ops/local-time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { minutesAfter } from "../routing/timetable.ts";
import type { PricedCall } from "./measured-journey.ts";
import type { Journey, PricedJourney, PricedOption } from "./quote.ts";
import type { Quoting } from "./quoting.ts";

/** How far a pickup is moved out of the night. */
const NEAR_NIGHT = 60 * MINUTE;
const STEP = 5 * MINUTE;
const MOST = 2;

/** A change of a journey, and the charge of a direction that it costs no longer; none of a hire. */
interface Change {
  readonly journey: Journey;
  readonly avoids: Charge["code"] | undefined;
  readonly direction: "outbound" | "return";
  readonly said: Pick<Saving, "pickupAt" | "returnAt" | "hire">;
  /** When the pickup is on another day, that which was asked for. */
  readonly insteadOf?: Date | undefined;
}

/**
 * Prices a journey, and where a charge gives a reason also what would be cheaper: a pickup outside the night within an
 * hour on the same day, a day without the holiday or season next to it, another form of a hire. At most two, each with
 * its own price; other journeys are priced once. A journey from or to a flight is not moved. A router that
 * asks another engine is not asked again: `isFree` is false for it.
 */
export function withSavings(
  price: Quoting["price"],
  { tariff, vehicleClasses }: Pick<Catalog, "tariff" | "vehicleClasses">,
  isFree: boolean,
): Quoting["price"] {
  const { timeZone, night } = tariff;
  const nameOf = classNames(vehicleClasses);

  return async (journey, call) => {
    const own = await price(journey, call);
    const [cheapest] = [...own.options].sort((a, b) => a.totalRappen - b.totalRappen);
    if (!isFree || !cheapest || journey.callerMetrics) return own;
    const found: Saving[] = [];
    for (const change of changesOf(journey, own, cheapest)) {
      const saving = savingOf(change, own, cheapest, await other(change.journey, call));
      if (saving) found.push(saving);
    }
    found.sort((a, b) => a.totalRappen - b.totalRappen);
    // The cheapest of each direction before a second one of the same, since both can be changed.
    const rankOf = (saving: Saving) => found.filter(({ returnAt }) => !returnAt === !saving.returnAt).indexOf(saving);
    return { ...own, savings: [...found].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, MOST) };
  };

  /** `undefined` where the journey cannot be priced so. */
  async function other(journey: Journey, call: PricedCall): Promise<PricedJourney | undefined> {
    try {
      return await price(journey, { ...call, onAsked: undefined });
    } catch (error) {
      if (error instanceof PublicError) return undefined;
      throw error;
    }
  }

  function changesOf(journey: Journey, own: PricedJourney, { charges }: PricedOption): readonly Change[] {
    const has = (code: Charge["code"], direction: Change["direction"]) =>
      charges.some((each) => each.code === code && each.rappen > 0 && (each.direction ?? "outbound") === direction);
    const isFlight = (direction: Change["direction"]) => {
      const end = direction === "outbound" ? own.destinationPlace : own.originPlace;
      return end.kind === "airport" || own.legs.some((leg) => leg.direction === direction && leg.landing);
    };
    const moved = (direction: Change["direction"], at: Date | null, waiting: number): readonly Change[] => {
      if (at === null || isFlight(direction)) return [];
      const field = direction === "outbound" ? "pickupAt" : "returnAt";
      const to = (instant: Date, avoids: Charge["code"]): Change => ({
        ...{ journey: { ...journey, [field]: instant }, avoids, direction },
        said: { [field]: instant.toISOString() },
        insteadOf: avoids === "night" ? undefined : at,
      });
      const isHire = journey.hireHours !== null;
      return [
        ...(has("night", direction) && !isHire ? outsideNight(at, waiting).map((each) => to(each, "night")) : []),
        // A journey at night belongs to what the traveler does that evening or morning, so that another day is no choice.
        ...(has("night", direction) ? [] : (["holidays", "season"] as const)).flatMap((code) =>
          has(code, direction) ? [-1, 1].map((days) => to(daysAfter(at, days), code)) : [],
        ),
      ];
    };
    const pickupAt = journey.pickupAt instanceof Date ? journey.pickupAt : null;
    return [
      ...moved("outbound", pickupAt, journey.waitingMinutes),
      ...moved("return", journey.returnAt, 0),
      ...otherHires(journey, hireHoursOf(charges)),
    ];
  }

  /** The first pickup after the night, or the last before it from which the car leaves before it begins, on the same day. */
  function outsideNight(at: Date, waitingMinutes: number): readonly Date[] {
    return [0, 1].flatMap((days) => {
      const date = dayOf(new Date(at.getTime() + days * DAY));
      const start = (hour: number) => instantOfLocal(`${date}T${String(hour % 24).padStart(2, "0")}:00:00`, timeZone);
      const [before, after] = [minutesAfter(start(night.fromHour), -waitingMinutes), start(night.toHour)];
      const last = new Date(before.getTime() - STEP);
      return [after, last].filter(
        (each) => Math.abs(each.getTime() - at.getTime()) <= NEAR_NIGHT && dayOf(each) === dayOf(at),
      );
    });
  }

  function dayOf(at: Date): string {
    return localDateTime(at, timeZone).slice(0, 10);
  }

  function daysAfter(at: Date, days: number): Date {
    const date = new Date(Date.parse(`${dayOf(at)}T00:00Z`) + days * 24 * HOUR).toISOString().slice(0, 10);
    return instantOfLocal(`${date}${localDateTime(at, timeZone).slice(10, 19)}`, timeZone);
  }

  function savingOf(
    { avoids, direction, said, insteadOf }: Change,
    own: PricedJourney,
    cheapest: PricedOption,
    changed: PricedJourney | undefined,
  ): Saving | undefined {
    const { vehicleClass, totalRappen } = cheapest;
    const option = changed?.options.find((each) => each.vehicleClass === vehicleClass);
    if (!changed || !option || option.totalRappen >= totalRappen) return undefined;
    // What the operator has to confirm first is no saving for who could pay at once.
    if (isOnRequest(changed, option) && !isOnRequest(own, cheapest)) return undefined;
    const remains = ({ code, direction: of, rappen }: Charge) =>
      code === avoids && rappen > 0 && (of ?? "outbound") === direction;
    if (option.charges.some(remains)) return undefined;
    const prices = `${francsText(option.totalRappen)} instead of ${francsText(totalRappen)} (${nameOf(vehicleClass)})`;
    const at = said.pickupAt ?? said.returnAt;
    const asked = insteadOf ? `, instead of ${dateName(dayOf(insteadOf))}` : "";
    const what = at
      ? `${said.pickupAt ? "Pickup" : "Return pickup"} on ${instantName(localDateTime(new Date(at), timeZone))}${asked}`
      : `${HIRE_FORMS[said.hire ?? "back_at_start"](changed.stops.at(-1)?.place.name ?? "")}${hoursText(option, cheapest)}`;
    return { ...said, text: `${what}: ${prices}.`, totalRappen: option.totalRappen };
  }
}

function isOnRequest({ requiresManualConfirmation }: PricedJourney, { onRequest }: PricedOption): boolean {
  return requiresManualConfirmation || onRequest;
}

/** Other forms of a hire, and what is said of them. */
const HIRE_FORMS = {
  back_at_start: (last: string) => `A hire that ends where it starts, with ${last} as its last stop`,
  transfer: () => "A transfer with the same stops and stays instead of the hire",
  without_stays: () => "The same hire without stated stays",
};

/** Without stays fewer hours may be charged, but then there would be no time for the stays. */
function otherHires(journey: Journey, chargedHours: number | null): readonly Change[] {
  const { points, hireHours } = journey;
  const [first, last] = [points[0], points.at(-1)];
  if (hireHours === null || !first || !last) return [];
  const stays = points.slice(1, -1).map(({ dwellMinutes }) => dwellMinutes);
  const change = (hire: Saving["hire"], changed: Partial<Journey>): Change => ({
    ...{ journey: { ...journey, ...changed }, avoids: undefined, direction: "outbound", said: { hire } },
  });
  return [
    ...(last.field === first.field ? [] : [change("back_at_start", { points: [...points, first] })]),
    ...(stays.length === 0 || stays.includes(null) ? [] : [change("transfer", { hireHours: null })]),
    ...(stays.some(Boolean)
      ? [
          change("without_stays", {
            hireHours: chargedHours,
            points: points.map((point) => ({ ...point, dwellMinutes: null })),
          }),
        ]
      : []),
  ];
}

/** The charged hours where they are others. */
function hoursText({ charges }: PricedOption, cheapest: PricedOption): string {
  const hours = hireHoursOf(charges);
  return hours === null || hours === hireHoursOf(cheapest.charges) ? "" : `, for ${hours} h`;
}

/** A change with which the cheapest vehicle class costs less. Exactly one of the three is set. */
export interface Saving {
  readonly text: string;
  /** Of that class. */
  readonly totalRappen: number;
  readonly pickupAt?: string | undefined;
  readonly returnAt?: string | undefined;
  /** Another form of the hire: one that ends where it starts, with its destination as the last stop, is `back_at_start`. */
  readonly hire?: keyof typeof HIRE_FORMS | undefined;
}
