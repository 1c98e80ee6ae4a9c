import type { z } from "zod/v3";
import type { LocalTime, PricedJourney } from "../../src/calls/operation.ts";
import type { Leg } from "../../src/contract/checkout.ts";

export function wireLegs({ legs }: Pick<PricedJourney, "legs">, localTime: LocalTime): z.output<typeof Leg>[] {
  const local = (at: string | null) => (at === null ? null : localTime(at));
  return legs.map(({ at, departsAt, everyMinutes, direction, place, exact, action, means, minutes, included }) => ({
    ...{ direction, place, exact, action, at: local(at), departs_at: local(departsAt) },
    ...{ means, minutes, every_minutes: everyMinutes, included },
  }));
}
