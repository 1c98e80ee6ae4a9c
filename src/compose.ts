import type { RequestListener } from "node:http";
import type { Express, RequestHandler } from "express";
import { createAdmission } from "../rest-shim/admission.ts";
import { createApp } from "../rest-shim/app.ts";
import { bearerOf, requestIdOf } from "../rest-shim/call-of.ts";
import { createDocsRouter } from "../rest-shim/docs.ts";
import { operations } from "../rest-shim/operations.ts";
import type { RestOperation } from "../rest-shim/rest-operation.ts";
import { API_BASE, createRestRouter } from "../rest-shim/rest-router.ts";
import { tools } from "../tools/catalogue.ts";
import { createCheckout } from "./checkout/checkout.ts";
import { createLinkSigner } from "./checkout/signature.ts";
import { createTravelerPage } from "./checkout/traveler-page.ts";
import { type Catalogue, composeCatalogue } from "./compose-catalogue.ts";
import { composeIdentity, type Identity, type IdentitySite } from "./compose-identity.ts";
import { composeStorage } from "./compose-storage.ts";
import type { Config } from "./config.ts";
import { isLoopback } from "./config-values.ts";
import { type Admit, createEngine, type Run } from "./engine/engine.ts";
import { SCOPES } from "./engine/operation.ts";
import { type CreateMcpServer, createMcpServers } from "./mcp/mcp-server.ts";
import { RESOURCE_METADATA_PATH, resourceMetadata } from "./mcp/resource-metadata.ts";
import { createStreamableHttp } from "./mcp/streamable-http.ts";
import { type Clock, systemClock } from "./ops/clock.ts";
import { createHealthRouter, type Dependency } from "./ops/health.ts";
import { createLog, type Log } from "./ops/log.ts";
import { createMetrics } from "./ops/metrics.ts";
import { createOverloadGuard } from "./ops/overload.ts";
import { packageVersion } from "./ops/package-root.ts";
import { createQuoting, type Quoting } from "./quotes/quoting.ts";
import type { Router } from "./routing/router.ts";

/** Where this process is reached and where it keeps its quotes. */
export interface Site extends IdentitySite {
  /** Address of the checkout page that links lead to. */
  readonly checkoutUrl: string;
  /** Of the embedded store; locked by whoever composes, and not looked at where a database is configured. */
  readonly quotesFolder: string;
}

/** What tests put in the place of the real thing. */
export interface Overrides {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly router?: Router;
}

export interface Service {
  readonly run: Run;
  readonly admit: Admit;
  readonly identity: Identity;
  readonly createMcpServer: (run: Run) => CreateMcpServer;
  /** Everything over HTTP; under overload it sheds calls. */
  readonly app: RequestListener;
  /** The traveler's page and what it needs, for a process that serves MCP over stdio. */
  readonly travelerApp: Express;
  readonly docsBase: string;
  readonly dependencies: readonly Dependency[];
  readonly log: Log;
  close(): Promise<void>;
}

/** Prices journeys without storing anything. */
export function composeQuoting(catalogue: Catalogue, clock: Clock = systemClock): Quoting {
  return createQuoting({ ...catalogue, clock });
}

