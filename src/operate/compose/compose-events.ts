import { wireCheckoutJourney } from "../../../tools/wire/checkout-journey.ts";
import type { Delivery } from "../../adapters/events/delivery.ts";
import { SaleEventData } from "../../contract/sale-events.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import type { StoredQuote } from "../../domain/quotes/quote.ts";
import type { Outbox, OutboxEvent } from "../../domain/sales/outbox.ts";
import type { Clock } from "../../ops/clock.ts";
import { localDateTime } from "../../ops/local-time.ts";
import type { Log } from "../../ops/log.ts";
import type { Metrics } from "../../ops/metrics.ts";
import type { Closable } from "../../ops/opened.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";

/** How long deliveries in flight may take when the process ends, after its drain time. */
const GRACE_MILLISECONDS = 1_500;

/** Finds the quote of an event, and the time zone of its operator. */
interface EventQuotes {
  quoteOf(event: OutboxEvent): Promise<StoredQuote | undefined>;
  readonly catalog: () => Pick<Catalog, "tariff">;
}

/** The client of the operator's receiver. Throws ConfigError where none is configured. */
export async function openDelivery(
  { eventsUrl: url, eventsSecrets: secrets }: Config,
  { quoteOf, catalog }: EventQuotes,
): Promise<Delivery> {
  if (url === undefined || !secrets)
    throw new ConfigError("TRANSFER_EVENTS_URL is not set; allowed: the address that receives events");
  const { createDelivery } = await import("../../adapters/events/delivery.ts");
  return createDelivery({
    url,
    secrets,
    async journeyOf(event) {
      const quote = await quoteOf(event);
      const option = quote?.options.find(({ vehicleClass }) => vehicleClass === event.options[0]?.vehicleClass);
      const { timeZone } = catalog().tariff;
      return quote && option
        ? wireCheckoutJourney(quote, option, (instant) => localDateTime(new Date(instant), timeZone))
        : null;
    },
  });
}

/** Delivers the events of the outbox, if the operator wants any, until it is closed. */
export async function composeEvents(
  config: Config,
  outbox: Outbox | undefined,
  parts: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics | undefined },
  quotes: EventQuotes,
): Promise<Closable> {
  if (!outbox || config.eventsUrl === undefined) return { async close() {} };
  const delivery = await openDelivery(config, quotes);
  const { startEventSender } = await import("../../adapters/events/event-sender.ts");
  const metrics = parts.metrics?.events(Object.keys(SaleEventData));
  const sender = startEventSender({ ...parts, outbox, delivery, metrics });
  return { close: () => sender.close(GRACE_MILLISECONDS) };
}
