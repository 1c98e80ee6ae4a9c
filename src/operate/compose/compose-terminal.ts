import { createTransferQuote } from "../../../tools/create-transfer-quote.ts";
import { priceRequest } from "../../../tools/wire/journey.ts";
import { wireCard, wireJourney, wireOption } from "../../../tools/wire/quote.ts";
import { toProblem } from "../../contract/problem.ts";
import type { Quote } from "../../contract/quote.ts";
import type { QuoteRequest } from "../../contract/quote-request.ts";
import { createQuoting } from "../../domain/quotes/quoting.ts";
import type { Clock } from "../../ops/clock.ts";
import { localDateTime } from "../../ops/local-time.ts";
import { createLog } from "../../ops/log.ts";
import type { Opened } from "../../ops/opened.ts";
import { createStages } from "../../ops/tracing.ts";
import { argumentsOf } from "../../service/calls/field-errors.ts";
import { hiddenCauseOf } from "../../service/calls/finished-call.ts";
import type { Config } from "../config/config.ts";
import { loadPricing, openCalendar, openEngines } from "./compose-pricing.ts";

/** Prices journeys for commands by the steps of the operation that agents use. */
export type TerminalQuotes = Awaited<ReturnType<typeof openTerminalQuotes>>;

interface TerminalOptions {
  /** The client for which journeys are priced, by the client id of its tokens. */
  readonly client?: string | undefined;
  /**
   * Whether every class is priced, also for one passenger where it is offered to larger parties, and where the calendar
   * says that it is taken. Default false.
   */
  readonly everyClass?: boolean;
}

const QUOTE_MS = 10_000;

/** The lines of prices are always part of the quote, even if the operator does not publish them. Throws CatalogError. */
export async function openTerminalQuotes(
  config: Config,
  clock: Clock,
  opened: Opened,
  { client, everyClass = false }: TerminalOptions = {},
) {
  const log = createLog("error");
  // Faults do not matter here: the commands are also for looking at a catalog that a server would refuse.
  const { loaded: loadedCatalog } = await loadPricing(config, log, true);
  const engines = opened(await openEngines(config, log));
  const loaded = await engines.over(loadedCatalog);
  const { places, router } = loaded;
  const tariff = { ...loaded.catalog.tariff, publishPriceLines: true };
  const vehicleClasses = loaded.catalog.vehicleClasses.map((each) =>
    everyClass ? { ...each, smallestParty: undefined } : each,
  );
  const catalog = { ...loaded.catalog, tariff, vehicleClasses };
  const { timeZone } = tariff;
  const calendar = everyClass ? undefined : await openCalendar(config, catalog, { clock, log, waitMs: QUOTE_MS });
  if (calendar) opened(calendar);
  const services = {
    clock,
    places,
    quoting: createQuoting({ catalog, router, clock, availability: calendar }),
    observe: createStages(),
    localTime: (instant: string) => localDateTime(new Date(instant), timeZone),
  };

  return {
    catalog,
    places,
    /** Takes the arguments of `create_transfer_quote`; returns what it would, without ids, the values behind it, and what its card shows. */
    async quote(input: object) {
      try {
        const time = { now: clock.now(), timeZone };
        const request = argumentsOf(createTransferQuote, input, time, catalog) as QuoteRequest;
        const isOmitted = (field: string) => Object(input)[field] === undefined;
        const call = { signal: AbortSignal.timeout(QUOTE_MS), client, isOmitted };
        const priced = await priceRequest(request, services, call);
        const quote = {
          ...wireJourney(priced, services, { status: "estimate" }),
          currency: priced.currency,
          options: priced.options.map((option) => wireOption(option, priced)),
        };
        const card = wireCard(priced, services.localTime);
        return { ok: true as const, quote: quote as Quote, priced, card };
      } catch (error) {
        const cause = hiddenCauseOf(error);
        if (cause !== undefined) log.error({ err: cause }, "the journey could not be priced");
        const problem = toProblem(error, { docsBase: "", requestId: "", instance: null });
        return { ok: false as const, problem };
      }
    },
  };
}
