import { tools } from "../../tools/tools.ts";
import { type Admit, createCallPipeline, type Run } from "../calls/call-pipeline.ts";
import { createCheckout } from "../checkout/checkout.ts";
import { createLinkSigner } from "../checkout/signature.ts";
import type { Config } from "../config/config.ts";
import type { Dependency } from "../http/health.ts";
import { createMcpTools, type McpTools } from "../mcp/mcp-tools.ts";
import { type Clock, systemClock } from "../ops/clock.ts";
import { createLog, type Log } from "../ops/log.ts";
import type { Metrics } from "../ops/metrics.ts";
import { createQuoting } from "../quotes/quoting.ts";
import type { Router } from "../routing/router.ts";
import { composeIdentity, type Identity, type IdentitySite } from "./compose-identity.ts";
import { composePricing } from "./compose-pricing.ts";
import { composeStorage } from "./compose-storage.ts";

/** Where this process is reached and where it keeps its quotes. */
export interface Site extends IdentitySite {
  /** Address of the checkout page that links lead to. */
  readonly checkoutUrl: string;
  /** Of the embedded store; locked by whoever composes, and not looked at where a database is configured. */
  readonly quotesFolder: string;
}

/** What tests and commands put in the place of the real thing. */
export interface Overrides {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly router?: Router;
  readonly metrics?: Metrics;
}

export interface Service {
  readonly run: Run;
  readonly admit: Admit;
  readonly identity: Identity;
  readonly mcpTools: (run: Run) => McpTools;
  readonly metrics: Metrics;
  readonly docsBase: string;
  readonly dependencies: readonly Dependency[];
  readonly log: Log;
  close(): Promise<void>;
}

/** Puts the service together, without HTTP. With its neighbors here the one place that picks implementations. */
export async function compose(config: Config, site: Site, overrides: Overrides = {}): Promise<Service> {
  const { clock = systemClock, log = createLog(config.logLevel) } = overrides;
  const opened = await composePricing(config, log);
  const { catalog, places, roadConditions } = opened;
  const pricing = { catalog, places, router: overrides.router ?? opened.router, roadConditions };
  const { quotesFolder } = site;
  const storage = await composeStorage(config, { quotesFolder, budgets: catalog.budgets, clock, log });
  const identity = await composeIdentity(config, site, clock, log);
  const metrics = overrides.metrics ?? (await import("../ops/metrics.ts")).createMetrics();
  const docsBase = config.docsBase ?? `${site.publicUrl}/docs`;
  const { run, admit } = createCallPipeline({
    ...pricing,
    clock,
    log,
    quotes: storage.quotes,
    quoting: createQuoting({ ...pricing, clock }),
    checkout: createCheckout({
      signer: createLinkSigner(storage.checkoutSecrets),
      enabled: config.checkoutEnabled,
      pageUrl: site.checkoutUrl,
      operator: catalog.operator,
    }),
    tokens: identity.tokens,
    limiter: storage.limiter,
    blockedSubjects: new Set(config.blockedSubjects),
    docsBase,
    onFinished: metrics.callFinished,
  });
  const dependencies = [...storage.dependencies, ...opened.dependencies, { name: "identity", ping: identity.ping }];
  const mcpTools = (over: Run) => createMcpTools(tools, over, docsBase);

  return {
    run,
    admit,
    identity,
    mcpTools,
    metrics,
    docsBase,
    dependencies,
    log,
    async close() {
      await storage.close();
      await opened.close();
    },
  };
}
