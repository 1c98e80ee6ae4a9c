import { tools } from "../../tools/tools.ts";
import { createCallPipeline, type Outcome } from "../calls/call-pipeline.ts";
import { SCOPES } from "../calls/operation.ts";
import { createCheckout } from "../checkout/checkout.ts";
import type { Config } from "../config/config.ts";
import type { Quote } from "../contract/quote.ts";
import type { Clock } from "../ops/clock.ts";
import { createRequestId } from "../ops/ids.ts";
import { createLog } from "../ops/log.ts";
import type { PricedJourney } from "../quotes/quote.ts";
import { createQuoting } from "../quotes/quoting.ts";
import type { QuoteEntry } from "../stores/quote-store.ts";
import { openPricing, type PricingParts } from "./compose-pricing.ts";

/** Prices journeys for commands with the operation that agents use. The quotes are not stored. */
export interface TerminalQuotes extends PricingParts {
  /** Arguments and response of `create_transfer_quote`, with the values behind it; a problem where it fails. One at a time. */
  quote(request: object): Promise<{ ok: true; quote: Quote; priced: PricedJourney } | Extract<Outcome, { ok: false }>>;
  close(): Promise<void>;
}

interface TerminalOptions {
  /** The client for which journeys are priced, by the client id of its tokens. */
  readonly client?: string | undefined;
  /** Whether a class is priced for one passenger too, although it is offered to larger parties. Default false. */
  readonly everyClass?: boolean;
}

const QUOTE_MS = 10_000;
const NO_LINKS = { sign: () => "", verify: () => false };
const noQuote = async () => undefined;

/** The lines of prices are always part of the quote, even if the operator does not publish them. Throws CatalogError. */
export async function openTerminalQuotes(
  config: Config,
  clock: Clock,
  { client, everyClass = false }: TerminalOptions = {},
): Promise<TerminalQuotes> {
  const log = createLog("error");
  // Faults do not matter here: the commands are also for looking at a catalog that a server would refuse.
  const source = await openPricing(config, createLog("error"));
  const loaded = await source.load({ acceptsFaults: true });
  const { places, router, roadConditions, drawRoute } = loaded;
  const tariff = { ...loaded.catalog.tariff, publishPriceLines: true };
  const vehicleClasses = loaded.catalog.vehicleClasses.map((each) =>
    everyClass ? { ...each, smallestParty: undefined } : each,
  );
  const catalog = { ...loaded.catalog, tariff, vehicleClasses };
  const pricing = { catalog, places, router, roadConditions, drawRoute };
  const { run } = createCallPipeline({
    ...pricing,
    clock,
    onFinished: ({ cause }) => cause !== undefined && log.error({ err: cause }, "call failed"),
    quoting: createQuoting({ ...pricing, clock }),
    tokens: {
      verify: async () => ({ subject: "terminal", scopes: new Set(SCOPES), ...(client && { client }) }),
      isGenuine: async () => true,
    },
    limiter: { async charge() {}, setBudgets() {} },
    quotes: { insert, find: noQuote, findRecord: noQuote, async ping() {}, async close() {} },
    checkout: createCheckout({ signer: NO_LINKS, enabled: false, pageUrl: "", operator: catalog.operator }),
    blockedSubjects: new Set(),
    docsBase: "",
  });
  const operation = tools.find(({ name }) => name === "create_transfer_quote");
  if (!operation) throw new Error("there is no operation create_transfer_quote");

  let priced: PricedJourney | undefined;
  async function insert({ quote }: QuoteEntry): Promise<undefined> {
    priced = quote;
  }

  return {
    ...pricing,
    async quote(request) {
      const call = {
        surface: "stdio",
        bearer: "terminal",
        address: "terminal",
        instance: null,
        signal: AbortSignal.timeout(QUOTE_MS),
      } as const;
      const outcome = await run(operation, { ...call, requestId: createRequestId(), input: () => request });
      if (!outcome.ok) return outcome;
      if (!priced) throw new Error("the quote was not issued");
      const { quote_id: _, expires_at: __, request_id: ___, ...quote } = outcome.value as Quote;
      return { ok: true, quote: { ...quote, status: "estimate" }, priced };
    },
    close: source.close,
  };
}
