import type { Config } from "../config/config.ts";
import { SaleEventData } from "../contract/sale-events.ts";
import type { Clock } from "../ops/clock.ts";
import type { Log } from "../ops/log.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Outbox } from "../stores/outbox.ts";

/** What deliveries in flight may take at the end; the operator's drain time comes before it. */
const GRACE_MILLISECONDS = 1_500;

export interface EventsParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Delivers the events of the outbox, if the operator wants any, until the returned function is called. */
export async function composeEvents(
  { eventsUrl: url, eventsSecrets: secrets }: Config,
  outbox: Outbox | undefined,
  { clock, log, metrics }: EventsParts,
): Promise<() => Promise<void>> {
  if (!outbox || url === undefined || !secrets) return async () => {};
  const { createDelivery } = await import("../events/delivery.ts");
  const { startEventSender } = await import("../events/event-sender.ts");
  const delivery = createDelivery({ url, secrets });
  const events = metrics.events(Object.keys(SaleEventData));
  const sender = startEventSender({ outbox, delivery, clock, log, metrics: events });
  return () => sender.close(GRACE_MILLISECONDS);
}
