import { tools } from "../../../tools/tools.ts";
import { TIERS } from "../../contract/tiers.ts";
import { unversionedChanges } from "../../domain/catalog/changes.ts";
import type { Finding } from "../../domain/catalog/finding.ts";
import { operatorIn } from "../../domain/catalog/load-operator.ts";
import { createQuoting } from "../../domain/quotes/quoting.ts";
import type { Router } from "../../domain/routing/router.ts";
import type { OutboxEvent } from "../../domain/sales/outbox.ts";
import { type Clock, systemClock } from "../../ops/clock.ts";
import { localDateTime } from "../../ops/local-time.ts";
import { createLog, type ServiceLog } from "../../ops/log.ts";
import type { CatalogInUse } from "../../ops/metrics.ts";
import { createOpened, type Opened } from "../../ops/opened.ts";
import { createStages, startTracing } from "../../ops/tracing.ts";
import { createMcpTools } from "../../servers/mcp/mcp-tools.ts";
import { serverInfo } from "../../servers/mcp/server-info.ts";
import { type Admit, type Charge, createCallPipeline, type Run } from "../../service/calls/call-pipeline.ts";
import type { Services } from "../../service/calls/operation.ts";
import type { RateLimiter } from "../../service/calls/rate-limiter.ts";
import { createCheckout } from "../../service/checkout/checkout.ts";
import { confirmQuote } from "../../service/checkout/confirm-quote.ts";
import { createLinkSigner } from "../../service/checkout/signature.ts";
import { inSandbox, isLost } from "../../service/sandbox/sandbox.ts";
import { type Config, issuerOf } from "../config/config.ts";
import { composeEvents } from "./compose-events.ts";
import { composeIdentity } from "./compose-identity.ts";
import { type LoadedPricing, loadPricing, openCalendar, openEngines } from "./compose-pricing.ts";
import { composeStorage } from "./compose-storage.ts";
import { keepCopy, startCatalog } from "./last-good-catalog.ts";
import { createCallObserver, saleStep, unfailing } from "./observe-calls.ts";

/** Where this process is reached and where it keeps its quotes. */
export interface Site {
  readonly publicUrl: string;
  /** Origin of the development issuer and of `/mcp` as tokens name them: the same for `token`, `serve` and `stdio`. */
  readonly issuerOrigin: string;
  /** The embedded store's folder, which the caller has locked; ignored where a database is configured. */
  readonly quotesFolder: string;
  /** Whether this process is the HTTP server: it has `/metrics`, and the development issuer where no other is set. */
  readonly servesHttp: boolean;
}

/** Replacements for tests and commands. */
export interface Overrides {
  readonly clock?: Clock;
  readonly log?: ServiceLog;
  readonly router?: Router;
  readonly limiter?: RateLimiter;
}

export type Service = Awaited<ReturnType<typeof compose>>;

