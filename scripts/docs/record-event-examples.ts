import type { TestContext } from "node:test";
import { anEventReceiver, aWebhookSecret } from "../../test/support/event-receiver.ts";
import { aQuoteRequest } from "../../test/support/journey-fixture.ts";
import { until, withCleanUp } from "../../test/support/lifetime.ts";
import { termsOf } from "../../test/support/machines.ts";
import { aService } from "../../test/support/service.ts";
import { withMarked } from "./with-marked.ts";

const DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const QUOTE_ID = "q_Zk3vT0xqQm2nB8sYw1LdUA";

/** The document with example bodies of an event of a quote and one of a handoff, as delivered by the real service. */
export async function withEventExamples(document: string): Promise<string> {
  const blocks = (await withCleanUp(record)).map((body) => `\n\`\`\`json\n${body}\n\`\`\`\n`);
  return withMarked(document, "examples", blocks.join(""));
}

/** The bodies of the events of one quote, up to its handoff. */
async function record(t: Pick<TestContext, "after">): Promise<readonly string[]> {
  const receiver = await anEventReceiver(t);
  const { api, token, clock } = await aService(t, {
    env: { TRANSFER_EVENTS_URL: receiver.url, TRANSFER_EVENTS_SECRET: aWebhookSecret("examples") },
  });
  const caller = { token: await token() };
  const { body: quote } = await api("/quotes", {
    ...caller,
    body: aQuoteRequest({ origin: "Bern", destination: "Chur", passengers: 5, luggage: 5 }),
  });
  await delivered(1);
  clock.advance(90_000);
  await api("/checkout-sessions", { ...caller, body: termsOf(quote) });
  await delivered(2);
  return receiver.received.map(({ payload }) =>
    JSON.stringify(payload, undefined, 2)
      .replaceAll(quote.quote_id, QUOTE_ID)
      .replace(/[0-9a-f]{64}/, DIGEST),
  );

  /** Waits before the clock is advanced, because a delivery in flight would be claimed and made again. */
  function delivered(count: number): Promise<void> {
    return until(() => receiver.received.length === count, `${count} events`);
  }
}