/** Puts the whole service together. The one place that picks implementations. */
export async function compose(config: Config, site: Site, overrides: Overrides = {}): Promise<Service> {
  const { clock = systemClock, log = createLog(config.logLevel) } = overrides;
  const opened = await composeCatalogue(config, log);
  const { published, places, tellConditions } = opened;
  const catalogue = { published, places, router: overrides.router ?? opened.router, tellConditions };
  const { quotesFolder } = site;
  const storage = await composeStorage(config, { quotesFolder, budgets: published.budgets, clock, log });
  const identity = await composeIdentity(config, site, clock, log);
  const metrics = createMetrics();
  const docsBase = config.docsBase ?? `${site.publicUrl}/docs`;
  const { run, admit } = createEngine({
    ...catalogue,
    clock,
    log,
    quotes: storage.quotes,
    quoting: composeQuoting(catalogue, clock),
    checkout: createCheckout({
      signer: createLinkSigner(storage.checkoutSecrets),
      enabled: config.checkoutEnabled,
      pageUrl: site.checkoutUrl,
    }),
    tokens: identity.tokens,
    limiter: storage.limiter,
    blockedSubjects: new Set(config.blockedSubjects),
    docsBase,
    onFinished: metrics.callFinished,
  });
  const dependencies = [
    ...storage.dependencies,
    ...opened.dependencies,
    { name: "identity", ping: identity.ping },
  ];
  const createMcpServer = (over: Run) => createMcpServers(tools, over, packageVersion);

  return {
    run,
    admit,
    identity,
    createMcpServer,
    app: admitted(
      app([
        ...api(operations),
        ...protocol(),
        ...travelerPage(),
        ...documentation(),
        ...development(),
        ...health(),
      ]),
    ),
    travelerApp: app([
      ...api(operations.filter(({ operationId }) => operationId === "resolveCheckoutHandoff")),
      ...travelerPage(),
      ...documentation(),
    ]),
    docsBase,
    dependencies,
    log,
    async close() {
      await storage.close();
      await opened.close();
    },
  };

  function app(mounts: readonly Mount[]): Express {
    return createApp({
      docsBase,
      trustProxy: config.trustProxy,
      log,
      readOnlyPaths: READ_ONLY_PATHS,
      mounts,
    });
  }

  function admitted(listener: RequestListener): RequestListener {
    const guard = createOverloadGuard(
      () => performance.now(),
      {},
      (overloaded) => {
        if (overloaded) log.warn({}, "overloaded: calls that would have to wait are answered 503");
        else log.info({}, "no longer overloaded");
      },
    );
    metrics.watchCallsUnderWay(() => guard.underWay);
    const onShed = metrics.callShed;
    return createAdmission({ guard, docsBase, versionHeaders: versionHeaders(config), onShed }, listener);
  }

  function api(rows: readonly RestOperation[]): readonly Mount[] {
    return [
      {
        path: API_BASE,
        handler: createRestRouter({
          operations: rows,
          run,
          docsBase,
          versionHeaders: versionHeaders(config),
        }),
      },
    ];
  }

  function protocol(): readonly Mount[] {
    const metadata = resourceMetadata(site.publicUrl, identity.issuer, SCOPES);
    const metadataPath = `${RESOURCE_METADATA_PATH}/mcp`;
    const answerMetadata: RequestHandler = (request, response, next) => {
      if (request.method !== "GET" && request.method !== "HEAD") return next();
      response.setHeader("Access-Control-Allow-Origin", "*");
      response.json(metadata);
    };
    const handler = createStreamableHttp({
      createServer: createMcpServer(run),
      admit,
      callerOf: (request, response) => ({
        bearer: bearerOf(request),
        address: request.ip ?? "",
        requestId: requestIdOf(response),
      }),
      metadataUrl: `${site.publicUrl}${metadataPath}`,
      allowedHosts: new Set(
        config.allowedHosts ?? namesOf(site.publicUrl).map((origin) => new URL(origin).host),
      ),
      allowedOrigins: new Set(config.allowedOrigins ?? namesOf(site.publicUrl)),
    });
    return [
      { path: "/mcp", handler },
      { path: RESOURCE_METADATA_PATH, handler: exactly(["/", "/mcp"], answerMetadata) },
    ];
  }

  function travelerPage(): readonly Mount[] {
    return [{ path: "/checkout", handler: createTravelerPage() }];
  }

  function documentation(): readonly Mount[] {
    return [{ path: "/", handler: createDocsRouter({ publicUrl: site.publicUrl, issuer: identity.issuer }) }];
  }

  function development(): readonly Mount[] {
    const { server } = identity;
    if (!server) return [];
    return [
      { path: "/dev-auth", handler: server.handler },
      { path: "/", handler: server.wellKnown },
    ];
  }

  function health(): readonly Mount[] {
    return [{ path: "/", handler: createHealthRouter(dependencies, metrics) }];
  }
}

/** Whatever is no operation of the API, `/mcp` or the development issuer's. */
const READ_ONLY_PATHS = [
  ...["/checkout", "/docs", "/docs/errors/:code", "/openapi.json", "/llms.txt"],
  ...["/healthz", "/readyz", "/metrics", RESOURCE_METADATA_PATH, `${RESOURCE_METADATA_PATH}/mcp`],
];

interface Mount {
  readonly path: string;
  readonly handler: RequestHandler;
}

function exactly(paths: readonly string[], handler: RequestHandler): RequestHandler {
  return (request, response, next) =>
    paths.includes(request.path) ? handler(request, response, next) : next();
}

/** A loopback server is reached under several names; none of them is a stranger's. */
function namesOf(publicUrl: string): readonly string[] {
  const { protocol, hostname, port } = new URL(publicUrl);
  if (!isLoopback(hostname)) return [publicUrl];
  return ["127.0.0.1", "localhost", "[::1]"].map((name) => `${protocol}//${name}${port && `:${port}`}`);
}

/** The announced end of v1: Deprecation (RFC 9745) and Sunset (RFC 8594). */
function versionHeaders({ v1DeprecatedAt, v1SunsetAt }: Config): Readonly<Record<string, string>> {
  return {
    ...(v1DeprecatedAt && { Deprecation: `@${Math.floor(v1DeprecatedAt.getTime() / 1000)}` }),
    ...(v1SunsetAt && { Sunset: v1SunsetAt.toUTCString() }),
  };
}
