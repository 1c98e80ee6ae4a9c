/**
 * A journey with the legs and sentences that a traveler needs.
 *
 * Times are sums such as "pickup + 45 min + drive": `pickup` and `return` are the pickups of the two directions, `drive`
 * the measured driving minutes of the direction, `drive 2` those of its second section. A time of day, or a date and
 * time, in Switzerland is absolute. The test compares instants.
 */
export interface ExpectedJourney {
  readonly title: string;
  readonly from: string;
  /** Absent: a hire that ends where it starts. */
  readonly to?: string;
  readonly via?: readonly { readonly stop: string; readonly stayMinutes: number | null }[];
  /** Local date and time in Switzerland, with its UTC offset where the clock changes. */
  readonly pickup?: string;
  readonly arriveBy?: string;
  readonly returnAt?: string;
  readonly hireHours?: number;
  readonly waitingMinutes?: number;
  readonly outbound: readonly ExpectedLeg[];
  readonly back?: readonly ExpectedLeg[];
  /** Each list is one sentence (or one group of sentences) that has all of these parts. */
  readonly says: readonly (readonly (string | RegExp)[])[];
  /** What no sentence may say. */
  readonly neverSays?: readonly RegExp[];
}

export interface ExpectedLeg {
  readonly action: "leave" | "pickup" | "stop" | "pass" | "drop_off" | "arrive" | "hire_end";
  readonly place: string;
  readonly at: string | null;
  readonly departsAt: string | null;
  readonly means: string | null;
  /** "drive": as measured. `null`: unknown, or the last row. */
  readonly minutes: "drive" | number | null;
  readonly everyMinutes: number | null;
  /** Not compared on the last row of a direction, from which nothing goes on. */
  readonly included: boolean;
}

interface Connection {
  readonly means: string;
  readonly minutes: number;
  readonly everyMinutes: number | null;
}

export function by(means: string, minutes: number, everyMinutes: number | null = null): Connection {
  return { means, minutes, everyMinutes };
}

const NO_CAR = { at: null, departsAt: null };
const CAR = { means: "car", minutes: "drive", everyMinutes: null, included: true } as const;
const END = { means: null, minutes: null, everyMinutes: null, included: false };

export const leave = (place: string, connection: Connection): ExpectedLeg => ({
  ...{ action: "leave", place, ...NO_CAR, ...connection, included: false },
});
export const pickup = (place: string, at: string, departsAt = at): ExpectedLeg => ({
  ...{ action: "pickup", place, at, departsAt, ...CAR },
});
/** A pickup for a hire that leads nowhere in particular. */
export const hire = (place: string, at: string): ExpectedLeg => ({ ...pickup(place, at), minutes: null });
export const stop = (place: string, at: string, departsAt: string): ExpectedLeg => ({
  ...{ action: "stop", place, at, departsAt, ...CAR },
});
export const pass = (place: string, at: string): ExpectedLeg => ({ action: "pass", place, at, departsAt: at, ...CAR });
const ends =
  (action: "drop_off" | "hire_end") =>
  (place: string, at: string, onward?: Connection): ExpectedLeg => ({
    ...{ action, place, at, departsAt: null, ...(onward ? { ...onward, included: false } : END) },
  });
export const dropOff = ends("drop_off");
export const hireEnd = ends("hire_end");
export const arrive = (place: string): ExpectedLeg => ({ action: "arrive", place, ...NO_CAR, ...END });
