import type { Delivery } from "../../adapters/events/delivery.ts";
import { counted } from "../../contract/notices.ts";
import { loadCatalog } from "../../domain/catalog/catalog.ts";
import { expiryOf, type OutboxEvent } from "../../domain/sales/outbox.ts";
import type { Sales } from "../../domain/sales/sales.ts";
import { CONFIRMED_STEPS_WITHIN_MILLISECONDS, joinSales, type Sale } from "../../domain/sales/sales-report.ts";
import { openDelivery } from "../compose/compose-events.ts";
import { openSales } from "../compose/compose-storage.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/setting.ts";
import { type CommandCall, CommandFailed } from "./command.ts";
import { findSale } from "./find.ts";
import { instantArgument } from "./typed-values.ts";

export const options = {
  since: { value: "TIME", meaning: "every event from then on: 2d, 12h or a day such as 2026-12-24" },
} as const;

const TIME_OUT_MILLISECONDS = 10_000;

/**
 * The `events` command: `resend` delivers events again from the ledger, beside a running server, whether they have been
 * delivered or not. Events keep their ids, and the events of a quote are sent in order.
 */
export async function run({ config, values, operands, opened }: CommandCall<typeof options>): Promise<undefined> {
  const [action, id] = operands;

  if (action !== "resend") throw new ConfigError(`the action of events is ${JSON.stringify(action)}; allowed: resend`);
  if ((id === undefined) === (values.since === undefined))
    throw new ConfigError("events resend needs either an EVENT_ID or --since");
  const catalog = loadCatalog(config.catalogDir);
  const now = new Date();
  const { since: text } = values;
  const since = text === undefined ? undefined : instantArgument("since", text, now, catalog.tariff.timeZone);
  const quotes = { catalog: () => catalog, quoteOf: (event: OutboxEvent) => source.quoteOf(event) };
  const delivery = opened(await openDelivery(config, quotes));
  const source = opened(await openSales(config));
  const found = since ? eventsSince(source, since, now) : eventWith(source, id ?? "", config);
  await resend(found, delivery);
}

/** The events from an instant on, quote by quote. */
async function* eventsSince(source: Pick<Sales, "events">, since: Date, now: Date): AsyncGenerator<OutboxEvent> {
  const [from, to] = [since.toISOString(), now.toISOString()];
  const period = { since: new Date(since.getTime() - CONFIRMED_STEPS_WITHIN_MILLISECONDS), until: now };
  for await (const sale of joinSales(source, period)) {
    yield* eventsOf(sale).filter(({ at }) => at >= from && at < to);
  }
}

async function* eventWith(source: Sales, id: string, config: Config): AsyncGenerator<OutboxEvent> {
  const sale = await findSale(source, id, config);
  const event = sale && eventsOf(sale).find((each) => each.id === id);
  if (!event) throw new ConfigError(`no event ${JSON.stringify(id)} is kept; the log and "find" name events`);
  yield event;
}

function eventsOf({ created, steps }: Sale): readonly OutboxEvent[] {
  return [created, ...steps, expiryOf(created)].map((event) => ({ ...event, failures: 0 }));
}

/** Sends the events one after the other, until the receiver does not accept one. */
async function resend(found: AsyncIterable<OutboxEvent>, delivery: Delivery): Promise<void> {
  let delivered = 0;
  for await (const event of found) {
    const receipt = await delivery.send(event, new Date(), AbortSignal.timeout(TIME_OUT_MILLISECONDS));
    if (receipt.result !== "delivered") {
      const done = `${counted(delivered, "event")} delivered`;
      throw new CommandFailed(`${done}; ${event.id} of ${event.at} was not: ${receipt.why}`);
    }
    delivered += 1;
  }
  process.stdout.write(`${counted(delivered, "event")} delivered\n`);
}
