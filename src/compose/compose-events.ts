import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { SaleEventData } from "../contract/sale-events.ts";
import type { Delivery } from "../events/delivery.ts";
import type { Clock } from "../ops/clock.ts";
import type { Log } from "../ops/log.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Outbox } from "../stores/outbox.ts";

/** How long deliveries in flight may take when the process ends, after its drain time. */
const GRACE_MILLISECONDS = 1_500;

export interface EventsParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics | undefined;
}

/** The client of the operator's receiver. Throws ConfigError where none is configured. */
export async function openDelivery({ eventsUrl: url, eventsSecrets: secrets }: Config): Promise<Delivery> {
  if (url === undefined || !secrets)
    throw new ConfigError("TRANSFER_EVENTS_URL is not set; allowed: the address that receives events");
  const { createDelivery } = await import("../events/delivery.ts");
  return createDelivery({ url, secrets });
}

/** Delivers the events of the outbox, if the operator wants any, until the returned function is called. */
export async function composeEvents(
  config: Config,
  outbox: Outbox | undefined,
  { clock, log, metrics }: EventsParts,
): Promise<() => Promise<void>> {
  if (!outbox || config.eventsUrl === undefined) return async () => {};
  const delivery = await openDelivery(config);
  const { startEventSender } = await import("../events/event-sender.ts");
  const events = metrics?.events(Object.keys(SaleEventData));
  const sender = startEventSender({ outbox, delivery, clock, log, metrics: events });
  return () => sender.close(GRACE_MILLISECONDS);
}