/** Composes the service without HTTP. Only this folder chooses implementations. */
export async function compose(config: Config, site: Site, overrides: Overrides = {}) {
  const { opened, close } = createOpened();
  try {
    return { ...(await composeOpen(config, site, overrides, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function composeOpen(config: Config, site: Site, overrides: Overrides, opened: Opened) {
  const { clock = systemClock, log = createLog(config.logLevel) } = overrides;
  opened({ close: await startTracing(process.env, log) });
  const engines = opened(await openEngines(config, log));
  const { loaded, isRefused } = await startCatalog(config, log);
  const first = await engines.over(loaded);
  const { quotesFolder } = site;
  const storage = await composeStorage(config, { quotesFolder, budgets: first.catalog.budgets, clock, log }, opened);
  const calendar = await openCalendar(config, first.catalog, { clock, log, waitMs: 5_000 });
  if (calendar) opened(calendar);
  const limiter = overrides.limiter ?? storage.limiter;
  const operatorOf = (language?: string) => operatorIn(current.catalog, language);
  const identity = await composeIdentity(config, site, { clock, log, limiter, operatorIn: operatorOf }, opened);
  // The client of Prometheus takes 15 ms to load.
  const metrics = site.servesHttp ? (await import("../../ops/metrics.ts")).createMetrics(TIERS) : undefined;
  if (isRefused) metrics?.catalogReloaded("rejected");
  const { quotes } = storage;
  const onFinished = createCallObserver({
    log,
    metrics,
    recordCall: storage.recordCall,
    callerHashKey: storage.callerHashKey,
    logsUnmatchedPlaces: config.logUnmatchedPlaces,
  });
  const observe = createStages(metrics && unfailing(metrics.stageEnded, log));
  const docsBase = config.docsBase ?? `${site.publicUrl}/docs`;
  const checkoutUrl = config.checkoutUrl ?? `${site.publicUrl}/checkout`;
  const signer = createLinkSigner(storage.checkoutSecrets);
  const blockedSubjects = new Set(config.blockedSubjects);
  if (config.sandbox && issuerOf(config) !== "development") {
    const warning =
      "TRANSFER_SANDBOX is true without the development issuer: callers can provoke errors and quotes of no real place";
    log.warn({}, warning);
  }
  /** Everything that depends on the catalog. A call uses the same value from its beginning to its end. */
  let current = serving(first);
  let reloading: Promise<unknown> = Promise.resolve();
  const dependencies = () => [
    ...storage.dependencies,
    ...current.dependencies,
    ...(calendar ? [calendar.dependency] : []),
    { name: "identity", ping: identity.ping },
  ];
  const catalog = () => current.catalog;
  const info = () => serverInfo(docsBase, current.catalog.operator);

  const quoteOf = ({ quoteId }: Pick<OutboxEvent, "quoteId">) => quotes.find(quoteId);
  opened(await composeEvents(config, storage.outbox, { clock, log, metrics }, { catalog, quoteOf }));
  metrics?.watchCatalog(() => current.inUse);
  if (calendar) metrics?.watchCalendar(calendar.ageSeconds);

  const run: Run = (...args) => current.run(...args);
  const admit: Admit = (...args) => current.admit(...args);
  const charge: Charge = (...args) => current.charge(...args);

  return {
    run,
    admit,
    identity,
    mcpTools: createMcpTools({ tools, run, charge, catalog, clock, info }),
    /** `undefined` where none are served. */
    metrics,
    docsBase,
    /** Address of the checkout page that links lead to. */
    checkoutUrl,
    /** The catalog in use. */
    catalog,
    dependencies,
    log,
    /** Logs and counts a call or a rejected request. */
    onFinished,
    catalogInUse: () => current.inUse,
    /** Makes a quote payable (`confirmQuote`), and resolves to its new end. */
    async confirm(asked: Parameters<typeof confirmQuote>[2]) {
      const { quote, sale } = await confirmQuote(quotes, { clock, timeZone: current.catalog.tariff.timeZone }, asked);
      if (sale) metrics?.stepped(saleStep(sale));
      log.info({ quote_id: quote.id, expires_at: quote.expiresAt }, "quote confirmed");
      return { expiresAt: quote.expiresAt };
    },
    /**
     * Reads the catalog again, with the checks of a start; calls that begin from then on use it, and what was issued
     * stays as it is. Throws CatalogError where it has a mistake, or a fault and is not `forced`: then nothing changes.
     * Either outcome is logged and counted. Resolves to what changed and kept its version.
     */
    reload(forced = false): Promise<readonly Finding[]> {
      // One after the other, so that each reads the folder as it is after the request or later.
      const next = reloading.then(() => reload(forced));
      reloading = next.catch(() => {});
      return next;
    },
  };

  /** A server without the sandbox does not find the quotes of one that has it, nor accept their links. */
  async function find(id: string) {
    const quote = await observe("store", () => quotes.find(id));
    return quote?.rehearsal && (!config.sandbox || isLost(quote)) ? undefined : quote;
  }

  function serving(loaded: LoadedPricing) {
    const { catalog, places, roadConditions, dependencies } = loaded;
    const router = overrides.router ?? loaded.router;
    const { timeZone } = catalog.tariff;
    const plain: Services = {
      clock,
      catalog,
      places,
      roadConditions,
      quoting: createQuoting({ clock, catalog, router, availability: calendar, log }),
      quotes: { find },
      checkout: createCheckout({
        signer,
        enabled: config.checkoutEnabled,
        pageUrl: checkoutUrl,
        continueUrl: config.checkoutContinueUrl,
        operator: catalog.operator,
      }),
      localTime: (instant) => localDateTime(new Date(instant), timeZone),
      observe,
    };
    const services = config.sandbox ? { ...plain, ...inSandbox(plain) } : plain;
    const pipeline = createCallPipeline({
      services,
      quotes,
      tokens: identity.tokens,
      limiter,
      blockedSubjects,
      docsBase,
      onFinished,
      // At debug, where callers that guess tokens cannot fill the log.
      onTokenRefused: (refusal, requestId) => log.debug({ request_id: requestId, ...refusal }, "A token was refused."),
    });
    const { version, tariff } = catalog;
    const inUse: CatalogInUse = { version, tariffVersion: tariff.version, loadedAt: clock.now() };
    return { ...pipeline, catalog, dependencies, inUse };
  }

  async function reload(acceptsFaults: boolean) {
    const before = current.catalog;
    try {
      const { loaded, faults } = await loadPricing(config, log, acceptsFaults, before);
      const next = serving(await engines.over(loaded));
      limiter.setBudgets(next.catalog.budgets);
      current = next;
      void calendar?.useFor(next.catalog);
      if (faults.length === 0) await keepCopy(config, log);
    } catch (error) {
      metrics?.catalogReloaded("rejected");
      log.error({ err: error, catalog: current.inUse }, "the catalog was not reloaded: the old one stays in use");
      throw error;
    }
    metrics?.catalogReloaded("ok");
    log.info({ catalog: current.inUse }, "catalog reloaded");
    const changes = unversionedChanges(before, current.catalog);
    if (changes.length > 0) log.warn({ changes }, "the catalog changed under an unchanged version");
    return changes;
  }
}
